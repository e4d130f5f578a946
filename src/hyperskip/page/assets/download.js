/** Files that the page makes and the browser saves. */

import { element } from "hyperskip/dom";

const LONGEST_NAME = 60;
const KEPT = 60_000; // milliseconds that the file is kept in memory: some browsers read it late

/** @param {Blob} blob @param {string} name of the file */
export function download(blob, name) {
  const link = element("a", { href: URL.createObjectURL(blob), download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), KEPT);
}

/** A name of a file, from any text: letters, digits, dots, dashes and underscores. */
export function fileName(text, ending) {
  const plain = text.replace(/[^\p{L}\p{N}._-]+/gu, "-").replace(/^[.-]+|[.-]+$/g, "");
  return `${[...plain].slice(0, LONGEST_NAME).join("") || "map"}.${ending}`;
}
