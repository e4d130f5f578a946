/** Elements of the page, made from data. Text is never parsed as markup. */

const LONGEST_SHOWN = 60;

/**
 * Make an element with properties and children. Properties with a dash are attributes, `on` contains
 * listeners, and children that are strings become text.
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

/** Replace the children of an element; null, undefined, false and empty ones are left out. */
export function fill(host, ...children) {
  host.replaceChildren(...children.filter(Boolean));
}

// Control characters, surrogates, line separators, and characters that change the text direction.
const CONTROLS = /[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;

/** A word as the page shows it: on one line, of limited length, without control characters. */
export function shown(word) {
  const letters = [...word.replace(CONTROLS, "\ufffd")];
  const cut = letters.length > LONGEST_SHOWN;
  return cut ? `${letters.slice(0, LONGEST_SHOWN - 1).join("")}…` : letters.join("");
}

/** A word in a sentence; `bdi` isolates its text direction. */
export function wordText(word) {
  return element("bdi", { className: "word", textContent: shown(word), title: word });
}

/** A word as a button. */
export function wordButton(word, onPress, className) {
  return element("button", { type: "button", className, on: { click: onPress } }, wordText(word));
}

/** A number with a fixed number of decimals; null stands for one that is not finite. */
export function decimals(number, digits) {
  return number === null ? "–" : number.toFixed(digits);
}

/** Format 1234567 as 1,234,567. */
export function grouped(number) {
  return Math.round(number).toLocaleString("en-GB");
}

/** Capitalize a message: those of the server start in lower case, as on the command line. */
export function sentence(message) {
  return message.charAt(0).toUpperCase() + message.slice(1);
}
