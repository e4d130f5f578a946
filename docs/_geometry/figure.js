/**
 * A figure of the page: plots, controls and live numbers.
 *
 * A module of the page builds it and says how to show its state. That happens again after every change,
 * at most once in a frame. A screen reader hears one sentence when the user pauses.
 */

import { element } from "hyperskip/dom";
import { inksNow, whenInksChange } from "geometry/inks";
import { Disc } from "geometry/disc";
import { Paper } from "geometry/paper";

const PAUSE = 700; // milliseconds without a change

export class Figure {
  /** @param {HTMLElement} host contains the caption */
  constructor(host) {
    this.host = host;
    this.plots = [];
    this.values = []; // functions that show the values of sliders
    this.frame = 0;
    this.pause = 0;
    this.stage = element("div", { className: "plots" });
    this.controls = element("div", { className: "controls" });
    this.list = element("dl"); // without a class: furo styles others as signatures
    this.status = element("p", { className: "unseen", role: "status" });
    host.prepend(this.stage, this.controls, this.list);
    host.append(this.status);
    whenInksChange(() => this.redraw());
    new ResizeObserver(() => this.redraw()).observe(this.stage);
  }

  // -- parts

  /** @param {string} [heading] above the plot, if there are several */
  disc(description, heading) {
    return this.add(new Disc(description, () => this.change()), heading);
  }

  paper(description, heading) {
    return this.add(new Paper(description), heading);
  }

  /** @template {import("geometry/plot").Plot} P @param {P} plot @returns {P} */
  add(plot, heading) {
    this.plots.push(plot);
    const above = heading && element("p", { textContent: heading });
    this.stage.append(element("div", { className: "panel" }, above, plot.host));
    return plot;
  }

  /** A number that the user chooses. @returns {HTMLInputElement} */
  slider(name, { min, max, step, value, text = String }) {
    const output = element("span", { className: "value", "aria-hidden": "true" });
    const input = element("input", { type: "range", min, max, step });
    input.value = value;
    this.values.push(() => {
      output.textContent = text(input.valueAsNumber);
      input.ariaValueText = output.textContent;
    });
    input.addEventListener("input", () => this.change());
    this.controls.append(element("label", {}, element("span", {}, name, " ", output), input));
    return input;
  }

  button(name, act) {
    this.controls.append(element("button", { type: "button", textContent: name, on: { click: act } }));
  }

  /** A live number. @param {string} [ink] color of its value */
  number(name, ink) {
    const value = element("dd");
    if (ink) value.dataset.ink = ink;
    this.list.append(element("div", {}, element("dt", { textContent: name }), value));
    return value;
  }

  // -- changes

  /** @param {() => string} show updates plots and numbers, and returns a sentence about them */
  start(show) {
    this.show = show;
    for (const empty of [this.controls, this.list]) if (!empty.hasChildNodes()) empty.remove();
    this.redraw();
  }

  /** The user has changed something. */
  change() {
    clearTimeout(this.pause);
    this.pause = setTimeout(() => { this.status.textContent = this.show(); }, PAUSE);
    this.redraw();
  }

  redraw() {
    if (this.frame === 0) this.frame = requestAnimationFrame(() => this.draw());
  }

  draw() {
    this.frame = 0;
    const inks = inksNow();
    for (const [name, color] of Object.entries(inks)) this.host.style.setProperty(`--${name}`, color);
    this.show();
    for (const showValue of this.values) showValue();
    for (const plot of this.plots) plot.draw(inks);
    this.host.dataset.ready = "true";
  }
}
