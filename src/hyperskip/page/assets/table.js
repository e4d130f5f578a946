/** A text as a table with a header, or as a list of words. */

const SEPARATORS = ["\t", ";", ","]; // in the order of preference
const USUAL_SHARE = 0.5; // least share of the rows of a table that are as long as its header

/**
 * Read CSV or TSV. Fields may be quoted, with line breaks inside. If the rows do not have the same length
 * of two or more fields, all fields are one column.
 * @returns {{header: string[]|null, rows: string[][]}} header: null for a list of words
 */
export function readTable(text) {
  const separator = separatorOf(text);
  const records = (recordsOf(text, separator, true) ?? recordsOf(text, separator, false))
    .map((record) => record.map((field) => field.trim()))
    .filter((record) => record.some((field) => field !== ""));
  const [header = [], ...rows] = records;
  const fitting = rows.filter((row) => row.length === header.length).length;
  if (header.length < 2 || rows.length === 0 || fitting < USUAL_SHARE * rows.length) {
    return { header: null, rows: records.flat().filter((field) => field !== "").map((word) => [word]) };
  }
  return {
    header: header.map((name, at) => name || `Column ${at + 1}`),
    rows: rows.map((row) => header.map((_, at) => row[at] ?? "")),
  };
}

/** The separator that is the most frequent one in the first line that is not empty. */
function separatorOf(text) {
  const line = /[^\r\n]+/.exec(text.trimStart())?.[0] ?? "";
  const unquoted = line.replace(/"(?:[^"]|"")*"/g, "");
  const countOf = (separator) => unquoted.split(separator).length;
  return SEPARATORS.reduce((best, one) => (countOf(one) > countOf(best) ? one : best));
}

/** The fields of each line; null if a quoted field has no end. */
function recordsOf(text, separator, hasQuotes) {
  const records = [[]];
  const stop = separator === "\t" ? /[\t\r\n]/g : new RegExp(`[${separator}\\r\\n]`, "g");
  let at = 0;
  while (at <= text.length) {
    let field;
    if (hasQuotes && text[at] === '"') {
      const end = endOfQuoted(text, at + 1);
      if (end < 0) return null;
      field = text.slice(at + 1, end).replaceAll('""', '"');
      at = end + 1;
    }
    stop.lastIndex = at;
    const end = stop.exec(text)?.index ?? text.length;
    records.at(-1).push((field ?? "") + text.slice(at, end));
    if (text[end] !== undefined && text[end] !== separator) records.push([]);
    at = end + (text.startsWith("\r\n", end) ? 2 : 1);
  }
  return records;
}

/** The position of the quote that ends a field, or -1; two quotes stand for one. */
function endOfQuoted(text, from) {
  for (let at = text.indexOf('"', from); at >= 0; at = text.indexOf('"', at + 2)) {
    if (text[at + 1] !== '"') return at;
  }
  return -1;
}
