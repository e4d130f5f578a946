/** The coloring of points in the explorer, which the user chooses, and its legend. */

import { Breadcrumb } from "hyperskip/breadcrumb";
import { edgeColors, importanceOf, pointColors, shares } from "hyperskip/colors";
import { element } from "hyperskip/dom";
import { Edges } from "hyperskip/edges";
import { shadeColor } from "hyperskip/hues";
import { Legend } from "hyperskip/legend";
import { Regions } from "hyperskip/regions";
import { Words } from "hyperskip/words";

const TITLES = {
  own: "Your words", branch: "Branch", depth: "Depth", cluster: "Region", frequency: "Frequency",
  radius: "Radius",
};

const PINNED = 1.1; // importance of words of the user: their points are never small

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
    this.chosen = null; // null: the first one
    this.own = null; // words of the user
    this.theme = "light";
    this.columns = {};
    this.legend = new Legend(legend, () => this.#paint());
    this.breadcrumb = new Breadcrumb(disc);
    select.addEventListener("change", () => {
      this.choose(select.value);
      whenChosen();
    });
  }

  /** @param {object} [graph] its edges, if the model has a graph */
  begin(model, points, graph = {}) {
    const counts = model.counts_known && model.graph === null ? points.counts : null;
    const importance = graph.importance
      ? Float32Array.from(graph.importance) : importanceOf(counts, points.words.length);
    this.model = model;
    this.importance = importance;
    this.regions = new Regions(model.regions, points.regions);
    this.values = {
      ...(graph.branches && { branch: { groups: graph.branches } }),
      ...(graph.depths && { depth: { shares: shares(graph.depths) } }),
      cluster: {
        groups: points.clusters,
        colorOf: (theme, i) => shadeColor(theme, ...this.regions.colorOf(i)),
      },
      ...(counts && { frequency: { shares: importance } }),
      radius: { shares: shares(points.radii) },
    };
    this.columns = { // of saved lists of words
      ...(model.counts_known && { count: (i) => points.counts[i] }),
      region: (i) => this.regions.namesOf(i).join(" / "),
    };
    this.disc.setWords(new Words(points.words, points.x, points.y, importance, graph.labels));
    const pairs = (graph.sources ?? []).map((source, i) => [source, graph.targets[i]]);
    this.edges = new Edges(this.disc.words, pairs);
    this.disc.setEdges(this.edges);
    this.#offer();
    this.#show();
  }

  #offer() {
    this.select.replaceChildren(...Object.keys(this.values).map(
      (value) => element("option", { value, textContent: this.#title(value) }),
    ));
  }

  /** Color by words of the user; null: no longer. @param {import("hyperskip/own_groups").OwnGroups|null} own */
  setOwn(own) {
    if (own === null && this.own === null) return;
    this.own = own;
    delete this.values.own;
    if (own !== null) this.values.own = own.by;
    if (own !== null) this.chosen = "own";
    else if (this.chosen === "own") this.chosen = null;
    this.#offer();
    this.legend.hidden.clear();
    this.#show();
  }

  /** The radius in a hierarchy means generality. */
  #title(name) {
    return name === "radius" && this.model.has_hierarchy ? "Generality" : TITLES[name];
  }

  /** The chosen coloring; the first one if a link names another. */
  get #name() {
    return this.chosen in this.values ? this.chosen : Object.keys(this.values)[0];
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
    const { model, legend, theme } = this;
    const ends = {
      depth: ["0", String(model.graph?.depth)], frequency: ["rare", "frequent"],
      radius: model.has_hierarchy ? ["general", "specific"] : ["small", "large"],
    };
    this.#pin(name === "own" ? this.values.own.groups : null);
    this.disc.regions = name === "cluster" ? { named: this.regions, theme } : null; // #paint redraws
    if (name === "cluster") {
      legend.showInstead(this.breadcrumb.host);
      this.breadcrumb.show(this.regions, theme);
    } else if (name === "own") {
      this.own.showLegend(legend, theme);
    } else if (name === "branch") {
      const [names, sizes] = ["name", "size"].map((key) => model.graph.branches.map((one) => one[key]));
      legend.showGroups(theme, "Branches", names, sizes);
    } else {
      legend.showNumbers(theme, this.#title(name), ...ends[name]);
    }
    this.#paint();
  }

  /** Make the points of words in groups large; null: none. */
  #pin(groups) {
    const { disc: { mapped, painter, words }, importance } = this;
    if (groups === null && mapped.importance === importance) return;
    mapped.importance = groups === null
      ? importance : importance.map((size, i) => (groups[i] < 0 ? size : PINNED));
    painter.points.setWords(words);
  }

  #paint() {
    const by = this.values[this.#name];
    const { hidden } = this.legend;
    const isShown = (i) => by.groups === undefined || !hidden.has(by.groups[i]);
    this.edges.setColors(edgeColors(this.theme, by), isShown);
    this.disc.setColors(pointColors(this.theme, by, isShown));
  }
}
