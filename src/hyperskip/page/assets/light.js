/**
 * The density of words as soft light under the points: a glow in the hue of each of the smallest regions.
 *
 * The glow of a region is a hyperbolic circle that reaches to the regions around it. The denser the words,
 * the brighter it is. Glows are drawn from one picture for each hue, on a small canvas that is enlarged, so a
 * frame costs little.
 */

import { cssColor } from "hyperskip/colors";
import { circle, distance } from "hyperskip/geometry";
import { shadeColor } from "hyperskip/hues";

const AROUND = 3; // neighboring regions that a glow reaches
const PICTURE = 64; // pixels
const BRIGHTEST = { light: 0.14, dark: 0.2 }; // opacity
const SMALLEST = 3; // pixels: smaller glows are left out
const COARSE = 8; // pixels of the disc for each pixel of the small canvas

export class Light {
  constructor() {
    this.small = document.createElement("canvas").getContext("2d");
    this.pictures = new Map(); // by theme and hue
    this.regions = null;
    this.glows = [];
  }

  /**
   * @param {CanvasRenderingContext2D} context clipped to the disc
   * @param {{view: import("hyperskip/view").View, screen: Function, radius: number, width: number,
   *   height: number}} frame
   * @param {{named: import("hyperskip/regions").Regions, theme: "light"|"dark"}} regions
   * @param {number} opacity of the points
   */
  draw(context, { view, screen, radius, width, height }, { named, theme }, opacity) {
    if (named !== this.regions) {
      this.regions = named;
      this.glows = glowsOf(named.finest);
    }
    const { small } = this;
    const [columns, rows] = [width, height].map((size) => Math.ceil(size / COARSE));
    if (columns === 0 || rows === 0) return; // the disc is hidden
    Object.assign(small.canvas, { width: columns, height: rows }); // clears it
    small.scale(1 / COARSE, 1 / COARSE);
    for (const { place, reach, brightness, hue } of this.glows) {
      const round = circle(view.of(place), reach);
      const size = round.radius * radius;
      if (size < SMALLEST) continue;
      const [x, y] = screen(round.center);
      small.globalAlpha = BRIGHTEST[theme] * brightness;
      small.drawImage(this.#picture(theme, hue), x - size, y - size, 2 * size, 2 * size);
    }
    context.globalAlpha = opacity;
    context.drawImage(small.canvas, 0, 0, columns * COARSE, rows * COARSE);
    context.globalAlpha = 1;
  }

  /** A round glow that fades out. */
  #picture(theme, hue) {
    const name = `${theme} ${hue}`;
    if (!this.pictures.has(name)) {
      const canvas = document.createElement("canvas");
      Object.assign(canvas, { width: PICTURE, height: PICTURE });
      const context = canvas.getContext("2d");
      const middle = PICTURE / 2;
      const fade = context.createRadialGradient(middle, middle, 0, middle, middle, middle);
      const color = cssColor(shadeColor(theme, hue, 1));
      for (const [at, share] of [[0, 1], [0.35, 0.7], [0.7, 0.22], [1, 0]]) {
        fade.addColorStop(at, color.replace(")", ` / ${share})`));
      }
      context.fillStyle = fade;
      context.fillRect(0, 0, PICTURE, PICTURE);
      this.pictures.set(name, canvas);
    }
    return this.pictures.get(name);
  }
}

/** Where each region glows, how far, and how brightly: 1 is the densest. */
function glowsOf(regions) {
  const glows = regions.map(({ place, size, hue }) => {
    const away = regions.map((other) => distance(place, other.place)).sort((a, b) => a - b);
    const reach = away[Math.min(AROUND, away.length - 1)] || 1;
    return { place, reach, hue, density: size / (Math.cosh(reach) - 1) };
  });
  const sorted = glows.map(({ density }) => density).sort((a, b) => a - b);
  const dense = sorted[Math.floor(0.9 * (sorted.length - 1))] || 1;
  return glows.map((glow) => ({ ...glow, brightness: Math.min(1, (glow.density / dense) ** 0.5) }));
}
