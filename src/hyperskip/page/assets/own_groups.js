/**
 * Colors for words of the user: one color for all, a color for each category, or a scale of numbers.
 *
 * All other words are faint, and have no labels.
 */

import { groupColor, rampColor } from "hyperskip/colors";
import { grouped } from "hyperskip/dom";
import { shadeColor } from "hyperskip/hues";

const STEPS = 32; // of the scale of numbers
const MOST_CATEGORIES = 36; // that have a color of their own
const FAINT = 40; // opacity of all other words, of 255
const PALETTE = 12; // categories that the usual colors tell apart
const HUE_STEP = 5; // so that successive hues differ
const DECIMAL_COMMA = /^[+-]?\d+,\d+$/;

/**
 * @typedef {{by: {groups: Int32Array, colorOf: Function, opacityOf: Function},
 *   showLegend: (legend: import("hyperskip/legend").Legend, theme: string) => void}} OwnGroups
 */

/**
 * @param {number} count of words on the map
 * @param {Map<number, string>} values by the index of the word; empty ones are of no group
 * @param {string|null} title of the column; null: all words have the same color
 * @returns {OwnGroups}
 */
export function ownGroups(count, values, title) {
  if (title === null) return categories(count, values, "Your words", () => "Your words");
  const numbers = new Map([...values].map(([index, text]) => [index, numberOf(text)]));
  const isScale = [...values].every(([index, text]) => text === "" || numbers.get(index) !== null);
  const hasValues = [...values.values()].some((text) => text !== "");
  if (isScale && hasValues) return scale(count, numbers, title);
  return categories(count, values, title, (text) => text);
}

/** The number that a text stands for, or null. */
export function numberOf(text) {
  if (text.trim() === "") return null;
  const number = Number(DECIMAL_COMMA.test(text) ? text.replace(",", ".") : text);
  return Number.isFinite(number) ? number : null;
}

function scale(count, numbers, title) {
  const known = [...numbers].filter(([, number]) => number !== null);
  const [low, high] = known.reduce(
    ([least, most], [, number]) => [Math.min(least, number), Math.max(most, number)],
    [Infinity, -Infinity],
  );
  const groups = new Int32Array(count).fill(-1);
  for (const [index, number] of known) {
    groups[index] = Math.round(((number - low) / (high - low || 1)) * (STEPS - 1));
  }
  return {
    by: colored(groups, (theme, group) => rampColor(theme, group / (STEPS - 1))),
    showLegend: (legend, theme) => legend.showNumbers(theme, title, written(low), written(high)),
  };
}

function categories(count, values, title, nameOf) {
  const sizes = new Map();
  for (const value of values.values()) {
    const name = nameOf(value);
    if (name !== "") sizes.set(name, (sizes.get(name) ?? 0) + 1);
  }
  const ordered = [...sizes].sort(([, one], [, other]) => other - one);
  const kept = ordered.slice(0, ordered.length > MOST_CATEGORIES ? MOST_CATEGORIES - 1 : MOST_CATEGORIES);
  const rest = ordered.slice(kept.length);
  const groupOf = new Map([...kept, ...rest].map(([name], at) => [name, Math.min(at, kept.length)]));
  const groups = new Int32Array(count).fill(-1);
  for (const [index, value] of values) groups[index] = groupOf.get(nameOf(value)) ?? -1;
  const names = kept.map(([name]) => name);
  const counts = kept.map(([, size]) => size);
  if (rest.length > 0) {
    names.push(`${grouped(rest.length)} others`);
    counts.push(rest.reduce((sum, [, size]) => sum + size, 0));
  }
  const colorOf = names.length > PALETTE ? manyColors : groupColor;
  return {
    by: colored(groups, colorOf),
    showLegend: (legend, theme) => legend.showGroups(theme, title, names, counts, colorOf),
  };
}

/** Colors for up to 36 groups: twelve hues, in three shades. */
function manyColors(theme, group) {
  const hue = (group * HUE_STEP) % PALETTE;
  const shade = Math.floor(group / PALETTE);
  const color = shadeColor(theme, hue, Math.min(shade, 1));
  if (shade < 2) return color;
  const towards = theme === "dark" ? 255 : 0; // the third shade stands out from the page most
  return color.map((part) => Math.round((part + towards) / 2));
}

function colored(groups, colorOfGroup) {
  const colorOf = (theme, i) => (
    groups[i] < 0 ? groupColor(theme, -1) : colorOfGroup(theme, groups[i])
  );
  return { groups, colorOf, opacityOf: (i) => (groups[i] < 0 ? FAINT : 255) };
}

function written(number) {
  return String(Number(number.toPrecision(4)));
}
