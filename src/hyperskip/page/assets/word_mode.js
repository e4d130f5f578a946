/** The mode for one word: its facts and neighbors, joined by geodesics on the disc. */

import { Latest, ask } from "hyperskip/api";
import { element, fill, wordButton } from "hyperskip/dom";
import { neighborScene } from "hyperskip/neighbor_scene";
import { EMPTY_SCENE } from "hyperskip/overlay";
import { nearList, spokenNeighbors, wordCard } from "hyperskip/panel";
import { hierarchyFacts, relativesList, relativesScene } from "hyperskip/relatives";

const NEIGHBORS = 12;
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
          + (this.#isByRadius() ? "; the distance from the center is the radius of the word." : "."),
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

  /** Whether the distance from the center shows the radius of a word. */
  #isByRadius() {
    return (this.page.model?.map.fidelity.radii ?? 0) > 0.6;
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

  /** Ask for the neighbors and, if the model has a graph, for the relatives of a word. */
  async #ask(word, signal) {
    const [answer, found] = await Promise.all([
      ask("neighbors", { word, count: NEIGHBORS }, signal),
      this.page.model.graph === null ? null : ask("relatives", { word, count: RELATIVES }, signal),
    ]);
    const relatives = found && {
      ...found, parentCount: found.parent_count, childCount: found.child_count,
    };
    return { ...answer, relatives };
  }

  #list() {
    const { word, neighbors, relatives } = this.answer;
    const { model } = this.page;
    const groupName = relatives === null ? model.clusters[word.cluster].name : relatives.branch;
    fill(
      this.host,
      wordCard(word, {
        words: model.words, countsKnown: model.counts_known && relatives === null, groupName,
        mapped: model.mapped, facts: relatives && hierarchyFacts(relatives),
      }),
      ...(relatives === null ? [] : relativesList(relatives, (one) => this.select(one.word))),
      element("h3", { textContent: "Nearest words" }),
      neighbors.length > 0
        ? nearList(neighbors, (near) => this.select(near.word))
        : element("p", { className: "quiet", textContent: "There are no other words." }),
    );
  }

  /** Show the mode again. */
  resume() {
    this.draw();
  }

  draw(move = false) {
    if (this.answer === null) return;
    const { word, neighbors, relatives } = this.answer;
    const indexOf = (one) => this.page.indexOf(one.word);
    const scene = relatives === null
      ? neighborScene(word, neighbors, indexOf) : relativesScene(word, relatives, indexOf);
    this.page.show(this, scene, move ? [[word.x, word.y]] : []);
  }
}
