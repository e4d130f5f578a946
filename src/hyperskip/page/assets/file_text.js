/** The text of a file that the user has chosen. */

const LARGEST = 20; // megabytes
const NOT_TEXT = /[\u0000-\u0008\u000b\u000c\u000e-\u001f]/;
const MARKS = [["utf-8", [0xef, 0xbb, 0xbf]], ["utf-16le", [0xff, 0xfe]], ["utf-16be", [0xfe, 0xff]]];

/**
 * @param {Blob & {name?: string}} file
 * @throws {Error} with a message for the user
 */
export async function textOf(file) {
  if (file.size > LARGEST * 1e6) {
    throw new Error(`The file is larger than ${LARGEST} MB. Keep only the columns and rows that you need.`);
  }
  let bytes;
  try {
    bytes = new Uint8Array(await file.arrayBuffer());
  } catch {
    throw new Error("The file cannot be read. Choose another one.");
  }
  return decoded(bytes);
}

/** Text in UTF-8, in UTF-16 with a byte order mark, or else in Windows-1252, as spreadsheets write it. */
export function decoded(bytes) {
  const [encoding] = MARKS.find(([, mark]) => mark.every((byte, i) => bytes[i] === byte)) ?? ["utf-8"];
  let text;
  try {
    text = new TextDecoder(encoding, { fatal: true }).decode(bytes); // drops the mark
  } catch {
    text = new TextDecoder("windows-1252").decode(bytes);
  }
  if (NOT_TEXT.test(text)) {
    throw new Error("This is not a text file. Choose a list of words, or a table as CSV or TSV.");
  }
  return text;
}
