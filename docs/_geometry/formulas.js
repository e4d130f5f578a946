/**
 * Formulas of the figures: tangent vectors, the hyperboloid, triangles and circles.
 *
 * Points are those of the disc. It shows angles as they are, so a tangent vector is its angle on the
 * disc and its hyperbolic length. The tests compare these functions with hyperskip.geometry.
 */

import { distance, room, translate } from "hyperskip/geometry";

/** @typedef {{angle: number, length: number}} Arrow */

/** The tangent vector at p that leads to q. @returns {Arrow} */
export function logarithm(p, q) {
  const [x, y] = translate(q, p);
  return { angle: Math.atan2(y, x), length: distance(p, q) };
}

/** The point that a tangent vector at p leads to. @param {Arrow} arrow */
export function exponential(p, { angle, length }) {
  const reach = Math.tanh(length / 2);
  return translate([reach * Math.cos(angle), reach * Math.sin(angle)], [-p[0], -p[1]]);
}

/** The angle by which the disc shows a vector turned that is carried from p to q. */
export function turnOnTheWay(p, q) {
  // The transport multiplies by (1 - q conj(p))/(1 - conj(q) p).
  const along = p[0] * q[0] + p[1] * q[1];
  const across = p[1] * q[0] - p[0] * q[1];
  return 2 * Math.atan2(across, 1 - along);
}

/** Parallel transport along the geodesic from p to q. @param {Arrow} arrow at p */
export function transport(p, q, { angle, length }) {
  return { angle: angle + turnOnTheWay(p, q), length };
}

/** The point z with a : b = c : z. The relation of a and b is carried to c (route Z). */
export function analogy(a, b, c) {
  return exponential(c, transport(a, c, logarithm(a, b)));
}

/** The coordinates on the hyperboloid: two spatial ones, then time. */
export function onHyperboloid(z) {
  const left = room(z);
  return [(2 * z[0]) / left, (2 * z[1]) / left, (2 - left) / left];
}

/** The Minkowski product of two points of the hyperboloid. */
export function minkowskiDot(p, q) {
  return p[0] * q[0] + p[1] * q[1] - p[2] * q[2];
}

/** An angle between -π and π. */
export function between(angle) {
  return Math.atan2(Math.sin(angle), Math.cos(angle));
}

/** The angles of a triangle, and its area on the unit hyperboloid. */
export function triangle(corners) {
  const angles = corners.map((corner, i) => {
    const [next, last] = [corners[(i + 1) % 3], corners[(i + 2) % 3]];
    return Math.abs(between(logarithm(corner, next).angle - logarithm(corner, last).angle));
  });
  return { angles, area: Math.PI - angles[0] - angles[1] - angles[2] };
}

/** The circumference of a circle in a space of curvature -c. */
export function circumference(radius, c) {
  return (2 * Math.PI * Math.sinh(Math.sqrt(c) * radius)) / Math.sqrt(c);
}

/** The area of a circle in a space of curvature -c. */
export function circleArea(radius, c) {
  return (4 * Math.PI * Math.sinh((Math.sqrt(c) * radius) / 2) ** 2) / c;
}
