/**
 * The view of the disc: a Möbius map z -> e^{i turn} (z - c)/(1 - conj(c) z), and a scale.
 *
 * The map is stored as (α, β), z -> (α z + β)/(conj(β) z + conj(α)) with |α|² - |β|² = 1, which
 * composes without loss of precision. Views are immutable.
 */

import { ORIGIN, carrier, distance, geodesic } from "hyperskip/geometry";

export const SMALLEST_SCALE = 0.5;
export const GREATEST_SCALE = 30;
const FARTHEST_CENTER = 18; // farther out, points coincide in double precision
const SEEN = new Float64Array(3); // scratch space of `of`

export class View {
  constructor(alpha, beta, scale) {
    this.alpha = alpha;
    this.beta = beta;
    this.scale = scale;
  }

  /** The view with the given center. */
  static at(center = ORIGIN, turn = 0, scale = 1) {
    const size = 1 / Math.sqrt(1 - center[0] * center[0] - center[1] * center[1]);
    const cosine = Math.cos(turn / 2) * size;
    const sine = Math.sin(turn / 2) * size;
    const beta = [sine * center[1] - cosine * center[0], -sine * center[0] - cosine * center[1]];
    return new View([cosine, sine], beta, scale);
  }

  /** The place in the center: -β/α. */
  get center() {
    return quotient([-this.beta[0], -this.beta[1]], this.alpha);
  }

  get turn() {
    const turn = 2 * Math.atan2(this.alpha[1], this.alpha[0]);
    return Math.atan2(Math.sin(turn), Math.cos(turn));
  }

  /** Where the view shows a place, in the unit disc. */
  of([x, y]) {
    this.write(x, y, SEEN);
    return [SEEN[0], SEEN[1]];
  }

  /**
   * Write the result of `of` into the first two values of `seen`, without making an array: this is
   * called for every word in every frame. The third is |conj(β) z + conj(α)|², by which 1 - |z|² is
   * divided.
   * @param {Float64Array} seen always of this type, as others would be slow
   */
  write(x, y, seen) {
    const { alpha, beta } = this;
    const overX = alpha[0] * x - alpha[1] * y + beta[0];
    const overY = alpha[0] * y + alpha[1] * x + beta[1];
    const underX = beta[0] * x + beta[1] * y + alpha[0];
    const underY = beta[0] * y - beta[1] * x - alpha[1];
    const square = underX * underX + underY * underY;
    seen[0] = (overX * underX + overY * underY) / square;
    seen[1] = (overY * underX - overX * underY) / square;
    seen[2] = square;
  }

  /** The place that the view shows at w. */
  placeAt(w) {
    return this.inverse().of(w);
  }

  inverse() {
    return new View(
      [this.alpha[0], -this.alpha[1]], [-this.beta[0], -this.beta[1]], this.scale,
    );
  }

  /** This map applied after another one. */
  after(other) {
    const [a, b] = this.alpha;
    const [c, d] = this.beta;
    const [p, q] = other.alpha;
    const [r, s] = other.beta;
    const alpha = [a * p - b * q + c * r + d * s, a * q + b * p + d * r - c * s];
    const beta = [a * r - b * s + c * p + d * q, a * s + b * r + d * p - c * q];
    const length = Math.hypot(alpha[0], alpha[1]);
    const shorter = Math.hypot(beta[0], beta[1]);
    const size = 1 / Math.sqrt((length - shorter) * (length + shorter));
    return new View(
      [alpha[0] * size, alpha[1] * size], [beta[0] * size, beta[1] * size], this.scale,
    );
  }

  /** The view moved so that the place shown at p is shown at q, without a rotation. */
  carrying(p, q) {
    const [x, y] = carrier(p, q);
    const moved = View.at([-x, -y], 0, this.scale).after(this);
    return distance(moved.center, ORIGIN) < FARTHEST_CENTER ? moved : this;
  }

  /** Views on the way to a place in the center, along the geodesic, by their share of it; or null. */
  journeyTo(place) {
    const seen = this.of(place);
    const length = distance(seen, ORIGIN);
    if (length < 1e-9) return null;
    const size = Math.hypot(seen[0], seen[1]);
    return (share) => {
      const left = Math.tanh(((1 - share) * length) / 2) / size;
      return this.carrying(seen, share === 1 ? ORIGIN : [seen[0] * left, seen[1] * left]);
    };
  }

  /** The view zoomed around a point of the unit disc, which keeps its position on the screen. */
  zoomed(factor, at = ORIGIN) {
    const wanted = this.scale * factor;
    const scale = Math.min(Math.max(wanted, SMALLEST_SCALE), GREATEST_SCALE);
    const shrink = this.scale / scale;
    const stays = [at[0] * shrink, at[1] * shrink];
    const inside = Math.hypot(at[0], at[1]) < 1 && Math.hypot(stays[0], stays[1]) < 0.999;
    const moved = inside ? this.carrying(at, stays) : this;
    return new View(moved.alpha, moved.beta, scale);
  }

  /** The view at a share of the way to another one; the center moves on a geodesic. */
  towards(other, share) {
    let turn = other.turn - this.turn;
    turn = Math.atan2(Math.sin(turn), Math.cos(turn));
    const scale = this.scale * (other.scale / this.scale) ** share;
    return View.at(geodesic(this.center, other.center, share), this.turn + turn * share, scale);
  }
}

function quotient(over, under) {
  const square = under[0] * under[0] + under[1] * under[1];
  return [
    (over[0] * under[0] + over[1] * under[1]) / square,
    (over[1] * under[0] - over[0] * under[1]) / square,
  ];
}
