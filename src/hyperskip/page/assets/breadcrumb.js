/** The regions around the middle of the view, from large to small; a press moves to one of them. */

import { element } from "hyperskip/dom";
import { nameColor } from "hyperskip/hues";

export class Breadcrumb {
  /** @param {import("hyperskip/disc").Disc} disc */
  constructor(disc) {
    this.disc = disc;
    this.list = element("ol", { className: "crumbs" });
    this.host = element("nav", { "aria-label": "Region in the middle of the map" }, this.list);
    this.shown = null; // names of the regions
    disc.addEventListener("view", () => this.#update());
  }

  /** @param {import("hyperskip/regions").Regions} regions @param {"light"|"dark"} theme */
  show(regions, theme) {
    this.regions = regions;
    this.theme = theme;
    this.shown = null;
    this.#update();
  }

  #update() {
    if (this.regions === undefined || !this.host.isConnected) return;
    const path = this.regions.around(this.disc.center);
    const names = path.map(({ name }) => name).join("/");
    if (names === this.shown) return;
    this.shown = names;
    this.list.replaceChildren(...path.map((region) => this.#crumb(region)));
  }

  /** Move to a place of the map; a listener of the event closes the lens first. */
  #goTo(place) {
    this.disc.dispatchEvent(new CustomEvent("travel"));
    this.disc.moveTo(place);
  }

  #crumb(region) {
    const button = element(
      "button",
      {
        type: "button", className: "crumb", title: `Move to ${region.name}`,
        on: { click: () => this.#goTo(region.place) },
      },
      element("bdi", { textContent: region.name }),
    );
    button.style.color = nameColor(this.theme, region.hue);
    return element("li", {}, button);
  }
}
