/** Words as points on a 2D canvas, for browsers without WebGL2: looks the same, but is slower. */

const SMALLEST = 1.1;

/**
 * The width of a point in pixels; the WebGL shader computes the same.
 * @param {number} pointSize of the most important word, in the center
 * @param {number} importance
 * @param {number} room 1 - |seen|²: 1 in the center, 0 at the rim
 */
export function pointWidth(pointSize, importance, room) {
  return Math.max(SMALLEST, pointSize * (0.3 + 0.7 * importance) * Math.max(0, room) ** 0.45);
}

export class CanvasPoints {
  constructor(canvas) {
    this.canvas = canvas;
    this.context = canvas.getContext("2d");
    this.renderer = "canvas";
    this.words = { x: [], y: [], importance: [] };
    this.styles = [];
  }

  setWords(words) {
    this.words = words;
  }

  setColors(rgba) {
    const names = new Map();
    this.styles = Array.from({ length: rgba.length / 4 }, (_, i) => {
      const [red, green, blue, alpha] = rgba.subarray(4 * i, 4 * i + 4);
      const name = `rgb(${red} ${green} ${blue} / ${alpha / 255})`;
      if (!names.has(name)) names.set(name, name);
      return names.get(name);
    });
  }

  draw({ view, radius, ratio, pointSize, opacity }) {
    const { context, canvas } = this;
    const { x, y, importance } = this.words;
    context.clearRect(0, 0, canvas.width, canvas.height);
    context.globalAlpha = opacity;
    const length = radius * ratio;
    for (let i = x.length - 1; i >= 0; i--) {
      const seen = view.of([x[i], y[i]]);
      const room = 1 - seen[0] * seen[0] - seen[1] * seen[1];
      const size = pointWidth(pointSize, importance[i], room) * ratio;
      const left = canvas.width / 2 + seen[0] * length;
      const top = canvas.height / 2 - seen[1] * length;
      if (left < 0 || top < 0 || left > canvas.width || top > canvas.height) continue;
      context.fillStyle = this.styles[i];
      if (size < 3 * ratio) {
        context.fillRect(left - size / 2, top - size / 2, size, size);
      } else {
        context.beginPath();
        context.arc(left, top, size / 2, 0, 2 * Math.PI);
        context.fill();
      }
    }
  }
}
