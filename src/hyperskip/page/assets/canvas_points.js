/** Words as points on a 2D canvas: for browsers without WebGL2, where it is slower, and for saved views. */

const SMALLEST = 1.1;
const FAINTEST = 0.22; // opacity of points that would be much smaller
const PINNED = 6.6; // smallest width of words that the user has brought, whose importance is above 1

/**
 * The width of a point in pixels; the WebGL shader computes the same.
 * @param {number} pointSize of the most important word, in the center
 * @param {number} importance 0 to 1; more for a word that is never small
 * @param {number} room 1 - |seen|²: 1 in the center, 0 at the rim
 */
export function pointWidth(pointSize, importance, room) {
  return Math.max(smallestWidth(importance), wantedWidth(pointSize, importance, room));
}

function smallestWidth(importance) {
  return importance > 1 ? PINNED : SMALLEST;
}

function wantedWidth(pointSize, importance, room) {
  return pointSize * (0.3 + 0.7 * importance) * Math.max(0, room) ** 0.45;
}

/**
 * Call `paint` for each point on the screen, the last words first: frequent ones are on top.
 * @param {import("hyperskip/words").Words} words
 * @param {{view: import("hyperskip/view").View, radius: number, width: number, height: number,
 *   pointSize: number}} frame
 * @param {(index: number, x: number, y: number, width: number, opacity: number) => void} paint
 */
export function eachPoint(words, { view, radius, width, height, pointSize }, paint) {
  const seen = new Float64Array(3);
  for (let i = words.x.length - 1; i >= 0; i--) {
    view.write(words.x[i], words.y[i], seen);
    const x = width / 2 + radius * seen[0];
    const y = height / 2 - radius * seen[1];
    if (x < -pointSize || y < -pointSize || x > width + pointSize || y > height + pointSize) continue;
    const room = 1 - seen[0] * seen[0] - seen[1] * seen[1];
    const importance = words.importance[i];
    const wanted = wantedWidth(pointSize, importance, room);
    const opacity = importance > 1 ? 1 : Math.min(1, Math.max(FAINTEST, wanted / SMALLEST));
    paint(i, x, y, Math.max(smallestWidth(importance), wanted), opacity);
  }
}

/** The color of a word of `rgba`, without its opacity. */
export function colorOf(rgba, index) {
  return `rgb(${rgba[4 * index]} ${rgba[4 * index + 1]} ${rgba[4 * index + 2]})`;
}

export function drawPoint(context, x, y, width) {
  context.beginPath();
  context.arc(x, y, width / 2, 0, 2 * Math.PI);
  context.fill();
}

export class CanvasPoints {
  constructor(canvas) {
    this.canvas = canvas;
    this.context = canvas.getContext("2d");
    this.renderer = "canvas";
    this.words = { x: [], y: [], importance: [] };
    this.rgba = new Uint8Array();
    this.styles = [];
  }

  setWords(words) {
    this.words = words;
  }

  setColors(rgba) {
    const names = new Map();
    this.rgba = rgba;
    this.styles = Array.from({ length: rgba.length / 4 }, (_, i) => {
      const name = colorOf(rgba, i);
      if (!names.has(name)) names.set(name, name);
      return names.get(name);
    });
  }

  draw({ view, radius, ratio, pointSize, opacity }) {
    const { context, canvas, rgba } = this;
    const [width, height] = [canvas.width / ratio, canvas.height / ratio];
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    eachPoint(this.words, { view, radius, width, height, pointSize }, (i, x, y, wide, faint) => {
      context.globalAlpha = (opacity * faint * rgba[4 * i + 3]) / 255;
      context.fillStyle = this.styles[i];
      if (wide < 3) context.fillRect(x - wide / 2, y - wide / 2, wide, wide);
      else drawPoint(context, x, y, wide);
    });
  }
}
