/** The explorer: the disc of a served model, a panel next to it, and a link to the current view. */

import { AnalogyMode } from "hyperskip/analogy_mode";
import { ask } from "hyperskip/api";
import { Coloring } from "hyperskip/coloring";
import { Disc } from "hyperskip/disc";
import { grouped, sentence, shown } from "hyperskip/dom";
import { centroid } from "hyperskip/geometry";
import { Lens } from "hyperskip/lens";
import { LensChoice } from "hyperskip/lens_choice";
import { LinkUpdater, stateOf } from "hyperskip/link";
import { connectMapTools } from "hyperskip/map_tools";
import { Notice } from "hyperskip/notice";
import { EMPTY_SCENE } from "hyperskip/overlay";
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
    this.search = new SearchBox(part("search"), {
      label: "Search for a word", placeholder: "Search for a word",
      suggest: this.suggest, choose: ({ word }) => this.goTo(word),
    });
    this.modes = {
      explore: new WordMode(part("explore"), this),
      analogy: new AnalogyMode(part("analogy"), this),
      path: new PathMode(part("path"), this),
    };
    this.lensChoice = new LensChoice(part("lens"), () => this.modes.explore.switchLens());
    this.disc.addEventListener("travel", () => {
      if (this.lens.isOpen) this.modes.explore.leaveLens();
    });
    this.link = new LinkUpdater(() => this.#state(), (state) => this.#open(state));
    this.disc.addEventListener("view", () => this.changed());
    this.disc.addEventListener("choose", ({ detail }) => this.#press(detail));
    for (const input of document.querySelectorAll("input[name=mode]")) {
      input.addEventListener("change", () => this.setMode(input.value));
    }
    connectTools(this.disc, this);
    connectMapTools(this.disc, {
      title: () => this.model?.name ?? "map", columns: () => this.coloring.columns,
      choose: (index) => this.goTo(this.disc.words.names[index]), announce: (text) => this.announce(text),
    });
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
    this.coloring.begin(model, points, graph);
    this.lensChoice.begin(model);
    this.modes.explore.choice.begin(model.measures);
    for (const mode of Object.values(this.modes)) mode.offer();
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

  setMode(mode) {
    const last = this.modes[this.mode];
    this.mode = mode;
    for (const name of Object.keys(this.modes)) part(name).hidden = name !== mode;
    for (const input of document.querySelectorAll("input[name=mode]")) {
      input.checked = input.value === mode;
    }
    if (last === this.modes[mode]) return;
    last.latest.stop();
    this.notice.clear();
    this.disc.motion.stop();
    this.lens.close({ animated: false });
    this.lensChoice.hide();
    this.disc.setScene(EMPTY_SCENE);
    this.modes[mode].resume();
    this.changed();
  }

  /** A word on the map was pressed: fill an empty field with it, or select it; -1: no word. */
  #press(index) {
    if (index < 0) {
      if (this.mode === "explore") this.modes.explore.clear();
      return;
    }
    const word = this.disc.words.names[index];
    const { fields } = this.modes[this.mode];
    if (fields === undefined || !fields.take(word)) this.goTo(word);
  }

  #recolor() {
    this.disc.refreshInks();
    if (this.model !== null) this.coloring.setTheme(this.theme.name);
    this.changed();
  }

  // -- links

  #state() {
    const { choice } = this.modes.explore;
    return {
      view: this.disc.view, mode: this.mode, word: this.modes.explore.word,
      analogy: this.modes.analogy.fields.words, path: this.modes.path.fields.words,
      coloring: this.coloring.chosen, theme: this.theme.chosen,
      measure: choice.chosenMeasure, count: choice.chosenCount,
      lens: this.lensChoice.isOffered ? this.lensChoice.isWanted : null,
    };
  }

  async #open(state) {
    this.theme.choose(state.theme);
    this.coloring.choose(state.coloring);
    this.modes.explore.choice.choose(state.measure, state.count);
    this.setMode(state.mode);
    this.disc.motion.stop();
    this.lens.close({ animated: false });
    this.lensChoice.isWanted = state.lens;
    const isLens = this.lensChoice.isOn && state.word !== "";
    this.disc.show(isLens ? this.disc.home : state.view ?? this.disc.home);
    const move = state.view === null;
    const { explore, analogy, path } = this.modes;
    if (state.mode === "explore") {
      if (state.word === "") explore.clear();
      else await explore.select(state.word, { move, view: isLens ? state.view : null, animated: false });
    } else {
      const mode = state.mode === "analogy" ? analogy : path;
      mode.clear();
      mode.fields.words = state[state.mode];
      if (mode.fields.full) await mode.solve({ move });
    }
  }
}

function part(id) {
  return document.getElementById(id);
}

/** The parts of the page, for scripts and tests: `hyperskip.disc.view` and so on. */
window.hyperskip = new Explorer();
window.hyperskip.load();
