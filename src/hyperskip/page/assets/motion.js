/** Animations of the view, which end immediately if the user prefers reduced motion. */

export function prefersReducedMotion() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

export class Motion {
  constructor() {
    this.request = 0;
  }

  get running() {
    return this.request !== 0;
  }

  stop() {
    cancelAnimationFrame(this.request);
    this.request = 0;
  }

  /**
   * Call `show` with a share that increases smoothly from 0 to 1.
   * @param {number} milliseconds
   * @param {(share: number) => void} show
   * @param {{even?: boolean}} [how] even: at constant speed
   */
  run(milliseconds, show, { even = false } = {}) {
    this.stop();
    if (prefersReducedMotion()) {
      show(1);
      return;
    }
    let begin = null;
    const step = (now) => {
      begin ??= now;
      const time = Math.min(1, (now - begin) / milliseconds);
      this.request = time < 1 ? requestAnimationFrame(step) : 0;
      show(even ? time : time * time * (3 - 2 * time));
    };
    this.request = requestAnimationFrame(step);
  }
}
