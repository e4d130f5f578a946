/** The flat plane of a figure: squared paper, on which geodesics are straight. */

import { drawArrowHead } from "hyperskip/strokes";
import { View } from "hyperskip/view";
import { Plot } from "geometry/plot";

const ARROW = 10;

export class Paper extends Plot {
  /** Show this length from the middle to each side. */
  set extent(extent) {
    this.view = View.at([0, 0], 0, 1 / extent);
  }

  paint(context, frame) {
    const { inks, width, screen, scene } = frame;
    context.fillStyle = inks.plate;
    context.fillRect(0, 0, width, width);
    drawGrid(context, frame);
    scene.below?.(context, frame);
    for (const { from, to, ink, dash = [], width: thickness = 1.5, arrow = false } of scene.lines) {
      context.strokeStyle = inks[ink];
      context.fillStyle = inks[ink];
      context.lineWidth = thickness;
      context.setLineDash(dash);
      context.beginPath();
      context.moveTo(...screen(from));
      context.lineTo(...screen(to));
      context.stroke();
      if (arrow) drawArrowHead(context, screen, from, to, ARROW);
    }
    context.setLineDash([]);
  }
}

/** Draw lines at equal distances; few of them, whatever the scale is. */
function drawGrid(context, { inks, width, screen, radius }) {
  const unit = 2 ** Math.ceil(Math.log2(width / 10 / radius));
  const half = width / 2 / radius;
  context.strokeStyle = inks.ring;
  context.lineWidth = 1;
  context.beginPath();
  for (let at = -Math.floor(half / unit) * unit; at <= half; at += unit) {
    const [x, y] = screen([at, at]);
    context.moveTo(x, 0);
    context.lineTo(x, width);
    context.moveTo(0, y);
    context.lineTo(width, y);
  }
  context.stroke();
}
