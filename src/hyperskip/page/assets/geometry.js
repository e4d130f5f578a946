/**
 * Geometry of the Poincaré disc in double precision; a point is [x, y] inside the unit circle.
 *
 * The tests compare it with hyperskip.geometry.
 */

/** @typedef {[number, number]} Point */

/** @type {Point} */
export const ORIGIN = [0, 0];

/** 1 - |z|², which is 0 at the rim. */
export function room(z) {
  const length = Math.hypot(z[0], z[1]);
  return (1 - length) * (1 + length);
}

/** A point, moved towards the origin if it is farther out than `farthest`. */
export function within(z, farthest) {
  const length = Math.hypot(z[0], z[1]);
  return length < farthest ? z : [(z[0] * farthest) / length, (z[1] * farthest) / length];
}

/** (z - c)/(1 - conj(c) z): the disc moved so that c comes to the origin. */
export function translate(z, c) {
  const real = 1 - (c[0] * z[0] + c[1] * z[1]);
  const imaginary = c[1] * z[0] - c[0] * z[1];
  const square = real * real + imaginary * imaginary;
  const x = z[0] - c[0];
  const y = z[1] - c[1];
  return [(x * real + y * imaginary) / square, (y * real - x * imaginary) / square];
}

/** Hyperbolic distance. */
export function distance(z, w) {
  const apart = Math.hypot(z[0] - w[0], z[1] - w[1]);
  return 2 * Math.asinh(apart / Math.sqrt(room(z) * room(w)));
}

/** The point at the share t of the way from a to b, at constant speed. */
export function geodesic(a, b, t) {
  if (t > 0.5) return geodesic(b, a, 1 - t); // starting at the nearer end loses less to rounding
  const direction = translate(b, a);
  const length = Math.hypot(direction[0], direction[1]);
  if (length === 0) return [a[0], a[1]];
  const reach = Math.tanh((t * distance(a, b)) / 2) / length;
  return translate([direction[0] * reach, direction[1] * reach], [-a[0], -a[1]]);
}

/** The translation with the origin on its axis that moves p to q, as the image of the origin. */
export function carrier(p, q) {
  // (p + d)/(1 + conj(d) p) = q, that is d - pq conj(d) = q - p, solved for d.
  const x = q[0] - p[0];
  const y = q[1] - p[1];
  const real = p[0] * q[0] - p[1] * q[1];
  const imaginary = p[0] * q[1] + p[1] * q[0];
  const rest = 1 - (real * real + imaginary * imaginary);
  return [(x + real * x + imaginary * y) / rest, (y + imaginary * x - real * y) / rest];
}

/** The hyperbolic circle around a center, as a Euclidean circle. */
export function circle(center, radius) {
  const length = Math.hypot(center[0], center[1]);
  const away = 2 * Math.atanh(length);
  const far = Math.tanh((away + radius) / 2);
  const near = Math.tanh((away - radius) / 2);
  const middle = length === 0 ? 0 : (far + near) / 2 / length;
  return { center: [center[0] * middle, center[1] * middle], radius: (far - near) / 2 };
}

/**
 * The Euclidean circle that contains the geodesic through two points; null if it is practically
 * straight.
 */
export function geodesicCircle(a, b) {
  const cross = 2 * (a[0] * b[1] - a[1] * b[0]);
  const first = 1 + a[0] * a[0] + a[1] * a[1];
  const second = 1 + b[0] * b[0] + b[1] * b[1];
  const x = first * b[1] - second * a[1];
  const y = second * a[0] - first * b[0];
  if (Math.abs(cross) < 1e-3 * Math.hypot(x, y)) return null;
  const center = [x / cross, y / cross];
  return { center, radius: Math.hypot(a[0] - center[0], a[1] - center[1]) };
}

/** The centroid of points: their sum on the hyperboloid, projected back onto it. */
export function centroid(points) {
  let x = 0;
  let y = 0;
  let time = 0;
  for (const point of points) {
    const left = room(point);
    x += (2 * point[0]) / left;
    y += (2 * point[1]) / left;
    time += (1 + point[0] * point[0] + point[1] * point[1]) / left;
  }
  const length = Math.hypot(x, y);
  const norm = time + Math.sqrt((time - length) * (time + length));
  return [x / norm, y / norm];
}
