/**
 * How the disc is seen: a Möbius map z -> e^{i turn} (z - c)/(1 - conj(c) z), and a scale.
 *
 * The map is kept as (α, β), z -> (α z + β)/(conj(β) z + conj(α)) with |α|² - |β|² = 1, which
 * composes without loss. Views do not change; every move makes a new one.
 */

import { ORIGIN, carrier, distance, geodesic } from "hyperskip/geometry";

export const SMALLEST_SCALE = 0.5;
export const GREATEST_SCALE = 30;
const FARTHEST_CENTRE = 18; // farther out, doubles no longer tell points apart

export class View {
  constructor(alpha, beta, scale) {
    this.alpha = alpha;
    this.beta = beta;
    this.scale = scale;
  }

  /** The view whose middle is `centre`. */
  static at(centre = ORIGIN, turn = 0, scale = 1) {
    const size = 1 / Math.sqrt(1 - centre[0] * centre[0] - centre[1] * centre[1]);
    const cosine = Math.cos(turn / 2) * size;
    const sine = Math.sin(turn / 2) * size;
    const beta = [sine * centre[1] - cosine * centre[0], -sine * centre[0] - cosine * centre[1]];
    return new View([cosine, sine], beta, scale);
  }

  /** The place in the middle: -β/α. */
  get centre() {
    return quotient([-this.beta[0], -this.beta[1]], this.alpha);
  }

  get turn() {
    const turn = 2 * Math.atan2(this.alpha[1], this.alpha[0]);
    return Math.atan2(Math.sin(turn), Math.cos(turn));
  }

  /** Where a place is seen, in the unit disc. */
  of(z) {
    const { alpha, beta } = this;
    return quotient(
      [alpha[0] * z[0] - alpha[1] * z[1] + beta[0], alpha[0] * z[1] + alpha[1] * z[0] + beta[1]],
      [beta[0] * z[0] + beta[1] * z[1] + alpha[0], beta[0] * z[1] - beta[1] * z[0] - alpha[1]],
    );
  }

  /** The place that is seen at w. */
  placeAt(w) {
    return this.inverse().of(w);
  }

  inverse() {
    return new View(
      [this.alpha[0], -this.alpha[1]], [-this.beta[0], -this.beta[1]], this.scale,
    );
  }

  /** This map after another one. */
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

  /** Moved so that what is seen at p is seen at q; nothing turns about the middle. */
  carrying(p, q) {
    const [x, y] = carrier(p, q);
    const moved = View.at([-x, -y], 0, this.scale).after(this);
    return distance(moved.centre, ORIGIN) < FARTHEST_CENTRE ? moved : this;
  }

  /** Enlarged about a point of the unit disc: what is seen there stays where it is on the screen. */
  zoomed(factor, at = ORIGIN) {
    const wanted = this.scale * factor;
    const scale = Math.min(Math.max(wanted, SMALLEST_SCALE), GREATEST_SCALE);
    const shrink = this.scale / scale;
    const stays = [at[0] * shrink, at[1] * shrink];
    const inside = Math.hypot(at[0], at[1]) < 1 && Math.hypot(stays[0], stays[1]) < 0.999;
    const moved = inside ? this.carrying(at, stays) : this;
    return new View(moved.alpha, moved.beta, scale);
  }

  /** A share of the way to another view, the middle on a geodesic. */
  towards(other, share) {
    let turn = other.turn - this.turn;
    turn = Math.atan2(Math.sin(turn), Math.cos(turn));
    const scale = this.scale * (other.scale / this.scale) ** share;
    return View.at(geodesic(this.centre, other.centre, share), this.turn + turn * share, scale);
  }
}

function quotient(over, under) {
  const square = under[0] * under[0] + under[1] * under[1];
  return [
    (over[0] * under[0] + over[1] * under[1]) / square,
    (over[1] * under[0] - over[0] * under[1]) / square,
  ];
}
