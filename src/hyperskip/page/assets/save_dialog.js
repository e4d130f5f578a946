/** The dialog that saves the view as an image or a drawing. */

import { element, shown } from "hyperskip/dom";
import { download, fileName } from "hyperskip/download";
import { pngOf, pngSize, svgOf } from "hyperskip/saved_view";

export class SaveDialog {
  /**
   * @param {import("hyperskip/disc").Disc} disc
   * @param {HTMLButtonElement} button that opens it; so does the key S on the map
   * @param {{title: () => string, announce: (text: string) => void}} page title: of the file
   */
  constructor(disc, button, page) {
    this.disc = disc;
    this.page = page;
    this.size = element("span", {});
    this.error = element("p", { role: "alert" });
    const choice = (textContent, save) => element("button", {
      type: "button", className: "button", textContent, on: { click: save },
    });
    this.dialog = element(
      "dialog", { className: "help save-view", "aria-labelledby": "save-title" },
      element("h2", { id: "save-title", textContent: "Save this view" }),
      element("p", {}, "A PNG image has ", this.size, "."),
      element("p", { textContent: "An SVG drawing is sharp at any size, and its words stay text." }),
      this.error,
      element(
        "div", { className: "actions" },
        choice("Save PNG", () => this.#save("png", () => pngOf(disc))),
        choice("Save SVG", () => this.#save("svg", () => svgOf(disc, shown(page.title())))),
        element("button", {
          type: "button", className: "button second", textContent: "Cancel",
          on: { click: () => this.dialog.close() },
        }),
      ),
    );
    document.body.append(this.dialog);
    button.addEventListener("click", () => this.open());
    disc.host.addEventListener("keydown", (event) => {
      if (button.offsetParent === null || event.key.toLowerCase() !== "s") return;
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      this.open();
    });
  }

  open() {
    const [width, height] = pngSize(this.disc.painter);
    this.size.textContent = `${width} × ${height} pixels`;
    this.error.textContent = "";
    this.dialog.showModal();
  }

  async #save(ending, make) {
    try {
      download(await make(), fileName(this.page.title(), ending));
    } catch (error) {
      this.error.textContent = `Cannot save the view: ${error.message}.`;
      return;
    }
    this.dialog.close();
    this.page.announce("The view is saved.");
  }
}
