/** The self-contained picture: the disc with data from the same file, without a server. */

import { analogyAnswers, analogyScene, analogyTitle } from "hyperskip/analogy_scene";
import { edgeColors, importanceOf, pointColors, shares } from "hyperskip/colors";
import { Disc } from "hyperskip/disc";
import { Edges } from "hyperskip/edges";
import { element, grouped, shown } from "hyperskip/dom";
import { refill, rescueFocus } from "hyperskip/focus";
import { Legend } from "hyperskip/legend";
import { connectMapTools } from "hyperskip/map_tools";
import { Notice } from "hyperskip/notice";
import { EMPTY_SCENE } from "hyperskip/overlay";
import { aboutMap, fidelityText, nearList, spokenNeighbors, wordCard } from "hyperskip/panel";
import { hierarchyFacts, relativesList, relativesScene } from "hyperskip/relatives";
import { SearchBox } from "hyperskip/search_box";
import { neighborScene } from "hyperskip/neighbor_scene";
import { similarlySpelled } from "hyperskip/spelling";
import { Theme } from "hyperskip/theme";
import { Tree } from "hyperskip/tree";
import { connectTools } from "hyperskip/tools";
import { Words } from "hyperskip/words";

const SUGGESTIONS = 8;

class Picture {
  /** @param {object} data written by `hyperskip plot` */
  constructor(data) {
    this.data = data;
    this.disc = new Disc(part("disc"), [part("legend"), part("tools")]);
    this.notice = new Notice(part("notice"));
    const importance = data.importance === null
      ? importanceOf(data.counts, data.words.length) : Float32Array.from(data.importance);
    this.disc.setWords(new Words(data.words, data.x, data.y, importance, data.labels));
    this.edges = new Edges(this.disc.words, data.edges);
    this.disc.setEdges(this.edges);
    this.tree = data.depths === null ? null : new Tree(data.edges, data.depths);
    const numbers = data.by_depth ? data.depths : data.radii;
    this.by = data.groups === null ? { shares: shares(numbers) } : { groups: data.groups };
    this.legend = new Legend(part("legend"), () => this.#paint());
    this.theme = new Theme(part("theme"), () => this.#recolor());
    this.ranks = data.radii === null ? null : ranksOf(data.radii);
    this.search = new SearchBox(part("search"), {
      label: "Search for a word", placeholder: "Search for a word",
      suggest: async (text) => this.#suggested(text), choose: (entry) => this.#choose(entry),
    });
    part("about").replaceChildren(...this.#about());
    this.disc.addEventListener("choose", ({ detail }) => this.#press(detail));
    connectTools(this.disc, this);
    connectMapTools(this.disc, {
      title: () => data.title, columns: () => this.#columns(),
      choose: ({ index }) => this.#select(index), announce: (text) => this.announce(text),
    });
    this.#recolor();
    this.#begin();
  }

  #begin() {
    if (this.data.words.length === 0) this.notice.show(new Error("This picture has no words."));
    this.#showAnalogy();
    this.disc.markReady();
  }

  /** Show the state without a selected word: the analogy, if the picture has one. */
  #showAnalogy() {
    const { analogy } = this.data;
    if (analogy === null) {
      part("explore").replaceChildren(element("p", {
        className: "lead",
        textContent: `Click a word to see its ${this.ranks === null ? "parent and children" : "neighbors"}, `
          + "drag to move, scroll to zoom.",
      }));
      this.disc.setScene(EMPTY_SCENE);
      return;
    }
    const [a, b, c] = [analogy.a, analogy.b, analogy.c].map((index) => this.#word(index));
    const routes = Object.fromEntries(Object.entries(analogy.routes).map(([name, route]) => {
      const answers = route.answers.map((answer) => ({ ...this.#word(answer.index), ...answer }));
      return [name, { ...route, answers }];
    }));
    this.disc.setScene(analogyScene({ a, b, c, routes }, (word) => word.index));
    this.legend.closeIfCovering(this.disc);
    part("explore").replaceChildren(
      analogyTitle([a.word, b.word, c.word]),
      ...analogyAnswers(routes, ({ index }) => this.#select(index)),
    );
  }

  #word(index) {
    const { words, x, y, radii, counts } = this.data;
    return {
      index, word: words[index], x: x[index], y: y[index], radius: radii?.[index],
      rank: this.ranks?.[index], count: counts?.[index] ?? 0,
    };
  }

  #suggested(text) {
    const wanted = text.toLowerCase();
    const entries = this.data.words.map(
      (word, index) => ({ word, index, at: word.toLowerCase().indexOf(wanted) }),
    );
    const found = entries.filter(({ at }) => at >= 0);
    found.sort((first, second) => Math.sign(first.at) - Math.sign(second.at)); // prefixes first
    return { words: found.slice(0, SUGGESTIONS) };
  }

  /** A suggestion was chosen, which has an index, or text was entered. */
  #choose({ word, index }) {
    if (index === undefined) this.#find(word);
    else this.#select(index);
  }

  #find(word) {
    const { words } = this.disc;
    const exact = words.indexOf(word);
    const index = exact >= 0 ? exact : words.indexOf(word.toLowerCase());
    if (index >= 0) {
      this.#select(index);
      return;
    }
    this.#showAnalogy();
    const error = new Error(`The word “${shown(word)}” is not in this picture.`);
    const near = similarlySpelled(word, words.names, words.importance).slice(0, SUGGESTIONS);
    error.suggestions = near.map((other) => words.names[other]);
    const choose = (other) => {
      this.#find(other);
      rescueFocus(part("explore"));
    };
    this.notice.show(error, { choose });
  }

  #press(index) {
    if (index >= 0) this.#select(index);
    else this.#showAnalogy();
  }

  #select(index) {
    const { data } = this;
    this.notice.clear();
    this.search.value = "";
    const word = this.#word(index);
    const near = data.neighbors[index].map(
      ([other, distance]) => ({ ...this.#word(other), distance }),
    );
    const relatives = this.tree?.relativesOf(index, (one) => this.#word(one));
    const indexOf = (one) => one.index;
    this.disc.setScene(
      relatives ? relativesScene(word, relatives, indexOf) : neighborScene(word, near, indexOf),
    );
    this.legend.closeIfCovering(this.disc);
    this.disc.moveTo([word.x, word.y]);
    const groupName = data.groups === null ? null : data.group_names[data.groups[index]];
    refill(
      part("explore"),
      wordCard(word, {
        words: data.words.length, countsKnown: data.counts !== null && !relatives, groupName,
        facts: relatives ? hierarchyFacts(relatives) : null, hasHierarchy: data.has_hierarchy,
      }),
      ...(relatives ? relativesList(word, relatives, (one) => this.#select(one.index)) : []),
      ...(near.length > 0 ? this.#nearest(near) : []),
    );
    this.announce(near.length > 0 ? spokenNeighbors(word, near) : shown(word.word));
  }

  /** Columns of saved lists of words. */
  #columns() {
    const { counts, groups, group_names: names } = this.data;
    return {
      ...(counts && { count: (i) => counts[i] }), ...(groups && { group: (i) => names[groups[i]] ?? "" }),
    };
  }

  #nearest(near) {
    const title = "Nearest words in this picture";
    return [
      element("h3", { textContent: title }),
      nearList(title, near, (one) => this.#select(one.index)),
    ];
  }

  announce(text) {
    part("live").textContent = text;
  }

  #recolor() {
    this.disc.refreshInks();
    const { groups, group_names: names, depths, by_depth: byDepth } = this.data;
    const { has_hierarchy: hasHierarchy } = this.data;
    const theme = this.theme.name;
    if (groups !== null) this.legend.showGroups(theme, depths === null ? "Groups" : "Branches", names);
    else if (byDepth) this.legend.showNumbers(theme, "Depth", "0", String(Math.max(...depths)));
    else if (hasHierarchy) this.legend.showNumbers(theme, "Generality", "general", "specific");
    else this.legend.showNumbers(theme, "Radius", "small", "large");
    this.#paint();
  }

  #paint() {
    const { groups } = this.data;
    const { hidden } = this.legend;
    const isShown = (i) => groups === null || !hidden.has(groups[i]);
    const theme = this.theme.name;
    this.disc.setColors(pointColors(theme, this.by, isShown));
    this.edges.setColors(edgeColors(theme, this.by), isShown);
  }

  #about() {
    const count = this.data.words.length;
    const words = `${grouped(count)} ${count === 1 ? "word" : "words"}`;
    if (this.data.radii === null) return [`A tree of ${words}.`];
    const { method, fidelity, scale, by_hierarchy: byHierarchy } = this.data;
    const map = { method, fidelity, scale, by_hierarchy: byHierarchy };
    const texts = [fidelityText(map), "Lists show the distances in the full space."];
    return [`${words}.`, aboutMap(texts)];
  }
}

/** Ranks by radius among the words of the picture, from 1. */
function ranksOf(radii) {
  const order = radii.map((_, index) => index).sort((a, b) => radii[a] - radii[b]);
  const ranks = [];
  order.forEach((index, rank) => { ranks[index] = rank + 1; });
  return ranks;
}

function part(id) {
  return document.getElementById(id);
}

/** The parts of the page, for scripts and tests: `hyperskip.disc.view` and so on. */
window.hyperskip = new Picture(JSON.parse(part("data").textContent));
