/** The Poincaré disc of a figure, with points that can be dragged. */

import { element } from "hyperskip/dom";
import { ORIGIN, translate, within } from "hyperskip/geometry";
import { listen } from "hyperskip/gestures";
import { drawGround } from "hyperskip/ground";
import { Motion } from "hyperskip/motion";
import { drawLines } from "hyperskip/overlay";
import { Plot } from "geometry/plot";

const FARTHEST = 0.995; // of points that are dragged; this is a distance of 6
const RIM = 0.9995; // of the background
const FINENESS = 0.3; // a key moves a point by this share of a step of the explorer
const JOURNEY = 650; // milliseconds

export class Disc extends Plot {
  /** @param {() => void} changed is called when the user has moved something */
  constructor(description, changed) {
    super(description);
    this.changed = changed;
    this.points = [];
    this.rings = undefined; // those at whole distances
  }

  paint(context, frame) {
    const edges = { draw: () => frame.scene.below?.(context, frame) };
    drawGround(context, { ...frame, edges, rings: this.rings }, 1, () => {});
    drawLines(context, frame);
    for (const point of this.points) point.show(frame);
  }

  get obstacles() {
    return this.points.map((point) => point.box);
  }

  /**
   * Add a point that the user can move.
   * @param {string} letter on the point
   * @param {{name?: string, farthest?: number, moved?: (place: number[]) => void}} [how]
   *   moved: replaces the default, which is to store the place
   */
  point(letter, place, ink, how = {}) {
    const point = new DraggedPoint(this, letter, place, ink, how);
    this.points.push(point);
    this.host.append(point.button);
    return point;
  }

  /** Let the user move the whole disc. */
  allowMoves(name) {
    let grabbed = null;
    const motion = new Motion();
    const show = (view) => {
      this.view = view;
      this.changed();
    };
    this.host.classList.add("movable");
    Object.assign(this.host, { tabIndex: 0, role: "application", ariaLabel: name });
    listen(this.host, {
      grab: (at) => {
        motion.stop();
        const seen = this.seenAt(at);
        grabbed = Math.hypot(...seen) < 1 ? this.view.placeAt(seen) : null;
      },
      drag: (at) => {
        if (grabbed === null) return;
        show(this.view.carrying(this.view.of(grabbed), within(this.seenAt(at), RIM)));
      },
      tap: (at) => {
        const seen = this.seenAt(at);
        if (Math.hypot(...seen) >= 1) return;
        const journey = this.view.journeyTo(this.view.placeAt(seen));
        if (journey !== null) motion.run(JOURNEY, (share) => show(journey(share)));
      },
      step: ([x, y], length) => {
        motion.stop();
        const reach = Math.tanh(length / 2);
        show(this.view.carrying([x * reach, y * reach], ORIGIN));
      },
    });
  }

  /** A position on the page as a point of the unit disc; may be outside of it. */
  seenAt([clientX, clientY]) {
    const box = this.host.getBoundingClientRect();
    return [
      (clientX - box.left - box.width / 2) / this.radius,
      (box.top + box.height / 2 - clientY) / this.radius,
    ];
  }
}

class DraggedPoint {
  constructor(disc, letter, place, ink, { name = `Point ${letter}`, farthest = FARTHEST, moved }) {
    this.place = place;
    this.ink = ink;
    this.button = element(
      "button",
      { type: "button", className: "point", "aria-label": name, "aria-description": "Arrow keys move it." },
      element("span", { textContent: letter }),
    );
    this.button.dataset.ink = ink;
    let offset = [0, 0]; // from the pointer to the middle of the point
    const move = (target) => {
      const allowed = within(target, farthest);
      if (moved) moved(allowed);
      else this.place = allowed;
      disc.changed();
    };
    listen(this.button, {
      grab: (at) => {
        const box = this.button.getBoundingClientRect();
        offset = [box.left + box.width / 2 - at[0], box.top + box.height / 2 - at[1]];
      },
      drag: ([x, y]) => move(disc.seenAt([x + offset[0], y + offset[1]])),
      step: ([x, y], length) => {
        const reach = Math.tanh((FINENESS * length) / 2);
        move(translate([x * reach, y * reach], [-this.place[0], -this.place[1]]));
      },
    });
  }

  /** Put the button where the point is. */
  show({ screen, view }) {
    const [x, y] = screen(view.of(this.place));
    Object.assign(this.button.style, { left: `${x}px`, top: `${y}px` });
    this.button.dataset.place = this.place.join(" ");
    this.box = { left: x - 14, top: y - 14, width: 28, height: 28 };
  }
}
