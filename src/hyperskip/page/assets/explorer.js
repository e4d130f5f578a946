/** The explorer: the disc of a served model, a panel next to it, and a link to the current view. */

import { AnalogyMode } from "hyperskip/analogy_mode";
import { ask, canAsk } from "hyperskip/api";
import { Coloring } from "hyperskip/coloring";
import { CompareMode } from "hyperskip/compare_mode";
import { Disc } from "hyperskip/disc";
import { grouped, sentence, shown } from "hyperskip/dom";
import { centroid } from "hyperskip/geometry";
import { Lens } from "hyperskip/lens";
import { LensChoice } from "hyperskip/lens_choice";
import { LinkUpdater, stateOf } from "hyperskip/link";
import { connectMapTools } from "hyperskip/map_tools";
import { Notice } from "hyperskip/notice";
import { EMPTY_SCENE } from "hyperskip/overlay";
import { OwnWords } from "hyperskip/own_words";
import { openState, stateOfPage } from "hyperskip/page_state";
import { aboutModel } from "hyperskip/panel";
import { PathMode } from "hyperskip/path_mode";
import { SearchBox } from "hyperskip/search_box";
import { Toast } from "hyperskip/toast";
import { connectTools } from "hyperskip/tools";
import { Theme } from "hyperskip/theme";
import { WordMode } from "hyperskip/word_mode";

const SUGGESTIONS = 8;

class Explorer {
  constructor() {
    this.disc = new Disc(part("disc"), [part("legend"), part("tools"), part("toast"), part("lens")]);
    this.lens = new Lens(this.disc);
    this.notice = new Notice(part("notice"));
    this.toast = new Toast(part("toast"), (text) => this.announce(text));
    this.mode = "explore";
    this.model = null;
    this.examples = { analogies: [], words: [] }; // questions that the model answers right
    this.theme = new Theme(part("theme"), () => this.#recolor());
    this.coloring = new Coloring(
      this.disc, part("legend"), part("coloring"), () => this.changed(),
    );
    this.ownWords = new OwnWords(part("own"), this);
    this.search = new SearchBox(part("search"), {
      label: "Search for a word", placeholder: "Search for a word",
      suggest: this.suggest, choose: ({ word }) => this.goTo(word),
    });
    this.modes = {
      explore: new WordMode(part("explore"), this),
      analogy: new AnalogyMode(part("analogy"), this),
      path: new PathMode(part("path"), this),
      compare: new CompareMode(part("compare"), this),
    };
    this.lensChoice = new LensChoice(part("lens"), () => this.modes.explore.switchLens());
    this.disc.addEventListener("travel", () => {
      if (this.lens.isOpen) this.modes[this.mode].leaveLens();
    });
    this.link = new LinkUpdater(() => stateOfPage(this), (state) => openState(this, state));
    this.disc.addEventListener("view", () => this.changed());
    this.disc.addEventListener("choose", ({ detail }) => this.#press(detail));
    for (const input of document.querySelectorAll("input[name=mode]")) {
      input.addEventListener("change", () => this.setMode(input.value));
    }
    connectTools({
      zoom: (factor) => { for (const disc of this.#discs) disc.zoom(factor); },
      reset: () => { for (const disc of this.#discs) disc.reset(); },
    }, this);
    connectMapTools(this.disc, {
      title: () => this.model?.name ?? "map", columns: () => this.coloring.columns,
      choose: ({ word }) => this.goTo(word), announce: (text) => this.announce(text),
    });
  }

  /** The maps that are shown. */
  get #discs() {
    return this.mode === "compare" ? [this.disc, this.modes.compare.map.disc] : [this.disc];
  }

  async load() {
    this.theme.choose(stateOf(location.hash).theme);
    const loading = part("loading");
    loading.textContent = "Loading the map …";
    loading.hidden = false;
    try {
      const model = await ask("model");
      loading.textContent = `Loading ${grouped(model.mapped)} words …`;
      const [points, examples, graph] = await Promise.all(
        [ask("points"), ask("examples"), model.graph === null ? undefined : ask("edges")],
      );
      this.#begin(model, points, examples, graph);
    } catch (error) {
      this.notice.show(error, { retry: () => this.load() });
      return;
    } finally {
      loading.hidden = true;
    }
    await this.link.open();
    this.disc.markReady();
  }

  #begin(model, points, examples, graph) {
    this.model = model;
    this.examples = examples;
    document.title = `${shown(model.name)} – hyperskip`;
    part("model-name").textContent = shown(model.name);
    part("about").replaceChildren(...aboutModel(model));
    this.#hideModes();
    this.coloring.begin(model, points, graph);
    this.lensChoice.begin(model);
    this.modes.explore.choice.begin(model);
    for (const mode of Object.values(this.modes)) mode.offer();
  }

  /** Hide modes whose questions cannot be answered, as in an exported page. */
  #hideModes() {
    const inputs = [...document.querySelectorAll("input[name=mode]")];
    for (const input of inputs) input.parentElement.hidden = !this.isUsable(input.value);
    const isAlone = inputs.filter((input) => !input.parentElement.hidden).length === 1;
    document.querySelector(".modes").hidden = isAlone;
  }

  /** Modes have the names of their questions. */
  isUsable(mode) {
    if (mode === "compare" && !this.model.compared) return false;
    return mode === "explore" || canAsk(mode);
  }

  // -- used by the modes

  suggest = async (text, signal) => {
    try {
      const { words, searched } = await ask("search", { text, limit: SUGGESTIONS }, signal);
      if (searched < this.model.words) {
        const note = `This takes too long. Only the ${grouped(searched)} most frequent words were searched.`;
        return { words, note };
      }
      return { words, note: words.length === 0 ? "No words found." : "" };
    } catch (error) {
      if (error.reload) this.notice.show(error);
      const isRefused = error.status === 400;
      return { words: [], note: isRefused ? `${sentence(error.message)}: ${error.hint}.` : "" };
    }
  };

  indexOf = (word) => this.disc.words.indexOf(word);

  goTo = (word, how) => {
    if (this.mode === "compare") {
      this.modes.compare.select(word, how);
      return;
    }
    this.setMode("explore");
    this.modes.explore.select(word, how);
  };

  /** Draw the scene of the current mode, and center the view on some places. */
  show(mode, scene, places) {
    if (mode !== this.modes[this.mode]) return;
    this.disc.setScene(scene);
    if (places.length > 0) this.disc.moveTo(centroid(places));
  }

  /** The answer of a mode is shown. */
  answered(mode) {
    if (mode !== this.modes[this.mode]) return;
    this.coloring.legend.closeIfCovering(this.disc);
    this.changed();
  }

  announce(text) {
    part("live").textContent = text;
  }

  changed() {
    if (this.model !== null) this.link?.changed();
  }

  /** @returns {Promise<void>|undefined} until the mode is shown */
  setMode(mode) {
    const last = this.modes[this.mode];
    this.mode = mode;
    for (const name of Object.keys(this.modes)) part(name).hidden = name !== mode;
    for (const input of document.querySelectorAll("input[name=mode]")) {
      input.checked = input.value === mode;
    }
    if (last === this.modes[mode]) return undefined;
    last.latest.stop();
    last.leave?.();
    this.notice.clear();
    this.disc.motion.stop();
    this.lens.close({ animated: false });
    this.lensChoice.hide();
    this.disc.setScene(EMPTY_SCENE);
    this.changed();
    return this.modes[mode].resume();
  }

  /** A word on the map was pressed: fill an empty field with it, or select it; -1: no word. */
  #press(index) {
    if (index < 0) {
      if (["explore", "compare"].includes(this.mode)) this.modes[this.mode].clear();
      return;
    }
    const word = this.disc.words.names[index];
    const { fields } = this.modes[this.mode];
    if (fields === undefined || !fields.take(word)) this.goTo(word);
  }

  #recolor() {
    this.disc.refreshInks();
    if (this.model !== null) this.coloring.setTheme(this.theme.name);
    this.modes?.compare.map?.setTheme(this.theme.name);
    this.changed();
  }
}

function part(id) {
  return document.getElementById(id);
}

/** The parts of the page, for scripts and tests: `hyperskip.disc.view` and so on. */
window.hyperskip = new Explorer();
window.hyperskip.load();
