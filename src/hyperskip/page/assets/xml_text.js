/** Text of any kind as text of an XML file. */

// Characters that XML allows; the others, such as control characters, have no representation in it.
const NOT_IN_XML = /[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;
const ENTITIES = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&apos;" };

/** Text for XML: markup is escaped, and characters that XML has no representation for are replaced. */
export function escaped(text) {
  return text.replace(NOT_IN_XML, "\ufffd").replace(/[&<>"']/g, (sign) => ENTITIES[sign]);
}
