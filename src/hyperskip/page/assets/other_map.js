/** The map of the other model, beside the first one; both show the same word under the pointer. */

import { ask } from "hyperskip/api";
import { importanceOf, pointColors } from "hyperskip/colors";
import { Disc } from "hyperskip/disc";
import { element } from "hyperskip/dom";
import { shadeColor } from "hyperskip/hues";
import { Regions } from "hyperskip/regions";
import { Words } from "hyperskip/words";

export class OtherMap {
  /**
   * @param {Disc} first the map of the first model
   * @param {string[]} names of both models
   * @param {object} compared the other model
   * @param {(word: string) => void} choose called with a word that was pressed
   */
  constructor(first, names, compared, choose) {
    this.first = first;
    this.compared = compared;
    this.host = element("div", {
      id: "other-disc", className: "disc", tabIndex: 0, role: "application", hidden: true,
      "aria-label": `Map of ${names[1]}. Arrows move, plus and minus zoom, Enter selects the word in the center.`,
    });
    this.titles = names.map((name, at) => element(
      "p", { className: `map-name map-name-${at}`, hidden: true }, element("bdi", { textContent: name }),
    ));
    first.host.after(this.host, ...this.titles);
    this.disc = new Disc(this.host, []);
    this.isLoaded = false;
    this.choice = this.#choiceOf(names);
    this.disc.addEventListener("choose", ({ detail }) => {
      if (detail >= 0) choose(this.disc.words.names[detail]);
    });
    this.#link(first, this.disc);
    this.#link(this.disc, first);
  }

  /** Show the word under the pointer on both maps. */
  #link(from, to) {
    from.addEventListener("hover", ({ detail }) => {
      if (this.host.hidden) return;
      to.hovered = detail < 0 ? -1 : to.words.indexOf(from.words.names[detail]);
      to.redraw();
    });
  }

  /** On a phone, there is room for one map: a switch. */
  #choiceOf(names) {
    return element("fieldset", { className: "map-choice" }, element("legend", { textContent: "Map" }),
      ...names.map((name, at) => element(
        "label", {},
        element("input", {
          type: "radio", name: "map", checked: at === 0,
          on: { change: () => document.body.classList.toggle("other-map", at === 1) },
        }),
        element("bdi", { textContent: name }),
      )));
  }

  /** @param {"light"|"dark"} theme */
  async show(theme) {
    for (const part of [this.host, ...this.titles]) part.hidden = false;
    document.body.classList.add("comparing");
    if (!this.isLoaded) {
      this.points = await ask("compared-points");
      const { words, x, y, counts } = this.points;
      const known = this.compared.counts_known ? counts : null;
      this.disc.setWords(new Words(words, x, y, importanceOf(known, words.length)));
      this.isLoaded = true;
    }
    this.setTheme(theme);
  }

  setTheme(theme) {
    if (!this.isLoaded) return;
    const named = new Regions(this.compared.regions, this.points.regions);
    const colorOf = (name, i) => shadeColor(name, ...named.colorOf(i));
    this.disc.regions = { named, theme };
    this.disc.refreshInks();
    this.disc.setColors(pointColors(theme, { groups: this.points.clusters, colorOf }, () => true));
  }

  hide() {
    for (const part of [this.host, ...this.titles]) part.hidden = true;
    document.body.classList.remove("comparing", "other-map");
    this.choice.querySelector("input").checked = true;
  }
}
