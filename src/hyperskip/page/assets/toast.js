/** A short message in a corner of the map: labels of words make room for it, and clicks go through. */

const SHOWN = 1800; // milliseconds

export class Toast {
  /** @param {HTMLElement} host @param {(text: string) => void} announce for screen readers */
  constructor(host, announce) {
    this.host = host;
    this.announce = announce;
    this.timer = 0;
  }

  show(message) {
    this.announce(message);
    this.host.textContent = message;
    this.host.hidden = false;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => { this.host.hidden = true; }, SHOWN);
  }
}
