/** Buttons next to the disc and global keys: zoom, reset, help, links and the panel. */

/**
 * @param {{zoom: (factor: number) => void, reset: () => void}} disc or several that move together
 * @param {{search: object, notice: object, toast?: object, link?: object, lensChoice?: object}} page
 */
export function connectTools(disc, page) {
  const { search, link } = page;
  const press = (id, action) => document.getElementById(id)?.addEventListener("click", action);
  const help = document.getElementById("help");
  press("zoom-in", () => disc.zoom(1.4));
  press("zoom-out", () => disc.zoom(1 / 1.4));
  press("reset", () => disc.reset());
  press("open-help", () => help.showModal());
  press("close-help", () => help.close());
  press("copy-link", async () => {
    link.write();
    try {
      await navigator.clipboard.writeText(location.href);
      page.toast.show("Link copied.");
    } catch {
      page.toast.show("Copy the link from the address bar.");
    }
  });
  press("sheet", () => openSheet(document.body.classList.contains("sheet-closed")));
  document.addEventListener("keydown", (event) => {
    if (isTextField(event.target) || event.ctrlKey || event.metaKey || event.altKey || isAsking()) return;
    if (event.key === "/") search.input.focus();
    else if (event.key === "?") help.showModal();
    else if (event.key === "0") disc.reset();
    else if (event.target instanceof HTMLSelectElement) return; // which uses letters and Home itself
    else if (event.key === "Home") disc.reset();
    else if (event.key.toLowerCase() === "l") page.lensChoice?.toggle();
    else return;
    event.preventDefault();
  });
  document.addEventListener("input", ({ target }) => {
    if (isTextField(target)) page.notice.forgetWord();
  });
}

/** Open or close the panel, which is a sheet on small screens. */
export function openSheet(isOpen = true) {
  document.body.classList.toggle("sheet-closed", !isOpen);
  document.getElementById("sheet").setAttribute("aria-expanded", String(isOpen));
}

/** Whether a dialog is open. */
function isAsking() {
  return document.querySelector("dialog[open]") !== null;
}

function isTextField(target) {
  return target instanceof HTMLTextAreaElement
    || (target instanceof HTMLInputElement && target.type === "text");
}
