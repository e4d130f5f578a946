/** Translates input on the disc (mouse, pen, touch, wheel and keys) into actions. */

const CLICK_REACH = 5; // pixels that a pointer may move during a click
const WHEEL_STEP = 0.0016;
const KEY_STEP = 0.35; // hyperbolic distance
const KEY_ZOOM = 1.25;
const ZOOMS = { "+": KEY_ZOOM, "=": KEY_ZOOM, "-": 1 / KEY_ZOOM, _: 1 / KEY_ZOOM };
const ARROWS = {
  ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1],
};

/**
 * @param {HTMLElement} surface
 * @param {{grab: Function, drag: Function, zoom?: Function, tap?: Function,
 *   hover?: Function, leave?: Function, reset?: Function, step?: Function, choose?: Function,
 *   deselect?: Function}} act
 *   positions are [clientX, clientY]; the browser handles the input of actions that are missing
 */
export function listen(surface, act) {
  const pointers = new Map();
  let start = null;
  let moved = false;

  surface.addEventListener("pointerdown", (event) => {
    if (event.pointerType === "mouse" && event.button !== 0) return;
    surface.setPointerCapture(event.pointerId);
    pointers.set(event.pointerId, [event.clientX, event.clientY]);
    if (pointers.size === 1) {
      start = [event.clientX, event.clientY];
      moved = false;
    } else {
      moved = true;
    }
    act.grab(middle(pointers));
  });

  surface.addEventListener("pointermove", (event) => {
    const at = [event.clientX, event.clientY];
    if (!pointers.has(event.pointerId)) {
      if (event.pointerType !== "touch") act.hover?.(at);
      return;
    }
    const before = spread(pointers);
    pointers.set(event.pointerId, at);
    if (!moved && Math.hypot(at[0] - start[0], at[1] - start[1]) <= CLICK_REACH) return;
    moved = true;
    act.drag(middle(pointers));
    const now = spread(pointers);
    if (before > 0 && now > 0) act.zoom?.(now / before, middle(pointers));
  });

  const release = (event) => {
    if (!pointers.delete(event.pointerId)) return;
    if (pointers.size > 0) {
      act.grab(middle(pointers));
    } else if (!moved && event.type === "pointerup") {
      act.tap?.([event.clientX, event.clientY], event.pointerType);
    }
  };
  surface.addEventListener("pointerup", release);
  surface.addEventListener("pointercancel", release);
  surface.addEventListener("pointerleave", () => act.leave?.());
  surface.addEventListener("dblclick", () => act.reset?.());

  if (act.zoom) surface.addEventListener("wheel", (event) => {
    event.preventDefault();
    const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1;
    const pinched = event.ctrlKey ? 6 : 1; // a pinch on a touchpad
    act.zoom(Math.exp(-event.deltaY * lines * pinched * WHEEL_STEP), [event.clientX, event.clientY]);
  }, { passive: false });

  surface.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const direction = ARROWS[event.key];
    const further = event.shiftKey ? 3 : 1;
    if (direction && act.step) act.step(direction, KEY_STEP * further);
    else if (ZOOMS[event.key] && act.zoom) act.zoom(ZOOMS[event.key], null);
    else if (event.key === "Enter" && act.choose) act.choose();
    else if (event.key === "Escape" && act.deselect) act.deselect();
    else return;
    event.preventDefault();
  });
}

function middle(pointers) {
  let x = 0;
  let y = 0;
  for (const [clientX, clientY] of pointers.values()) {
    x += clientX / pointers.size;
    y += clientY / pointers.size;
  }
  return [x, y];
}

/** The distance between two fingers; 0 if there are not two. */
function spread(pointers) {
  if (pointers.size !== 2) return 0;
  const [[x, y], [otherX, otherY]] = pointers.values();
  return Math.hypot(x - otherX, y - otherY);
}
