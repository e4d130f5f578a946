/** The coloring of points in the explorer, which the user chooses, and its legend. */

import { importanceOf, pointColors, shares } from "hyperskip/colors";
import { element } from "hyperskip/dom";
import { Legend } from "hyperskip/legend";
import { Words } from "hyperskip/words";

const TITLES = { cluster: "Cluster", frequency: "Frequency", radius: "Radius" };

export class Coloring {
  /**
   * @param {import("hyperskip/disc").Disc} disc
   * @param {HTMLElement} legend
   * @param {HTMLSelectElement} select
   * @param {() => void} whenChosen
   */
  constructor(disc, legend, select, whenChosen) {
    this.disc = disc;
    this.select = select;
    this.chosen = null; // null: clusters
    this.theme = "light";
    this.legend = new Legend(legend, () => this.#paint());
    select.addEventListener("change", () => {
      this.choose(select.value);
      whenChosen();
    });
  }

  begin(model, points) {
    const importance = importanceOf(model.counts_known ? points.counts : null, points.words.length);
    this.clusters = model.clusters;
    this.values = {
      cluster: { groups: points.clusters },
      ...(model.counts_known && { frequency: { shares: importance } }),
      radius: { shares: shares(points.radii) },
    };
    this.disc.setWords(new Words(points.words, points.x, points.y, importance));
    this.select.replaceChildren(...Object.keys(this.values).map(
      (value) => element("option", { value, textContent: TITLES[value] }),
    ));
    this.#show();
  }

  get #name() {
    return this.chosen in this.values ? this.chosen : "cluster"; // a link may name another
  }

  /** @param {string|null} name */
  choose(name) {
    if (name === this.chosen) return;
    this.chosen = name;
    this.#show();
  }

  setTheme(theme) {
    this.theme = theme;
    this.#show();
  }

  #show() {
    if (this.values === undefined) return;
    const name = this.#name;
    this.select.value = name;
    if (name === "cluster") {
      const [names, sizes] = ["name", "size"].map((key) => this.clusters.map((c) => c[key]));
      this.legend.showGroups(this.theme, "Clusters", names, sizes);
    } else if (name === "frequency") {
      this.legend.showNumbers(this.theme, "Frequency", "rare", "frequent");
    } else {
      this.legend.showNumbers(this.theme, "Radius", "small", "large");
    }
    this.#paint();
  }

  #paint() {
    const by = this.values[this.#name];
    const { hidden } = this.legend;
    const isShown = (i) => by.groups === undefined || !hidden.has(by.groups[i]);
    this.disc.setColors(pointColors(this.theme, by, isShown));
  }
}
