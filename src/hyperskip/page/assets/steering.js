/** How pointers and keys move the disc and choose its words. */

import { ORIGIN, within } from "hyperskip/geometry";
import { listen } from "hyperskip/gestures";

const FINGER_REACH = 26; // pixels
const RIM = 0.9995; // limit of a point that is dragged beyond the disc

/** @param {import("hyperskip/disc").Disc} disc */
export function steer(disc) {
  let grabbed = null;
  const choose = (index) => disc.dispatchEvent(new CustomEvent("choose", { detail: index }));
  listen(disc.host, {
    grab: (at) => {
      disc.motion.stop();
      grabbed = disc.placeAt(at);
    },
    drag: (at) => {
      if (grabbed === null) return;
      disc.hover(-1);
      disc.show(disc.view.carrying(disc.view.of(grabbed), within(disc.seenAt(at), RIM)));
    },
    zoom: (factor, at) => disc.zoom(factor, at),
    tap: (at, kind) => choose(kind === "touch" ? disc.wordAt(at, FINGER_REACH) : disc.wordAt(at)),
    hover: (at) => disc.hover(disc.wordAt(at)),
    leave: () => disc.hover(-1),
    reset: () => disc.reset(),
    step: ([x, y], length) => {
      disc.motion.stop();
      const reach = Math.tanh(length / 2);
      disc.show(disc.view.carrying([x * reach, y * reach], ORIGIN));
    },
    choose: () => choose(disc.nearest(ORIGIN, 2)),
    deselect: () => choose(-1),
  });
}
