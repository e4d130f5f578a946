/** The current colors of the style sheet, for drawing on canvases. */

const NAMES = ["ink", "muted", "paper", "plate", "rim", "ring", "accent", "second", "third"];

/** @returns {Object<string, string>} */
export function inksOf(host) {
  const style = getComputedStyle(host);
  return Object.fromEntries(NAMES.map((name) => [name, style.getPropertyValue(`--${name}`).trim()]));
}
