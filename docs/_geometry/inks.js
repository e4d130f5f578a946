/** Colors of the figures, which follow the light or dark theme of the page. */

import { nameColor } from "hyperskip/hues";

const DARK = matchMedia("(prefers-color-scheme: dark)");
const HUES = { accent: 8, second: 1, third: 4, fourth: 10 };
const NEUTRAL = {
  light: {
    ink: "#23252b", muted: "#5c6069", plate: "#fffefa", ring: "#e9e5d8", rim: "#b9b3a3",
    faint: "#b5af9f",
  },
  dark: {
    ink: "#eceae4", muted: "#a2a7b3", plate: "#1b1f27", ring: "#2b313c", rim: "#5a6272",
    faint: "#5f687a",
  },
};

/** The theme that the page has now. @returns {"light"|"dark"} */
function themeNow() {
  const chosen = document.body.dataset.theme;
  return chosen === "light" || chosen === "dark" ? chosen : DARK.matches ? "dark" : "light";
}

/** The colors by name. */
export function inksNow() {
  const theme = themeNow();
  const hues = Object.entries(HUES).map(([name, hue]) => [name, nameColor(theme, hue)]);
  return { ...NEUTRAL[theme], ...Object.fromEntries(hues) };
}

/** Call a function whenever the colors change. */
export function whenInksChange(act) {
  DARK.addEventListener("change", act);
  new MutationObserver(act).observe(document.body, { attributeFilter: ["data-theme"] });
}
