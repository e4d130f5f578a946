/** What a link to the explorer stands for: read from the page, and shown on it. */

/** @returns {import("hyperskip/link").State} */
export function stateOfPage({ disc, mode, modes, coloring, theme, lensChoice }) {
  const { explore, analogy, path, compare } = modes;
  return {
    view: disc.view, mode, word: explore.word, analogy: analogy.fields.words, path: path.fields.words,
    compare: compare.word, coloring: coloring.chosen, theme: theme.chosen,
    measure: explore.choice.chosenMeasure, count: explore.choice.chosenCount,
    lens: lensChoice.isOffered ? lensChoice.isWanted : null,
  };
}

/** @param {object} page @param {import("hyperskip/link").State} state */
export async function openState(page, state) {
  const { disc, lens, lensChoice } = page;
  const { explore, analogy, path, compare } = page.modes;
  page.theme.choose(state.theme);
  page.coloring.choose(state.coloring);
  explore.choice.choose(state.measure, state.count);
  const name = page.isUsable(state.mode) ? state.mode : "explore";
  await page.setMode(name);
  disc.motion.stop();
  lens.close({ animated: false });
  lensChoice.isWanted = state.lens;
  const isLens = lensChoice.isOn && state.word !== "";
  disc.show(isLens ? disc.home : state.view ?? disc.home);
  const move = state.view === null;
  if (name === "compare") {
    if (state.compare === "") compare.clear();
    else await compare.select(state.compare, { move });
  } else if (name === "explore") {
    if (state.word === "") explore.clear();
    else await explore.select(state.word, { move, view: isLens ? state.view : null, animated: false });
  } else {
    const mode = name === "analogy" ? analogy : path;
    mode.clear();
    mode.fields.words = state[name];
    if (mode.fields.full) await mode.solve({ move });
  }
}
