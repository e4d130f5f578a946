/** Tools for work with the map: select an area, and save the view. */

import { AreaList } from "hyperskip/area_list";
import { Lasso } from "hyperskip/lasso";
import { SaveDialog } from "hyperskip/save_dialog";
import { openSheet } from "hyperskip/tools";

/**
 * @param {import("hyperskip/disc").Disc} disc
 * @param {{title: () => string, choose: (word: {word: string, index: number}) => void, announce: (text: string) => void,
 *   columns: () => Object<string, (index: number) => string|number>}} page
 *   title: of saved files; columns: what a saved list says about words
 */
export function connectMapTools(disc, page) {
  const part = (id) => document.getElementById(id);
  const list = new AreaList(part("area"), disc, page);
  new Lasso(disc, part("select-area"), {
    announce: page.announce,
    take: (words) => {
      openSheet();
      list.show(words);
    },
  });
  new SaveDialog(disc, part("save-view"), page);
}
