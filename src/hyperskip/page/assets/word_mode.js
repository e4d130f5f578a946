/** The mode for one word: its facts and neighbors, joined by geodesics on the disc. */

import { Latest, ask } from "hyperskip/api";
import { element, fill, wordButton } from "hyperskip/dom";
import { kindLists, withHypernyms } from "hyperskip/kinds";
import { neighborScene } from "hyperskip/neighbor_scene";
import { EMPTY_SCENE } from "hyperskip/overlay";
import { nearList, spokenNeighbors, wordCard } from "hyperskip/panel";
import { hierarchyFacts, relativesList, relativesScene } from "hyperskip/relatives";

const NEIGHBORS = 12;
const KINDS = 10; // words that it is a kind of, and kinds
const RELATIVES = 30; // parents, and children
const EXAMPLES = ["music", "river", "science", "king", "dog", "city", "france", "computer"];
const SHOWN_EXAMPLES = 5;

export class WordMode {
  /** @param {HTMLElement} host @param {object} page */
  constructor(host, page) {
    this.page = page;
    this.latest = new Latest();
    this.word = "";
    this.answer = null;
    this.host = host;
  }

  /** Show an introduction before a word is selected. */
  offer() {
    const { disc } = this.page;
    const known = EXAMPLES.filter((word) => disc.words.indexOf(word) >= 0).slice(0, SHOWN_EXAMPLES);
    const words = known.length > 0 ? known : disc.words.names.slice(0, SHOWN_EXAMPLES);
    fill(
      this.host,
      element("p", {
        className: "lead",
        textContent: "Every point is a word. Similar words are close together"
          + this.#radiusText(),
      }),
      element("p", {
        className: "quiet",
        textContent: "Drag to move, scroll to zoom, click a word to see its neighbors.",
      }),
      element(
        "p", { className: "chips" },
        ...words.map((word) => wordButton(word, () => this.select(word), "chip")),
      ),
    );
  }

  /** What the distance from the center shows, if anything. */
  #radiusText() {
    const map = this.page.model?.map;
    if (map?.by_hierarchy) return "; general words are in the middle, and specific ones near the rim.";
    return (map?.fidelity.radii ?? 0) > 0.6
      ? "; the distance from the center is the radius of the word." : ".";
  }

  clear() {
    this.latest.stop();
    this.word = "";
    this.answer = null;
    this.page.show(this, EMPTY_SCENE, []);
    this.offer();
    this.page.changed();
  }

  async select(word, { move = true } = {}) {
    const { page } = this;
    const searched = page.search.value;
    page.notice.clear();
    let answer;
    try {
      answer = await this.latest.run((signal) => this.#ask(word, signal));
    } catch (error) {
      const choose = (other) => this.select(other);
      page.notice.show(error, { retry: () => this.select(word), choose });
      page.announce(error.message);
      return;
    }
    if (answer === null) return;
    this.word = answer.word.word;
    this.answer = answer;
    if (page.search.value === searched) page.search.value = ""; // unless another word is being typed
    this.#list();
    this.draw(move);
    page.announce(spokenNeighbors(this.word, answer.neighbors));
    page.answered(this);
  }

  /** Ask for the neighbors of a word, its relatives in the graph, and its place in the hierarchy. */
  async #ask(word, signal) {
    const { model } = this.page;
    const [answer, found, hierarchy] = await Promise.all([
      ask("neighbors", { word, count: NEIGHBORS }, signal),
      model.graph === null ? null : ask("relatives", { word, count: RELATIVES }, signal),
      model.has_hierarchy ? ask("hierarchy", { word, count: KINDS }, signal) : null,
    ]);
    const relatives = found && {
      ...found, parentCount: found.parent_count, childCount: found.child_count,
    };
    return { ...answer, relatives, hierarchy };
  }

  #list() {
    const { word, neighbors, relatives, hierarchy } = this.answer;
    const { model } = this.page;
    const goTo = (one) => this.select(one.word);
    const groupName = relatives === null ? model.clusters[word.cluster].name : relatives.branch;
    fill(
      this.host,
      wordCard(word, {
        words: model.words, countsKnown: model.counts_known && relatives === null, groupName,
        mapped: model.mapped, facts: relatives && hierarchyFacts(relatives),
        hasHierarchy: model.has_hierarchy,
      }),
      ...(relatives === null ? [] : relativesList(relatives, goTo)),
      ...(hierarchy === null ? [] : kindLists(hierarchy, goTo)),
      element("h3", { textContent: "Nearest words" }),
      neighbors.length > 0
        ? nearList(neighbors, goTo)
        : element("p", { className: "quiet", textContent: "There are no other words." }),
    );
  }

  /** Show the mode again. */
  resume() {
    this.draw();
  }

  draw(move = false) {
    if (this.answer === null) return;
    const { word, neighbors, relatives, hierarchy } = this.answer;
    const indexOf = (one) => this.page.indexOf(one.word);
    const scene = relatives === null
      ? neighborScene(word, neighbors, indexOf) : relativesScene(word, relatives, indexOf);
    const drawn = hierarchy === null ? scene : withHypernyms(scene, word, hierarchy, indexOf);
    this.page.show(this, drawn, move ? [[word.x, word.y]] : []);
  }
}
