/** The mode for one word: its facts and neighbors, joined by geodesics on the disc. */

import { Latest, ask } from "hyperskip/api";
import { element, fill, wordButton } from "hyperskip/dom";
import { refill, rescueFocus } from "hyperskip/focus";
import { kindLadder, withKinds } from "hyperskip/kinds";
import { lensContent, placedInLens } from "hyperskip/lens_content";
import { NeighborChoice } from "hyperskip/neighbor_choice";
import { neighborScene } from "hyperskip/neighbor_scene";
import { EMPTY_SCENE } from "hyperskip/overlay";
import { nearList, spokenNeighbors, wordCard } from "hyperskip/panel";
import { hierarchyFacts, relativesList, relativesScene } from "hyperskip/relatives";

const NEAREST = "Nearest words";
const KINDS = 10; // words that it is a kind of, and kinds
const RELATIVES = 30; // parents, and children

export class WordMode {
  /** @param {HTMLElement} host @param {object} page */
  constructor(host, page) {
    this.page = page;
    this.latest = new Latest();
    this.word = "";
    this.answer = null;
    this.host = host;
    this.choice = new NeighborChoice(() => this.#chosen());
  }

  /** Show an introduction before a word is selected. */
  offer() {
    fill(
      this.host,
      element("p", {
        className: "lead",
        textContent: "Every point is a word. Similar words are close together"
          + this.#radiusText(),
      }),
      element("p", {
        className: "quiet",
        textContent: "Drag to move, scroll to zoom, click a word to see its neighbors. "
          + "Search by letters anywhere in a word, or by a pattern such as /^un.*ness$/.",
      }),
      element(
        "p", { className: "chips" },
        ...this.page.examples.words.map((word) => wordButton(word, () => this.select(word), "chip")),
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
    this.page.lensChoice.hide();
    this.page.lens.close();
    this.page.show(this, EMPTY_SCENE, []);
    this.offer();
    this.page.changed();
  }

  /**
   * @param {{move?: boolean, focus?: boolean, view?: object|null, animated?: boolean}} [how]
   *   focus: the button that was pressed disappears; view, animated: of the lens
   */
  async select(word, { move = true, focus = false, view = null, animated = true } = {}) {
    const { page } = this;
    const searched = page.search.value;
    page.notice.clear();
    let answer;
    try {
      answer = await this.latest.run((signal) => this.#ask(word, signal));
    } catch (error) {
      if (error.isUnknownWord) this.clear();
      const choose = (other) => this.select(other, { focus: true });
      page.notice.show(error, { retry: () => choose(word), choose });
      page.announce(error.message);
      return;
    }
    if (answer === null) return;
    this.word = answer.word.word;
    this.answer = answer;
    if (page.search.value === searched) page.search.value = ""; // unless another word is being typed
    this.#list();
    if (focus) rescueFocus(this.host);
    this.draw({ move, view, animated });
    page.announce(spokenNeighbors(answer.word, answer.neighbors));
    page.answered(this);
  }

  /** Another measure or number of neighbors was chosen. */
  #chosen() {
    this.page.changed();
    this.select(this.word, { move: false });
  }

  /** The lens, or the whole map, was chosen. */
  switchLens() {
    this.page.changed();
    if (this.page.lensChoice.isOn) this.select(this.word);
    else this.leaveLens({ animated: true });
  }

  /** Show the whole map with the word in the center. */
  leaveLens({ animated = false } = {}) {
    this.page.lensChoice.isWanted = false;
    this.draw({ animated });
  }

  /** Ask for the neighbors of a word, its relatives in the graph, and its place in the hierarchy. */
  async #ask(word, signal) {
    const { model } = this.page;
    const { count, measure } = this.choice;
    const neighbors = ask("neighbors", { word, count, measure }, signal);
    // A word outside the vocabulary has neighbors, but no place in a graph or hierarchy.
    const isComposed = model.has_subwords && (await neighbors).word.ngrams !== null;
    const hasRelatives = model.graph !== null && !isComposed;
    const hasKinds = model.has_hierarchy && !isComposed;
    const [answer, lens, found, hierarchy] = await Promise.all([
      neighbors,
      this.page.lensChoice.isOn ? ask("lens", { word, measure }, signal) : null,
      hasRelatives ? ask("relatives", { word, count: RELATIVES }, signal) : null,
      hasKinds ? ask("hierarchy", { word, count: KINDS }, signal) : null,
    ]);
    const relatives = found && {
      ...found, parentCount: found.parent_count, childCount: found.child_count,
    };
    return { ...answer, lens, relatives, hierarchy };
  }

  #list() {
    const { word, neighbors, relatives, hierarchy } = this.answer;
    const { model } = this.page;
    const goTo = (one) => this.select(one.word);
    const cluster = model.clusters[word.cluster]?.name;
    const groupName = relatives === null ? cluster : relatives.branch;
    refill(
      this.host,
      wordCard(word, {
        words: model.words, countsKnown: model.counts_known && relatives === null, groupName,
        groupKind: relatives === null ? "Region" : "Branch", mapped: model.mapped,
        facts: relatives && hierarchyFacts(relatives), hasHierarchy: model.has_hierarchy,
      }),
      ...(relatives === null ? [] : relativesList(word, relatives, goTo)),
      ...(hierarchy === null ? [] : kindLadder(word, hierarchy, goTo)),
      element("h3", { textContent: NEAREST }),
      this.choice.host,
      neighbors.length > 0
        ? nearList(NEAREST, neighbors, goTo, { numberOf: this.choice.numberOf })
        : element("p", { className: "quiet", textContent: "There are no other words." }),
    );
  }

  /** Show the mode again. */
  resume() {
    this.draw();
  }

  /** Draw the answer in the lens or on the map. @param {object} [how] as in `select` */
  draw({ move = false, view = null, animated = true } = {}) {
    const { page, answer } = this;
    if (answer === null || page.modes[page.mode] !== this) return;
    const lens = page.lensChoice.isOn ? answer.lens : null;
    page.lensChoice.show(lens);
    if (lens === null) {
      const { word } = answer;
      const then = () => page.show(this, this.#sceneOf(answer), move ? [[word.x, word.y]] : []);
      page.lens.close({ animated, then });
      return;
    }
    const content = lensContent(lens);
    const then = () => page.show(this, this.#sceneOf(placedInLens(answer, content.words)), []);
    page.lens.open(content, { view, animated, then });
  }

  #sceneOf({ word, neighbors, relatives, hierarchy }) {
    const indexOf = (one) => this.page.indexOf(one.word);
    const scene = relatives === null
      ? neighborScene(word, neighbors, indexOf) : relativesScene(word, relatives, indexOf);
    return hierarchy === null ? scene : withKinds(scene, word, hierarchy, indexOf);
  }
}
