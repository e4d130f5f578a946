/** Numbers as the page writes them. */

import { decimals } from "hyperskip/dom";

/** A number with decimals and a true minus sign. */
export function number(value, digits = 2) {
  const text = decimals(Math.abs(value), digits);
  return value < 0 && Number(text) !== 0 ? `−${text}` : text;
}

/** An angle in degrees. */
export function degrees(angle) {
  return `${number((angle * 180) / Math.PI, 1)}°`;
}

/** A factor, with fewer digits the larger it is. */
export function times(factor) {
  return `${number(factor, factor < 10 ? 2 : factor < 100 ? 1 : 0)}×`;
}
