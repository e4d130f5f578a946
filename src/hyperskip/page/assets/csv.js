/** Tables as CSV by RFC 4180, which spreadsheets can open without calculating anything. */

const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/; // a spreadsheet would take such a text for a formula

/**
 * @param {string[]} header
 * @param {Iterable<Array<string|number>>} rows
 */
export function csvOf(header, rows) {
  const lines = [header, ...rows].map((cells) => `${cells.map(cellOf).join(",")}\r\n`);
  return lines.join("");
}

/** Text is in quotes. If it looks like a formula, it starts with an apostrophe. */
function cellOf(value) {
  if (typeof value === "number") return String(value);
  const text = FORMULA.test(value) ? `'${value}` : value;
  return `"${text.replaceAll('"', '""')}"`;
}
