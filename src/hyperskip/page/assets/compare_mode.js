/** The mode for two models: the nearest words of a word in both, both maps, and words that moved. */

import { Latest, ask } from "hyperskip/api";
import { compareLists, movedList } from "hyperskip/compare_lists";
import { element, fill, grouped, shown } from "hyperskip/dom";
import { refill, rescueFocus } from "hyperskip/focus";
import { neighborScene } from "hyperskip/neighbor_scene";
import { OtherMap } from "hyperskip/other_map";
import { EMPTY_SCENE } from "hyperskip/overlay";

const NEIGHBORS = 12;
const MOVED = 30;

export class CompareMode {
  /** @param {HTMLElement} host @param {object} page */
  constructor(host, page) {
    this.page = page;
    this.latest = new Latest();
    this.word = "";
    this.answer = null;
    this.names = ["", ""];
    this.host = host;
    this.list = element("div", { className: "mode" });
    this.map = null; // of the other model, made when it is first shown
    this.moved = [];
  }

  /** Get ready for a model and the one that it is compared with. */
  offer() {
    const { name, compared } = this.page.model;
    if (!compared) return;
    this.names = [shown(name), shown(compared.name)];
    this.map = new OtherMap(this.page.disc, this.names, compared, (word) => this.select(word));
    this.host.replaceChildren(this.map.choice, this.list);
    this.#introduce();
  }

  #introduce() {
    const { compared } = this.page.model;
    const common = `Both models have ${grouped(compared.common)} words.`;
    fill(
      this.list,
      element("p", { className: "lead", textContent: "Choose a word to see its neighbors in both models." }),
      element("p", { className: "quiet", textContent: common }),
      ...movedList(this.moved, (word) => this.select(word, { focus: true })),
    );
  }

  /** Show the mode again: both maps, and the words that moved. */
  async resume() {
    try {
      await this.map.show(this.page.theme.name);
      if (this.moved.length === 0) this.moved = (await ask("moved", { limit: MOVED })).words;
    } catch (error) {
      this.page.notice.show(error, { retry: () => this.resume() });
      return;
    }
    const { word } = this.page.modes.explore;
    if (this.answer !== null) this.draw();
    else if (word !== "" && this.page.mode === "compare") await this.select(word);
    else this.#introduce();
  }

  /** Hide what other modes do not have. */
  leave() {
    this.map?.hide();
  }

  clear() {
    this.latest.stop();
    this.word = "";
    this.answer = null;
    this.map.disc.setScene(EMPTY_SCENE);
    this.page.show(this, EMPTY_SCENE, []);
    this.#introduce();
    this.page.changed();
  }

  /** @param {{move?: boolean, focus?: boolean}} [how] focus: the button that was pressed disappears */
  async select(word, { move = true, focus = false } = {}) {
    const { page } = this;
    const searched = page.search.value;
    page.notice.clear();
    let answer;
    try {
      const question = { word, count: NEIGHBORS };
      answer = await this.latest.run((signal) => ask("compare", question, signal));
    } catch (error) {
      if (error.isUnknownWord) this.clear();
      const choose = (other) => this.select(other, { focus: true });
      page.notice.show(error, { retry: () => choose(word), choose });
      return;
    }
    if (answer === null) return;
    this.answer = answer.models;
    this.word = this.answer.find(Boolean).word.word;
    if (page.search.value === searched) page.search.value = ""; // unless another word is being typed
    const goTo = (one) => this.select(one, { focus: true });
    refill(
      this.list,
      ...compareLists(this.names, this.word, this.answer, goTo),
      ...movedList(this.moved, goTo),
    );
    if (focus) rescueFocus(this.list);
    this.draw(move);
    page.announce(this.#spoken());
    page.answered(this);
  }

  #spoken() {
    const [first, second] = this.answer.map((one) => one?.neighbors ?? []);
    const both = first.filter(({ shared }) => shared).length;
    return `${shown(this.word)}: ${both} of ${Math.max(first.length, second.length)} nearest words are in both models`;
  }

  draw(move = false) {
    if (this.answer === null) return;
    const { disc } = this.map;
    const scenes = this.answer.map((one, at) => {
      if (one === null) return EMPTY_SCENE;
      const { words } = at === 0 ? this.page.disc : disc;
      return neighborScene(one.word, one.neighbors, ({ word }) => words.indexOf(word));
    });
    const places = this.answer.map((one) => (one && move ? [[one.word.x, one.word.y]] : []));
    this.page.show(this, scenes[0], places[0]);
    disc.setScene(scenes[1]);
    for (const place of places[1]) disc.moveTo(place);
  }
}
