/** Elements of the page, made from data. Text only ever becomes text: no markup is parsed here. */

const LONGEST_SHOWN = 60;

/**
 * An element with properties and children; a property with a dash is an attribute, `on` has
 * listeners, and strings among the children become text.
 * @param {string} tag
 * @param {Object<string, any>} [properties]
 * @param {...(Node|string|null|undefined|false)} children
 */
export function element(tag, properties = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name === "on") {
      for (const [event, listener] of Object.entries(value)) made.addEventListener(event, listener);
    } else if (name.includes("-") || name === "role" || name === "for") {
      made.setAttribute(name, value);
    } else {
      made[name] = value;
    }
  }
  made.append(...children.filter(Boolean));
  return made;
}

/** Give an element other children; those that are null, undefined, false or empty are left out. */
export function fill(host, ...children) {
  host.replaceChildren(...children.filter(Boolean));
}

// Control characters, halves of letters, ends of lines, and marks that turn the text behind them.
const UNFIT = /[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

/** A word as the page writes it: in one line, not endless, and with its direction kept to itself. */
export function shown(word) {
  const letters = [...word.replace(UNFIT, "\ufffd")];
  const cut = letters.length > LONGEST_SHOWN;
  return cut ? `${letters.slice(0, LONGEST_SHOWN - 1).join("")}…` : letters.join("");
}

/** A word within a sentence of the page; `bdi` keeps marks of direction from leaking out. */
export function wordText(word) {
  return element("bdi", { className: "word", textContent: shown(word), title: word });
}

/** A word that can be pressed. */
export function wordButton(word, onPress, className) {
  return element("button", { type: "button", className, on: { click: onPress } }, wordText(word));
}

/** A number with so many decimals; numbers that are not finite come as null. */
export function decimals(number, digits) {
  return number === null ? "–" : number.toFixed(digits);
}

/** 1234567 as 1,234,567. */
export function grouped(number) {
  return Math.round(number).toLocaleString("en-GB");
}
