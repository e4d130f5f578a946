/** The view as a file: a PNG image, or an SVG drawing whose text is text. Buttons are not in it. */

import { colorOf, drawPoint, eachPoint } from "hyperskip/canvas_points";
import { paintGround, paintOverlay } from "hyperskip/composition";
import { element } from "hyperskip/dom";
import { SvgContext } from "hyperskip/svg_context";

const ENLARGED = 2; // pixels of an image for each pixel of the screen
const MOST_PIXELS = 16e6; // in an image: some browsers have no larger canvases

/** @param {import("hyperskip/disc").Disc} disc */
export function svgOf(disc, title) {
  const { width, height } = disc.painter;
  const context = new SvgContext(width, height);
  paint(context, disc);
  return new Blob([context.toString(title)], { type: "image/svg+xml" });
}

/** @returns {Promise<Blob>} */
export function pngOf(disc) {
  const { painter } = disc;
  const [width, height] = pngSize(painter);
  const canvas = element("canvas", { width, height });
  const context = canvas.getContext("2d");
  context.scale(width / painter.width, height / painter.height);
  paint(context, disc);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob === null ? reject(new Error("the image is too large")) : resolve(blob)));
  });
}

/** Width and height of a saved image in pixels. */
export function pngSize({ width, height, ratio }) {
  const scale = Math.min(ENLARGED * ratio, Math.sqrt(MOST_PIXELS / (width * height)));
  return [width, height].map((length) => Math.max(1, Math.round(length * scale)));
}

/** Paint the view without the word under the pointer. */
function paint(context, disc) {
  const composition = disc.painter.compose({ ...disc.seen, hovered: -1 });
  const { width, height, inks } = composition.frame;
  context.fillStyle = inks.paper;
  context.fillRect(0, 0, width, height);
  paintGround(context, composition);
  paintPoints(context, composition, disc.shownColors);
  paintOverlay(context, composition);
}

/** Paint small points below large ones, and those that look the same together: SVG is shorter then. */
function paintPoints(context, { frame, opacity }, rgba) {
  const looks = new Map();
  eachPoint(frame.words, frame, (index, x, y, width, faint) => {
    const alpha = Math.round((100 * opacity * faint * rgba[4 * index + 3]) / 255) / 100;
    if (alpha === 0) return;
    const size = Math.ceil(width);
    const color = colorOf(rgba, index);
    const name = `${size} ${color} ${alpha}`;
    if (!looks.has(name)) looks.set(name, { size, color, alpha, points: [] });
    looks.get(name).points.push([x, y, width]);
  });
  for (const { color, alpha, points } of [...looks.values()].sort((a, b) => a.size - b.size)) {
    context.fillStyle = color;
    context.globalAlpha = alpha;
    for (const point of points) drawPoint(context, ...point);
  }
  context.globalAlpha = 1;
}
