/** The keyboard focus while the contents of the panel are replaced. */

import { fill } from "hyperskip/dom";

/**
 * Replace the children of an element as `fill` does. If the focus is inside, it stays at its element, or
 * moves to the same position in the new list with the same name, on a ladder to the word of the new one, or
 * else to the heading.
 */
export function refill(host, ...children) {
  const focused = host.contains(document.activeElement) ? document.activeElement : null;
  const place = focused && placeOf(focused);
  fill(host, ...children);
  if (focused !== null) (focused.isConnected ? focused : at(host, place) ?? headingOf(host))?.focus();
}

/** Move the focus to the heading if its element has disappeared meanwhile. */
export function rescueFocus(host) {
  if (document.activeElement === document.body) headingOf(host)?.focus();
}

function headingOf(host) {
  return host.querySelector("h2");
}

/** The name of the list around a button, and the position of the button in it; null: on a ladder. */
function placeOf(button) {
  const list = button.closest(".near, .ladder");
  if (list === null) return null;
  const position = list.matches(".ladder") ? null : buttonsOf(list).indexOf(button);
  return { name: list.ariaLabel, position };
}

function at(host, place) {
  if (place === null) return undefined;
  const lists = [...host.querySelectorAll(".near, .ladder")];
  const list = lists.find(({ ariaLabel }) => ariaLabel === place.name);
  if (list === undefined) return undefined;
  if (place.position === null) return list.querySelector("[aria-current]");
  const buttons = buttonsOf(list);
  return buttons[Math.min(place.position, buttons.length - 1)];
}

function buttonsOf(list) {
  return [...list.querySelectorAll(".near-word")];
}
