/**
 * Colors of the largest regions: a hue for each, the same in the light and in the dark theme.
 *
 * Names of regions have a contrast of at least 4.5 with the page. Points have two other shades, by
 * which neighboring parts of a region differ. All are of even lightness in OKLCH.
 */

const NAMES = {
  light: [
    "#a12628", "#8b4501", "#735601", "#596106", "#086e1d", "#026b58", "#016770", "#0b6289", "#2d52b3",
    "#6441a9", "#85318b", "#9a265f",
  ],
  dark: [
    "#fea199", "#ffa666", "#edb417", "#bbc93c", "#75d87a", "#18dcb8", "#07d6e7", "#6bcafe", "#9ebdff",
    "#c3affe", "#f197f6", "#fe9ac2",
  ],
};
const SHADES = {
  light: [
    [
      "#c04442", "#af5a08", "#926e0a", "#737c0a", "#218b30", "#088871", "#12848e", "#0c7eae", "#456ed1",
      "#7d5cc7", "#a14da7", "#b84379",
    ],
    [
      "#e3645e", "#da720d", "#b78a0f", "#909c07", "#47ab4f", "#03aa8e", "#05a5b3", "#009edb", "#618df3",
      "#9b7be9", "#c26cc7", "#db6397",
    ],
  ],
  dark: [
    [
      "#f2716a", "#e87f25", "#c69612", "#9ca90d", "#54b85b", "#00b89a", "#19b3c1", "#03abec", "#6e9aff",
      "#a787f6", "#cf78d5", "#e96fa3",
    ],
    [
      "#d25450", "#c4660a", "#a57c04", "#818c09", "#359b40", "#11997f", "#0195a1", "#078ec4", "#537de2",
      "#8c6bd8", "#b25cb7", "#c95388",
    ],
  ],
};
export const HUES = NAMES.light.length;

/** The color of names in a hue, for CSS and canvases. */
export function nameColor(theme, hue) {
  return NAMES[theme][hue % HUES];
}

/** The color of points in a hue, as [red, green, blue]; there are two shades. */
export function shadeColor(theme, hue, shade) {
  const name = SHADES[theme][shade % 2][hue % HUES];
  return [1, 3, 5].map((at) => Number.parseInt(name.slice(at, at + 2), 16));
}
