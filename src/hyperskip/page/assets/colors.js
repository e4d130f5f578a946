/**
 * Colors of points by frequency, radius or group, for a light and for a dark page.
 *
 * Numbers use the part of viridis that contrasts with the page. Groups use Paul Tol's schemes "muted"
 * and "light" with three more colors, and repeat them if needed. Both suit all kinds of color vision.
 */

const RAMPS = {
  light: ["#440154", "#46327e", "#365c8d", "#277f8e", "#1fa187", "#4ac16d", "#94c840"],
  dark: ["#5563b8", "#3b7fb0", "#2a9d98", "#35b779", "#7ad151", "#c2df3a", "#fde725"],
};
const GROUPS = {
  light: [
    "#332288", "#cc6677", "#117733", "#4a9fd0", "#aa4499", "#999933", "#882255", "#44aa99", "#d0a52e",
    "#661100", "#6f86c9", "#858585",
  ],
  dark: [
    "#77aadd", "#ee8866", "#eedd88", "#ffaabb", "#99ddff", "#44bb99", "#bbcc33", "#cc99ee", "#dddddd",
    "#e05f7f", "#8f8fff", "#aaaa00",
  ],
};
const NO_GROUP = { light: "#9a9a94", dark: "#777b85" };
const OPACITY = 215;
const FAINT = 45; // opacity of points that are not emphasized
const EVEN = 0.5;

/** The color of a share between 0 and 1, as [red, green, blue]. */
export function rampColor(theme, share) {
  const ramp = RAMPS[theme];
  const at = Math.min(1, Math.max(0, share)) * (ramp.length - 1);
  const low = Math.min(ramp.length - 2, Math.floor(at));
  const first = channels(ramp[low]);
  const second = channels(ramp[low + 1]);
  return first.map((part, i) => Math.round(part + (second[i] - part) * (at - low)));
}

/** @param {number} group -1: no group */
export function groupColor(theme, group) {
  const colors = GROUPS[theme];
  return channels(group < 0 ? NO_GROUP[theme] : colors[group % colors.length]);
}

export function cssColor([red, green, blue]) {
  return `rgb(${red} ${green} ${blue})`;
}

/** Scale numbers to between 0 and 1, ignoring the outermost 1% on each side. */
export function shares(values) {
  const sorted = Float64Array.from(values).sort();
  const low = sorted[Math.floor(0.01 * (sorted.length - 1))];
  const high = sorted[Math.ceil(0.99 * (sorted.length - 1))];
  const span = high - low || 1;
  return Float32Array.from(values, (value) => Math.min(1, Math.max(0, (value - low) / span)));
}

/** The importance of words by count, 0 to 1; the same for all if counts are unknown. */
export function importanceOf(counts, total) {
  if (counts === null) return new Float32Array(total).fill(EVEN);
  const values = counts.map((count) => Math.log(count + 1));
  let low = Infinity;
  let high = -Infinity;
  for (const value of values) {
    low = Math.min(low, value);
    high = Math.max(high, value);
  }
  return Float32Array.from(values, (value) => (high > low ? (value - low) / (high - low) : 1));
}

/**
 * Return four bytes for each word.
 * @param {"light"|"dark"} theme
 * @param {{shares?: Float32Array, groups?: number[], colorOf?: (theme: string, i: number) => number[],
 *   opacityOf?: (i: number) => number}} by
 * @param {(index: number) => boolean} isShown
 */
export function pointColors(theme, by, isShown) {
  const count = (by.shares ?? by.groups).length;
  const rgba = new Uint8Array(4 * count);
  const steps = Array.from({ length: 256 }, (_, step) => rampColor(theme, step / 255));
  for (let i = 0; i < count; i++) {
    const color = by.shares ? steps[Math.round(255 * by.shares[i])] : colorInGroup(theme, by, i);
    rgba.set(color, 4 * i);
    rgba[4 * i + 3] = isShown(i) ? (by.opacityOf?.(i) ?? OPACITY) : 0;
  }
  return rgba;
}

/** The colors of points while some words are emphasized. @param {Set<number>} chosen none: all the same */
export function emphasized(rgba, chosen) {
  if (chosen.size === 0) return rgba;
  return rgba.map((value, at) => {
    if (at % 4 < 3 || value === 0) return value;
    return chosen.has((at - 3) / 4) ? 255 : FAINT;
  });
}

/** A function that returns the color of the edges of a word; few colors, as each is drawn at once. */
export function edgeColors(theme, by) {
  if (by.groups) {
    const known = new Map();
    return (i) => {
      const group = by.groups[i];
      if (!known.has(group)) known.set(group, cssColor(colorInGroup(theme, by, i)));
      return known.get(group);
    };
  }
  const steps = Array.from({ length: 16 }, (_, step) => cssColor(rampColor(theme, step / 15)));
  return (i) => steps[Math.round(15 * by.shares[i])];
}

function colorInGroup(theme, by, i) {
  return by.colorOf ? by.colorOf(theme, i) : groupColor(theme, by.groups[i]);
}

function channels(name) {
  return [1, 3, 5].map((at) => Number.parseInt(name.slice(at, at + 2), 16));
}
