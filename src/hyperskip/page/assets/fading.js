/** Pictures of points that fade away or appear, unless the user prefers reduced motion. */

import { element } from "hyperskip/dom";
import { prefersReducedMotion } from "hyperskip/motion";

/** Leave a picture of the points of a disc that fades away. @param {import("hyperskip/disc").Disc} disc */
export function leaveGhost(disc) {
  if (prefersReducedMotion()) return;
  disc.draw(); // the drawing buffer of WebGL is valid until the end of this task only
  const points = disc.painter.layers[1];
  const ghost = element("canvas", { className: "layer ghost", "aria-hidden": "true" });
  Object.assign(ghost, { width: points.width, height: points.height });
  ghost.getContext("2d").drawImage(points, 0, 0);
  ghost.addEventListener("animationend", () => ghost.remove());
  points.before(ghost);
}

/** Let a canvas appear. @param {HTMLCanvasElement} canvas */
export function appear(canvas) {
  if (prefersReducedMotion()) return;
  canvas.addEventListener("animationend", () => canvas.classList.remove("appearing"), { once: true });
  canvas.classList.add("appearing");
}
