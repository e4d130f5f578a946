/**
 * A drawing context that writes SVG: it has the part of CanvasRenderingContext2D that the page uses.
 *
 * So what is painted on a canvas can be painted as SVG by the same functions. Text stays text. Colors,
 * widths and fonts are attributes, which all programs for SVG understand. Consecutive elements that look
 * the same form a group.
 */

import { escaped } from "hyperskip/xml_text";

const NAMESPACE = "http://www.w3.org/2000/svg";
const STATE = [
  "fillStyle", "strokeStyle", "globalAlpha", "lineWidth", "lineCap", "lineJoin", "font", "textAlign",
];
const ANCHORS = { start: "start", left: "start", center: "middle", end: "end", right: "end" };

export class SvgContext {
  fillStyle = "#000";
  strokeStyle = "#000";
  globalAlpha = 1;
  lineWidth = 1;
  lineCap = "butt";
  lineJoin = "miter";
  font = "10px sans-serif";
  textAlign = "start";
  textBaseline = "middle"; // the only one
  #dash = [];
  #path = []; // commands
  #circle = null; // the path, if it is only a circle
  #halo = null; // text that was stroked
  #saved = [];
  #written = [];
  #run = { look: "", parts: [] }; // consecutive elements with the same look
  #clips = 0;
  #canvas = document.createElement("canvas").getContext("2d"); // reads colors and measures fonts
  #colors = new Map(); // as [color, opacity]
  #baselines = new Map(); // of fonts, in pixels below the middle of a line

  constructor(width, height) {
    this.width = width;
    this.height = height;
  }

  /** The drawing as the text of a file. */
  toString(title) {
    this.#endRun();
    const [width, height] = [this.width, this.height].map(rounded);
    return [
      '<?xml version="1.0" encoding="UTF-8"?>',
      `<svg xmlns="${NAMESPACE}" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"`
        + ' role="img" xml:space="preserve">',
      `<title>${escaped(title)}</title>`,
      ...this.#written,
      "</svg>\n",
    ].join("\n");
  }

  // -- state

  save() {
    this.#saved.push({ ...pick(this), dash: this.#dash, groups: 0 });
  }

  restore() {
    const { dash, groups, ...state } = this.#saved.pop();
    this.#endRun();
    for (let group = 0; group < groups; group++) this.#written.push("</g>");
    Object.assign(this, state);
    this.#dash = dash;
  }

  setLineDash(lengths) {
    this.#dash = lengths;
  }

  /** Draw only inside the path, until the state is restored. */
  clip() {
    this.#endRun();
    this.#clips += 1;
    const id = `hyperskip-clip-${this.#clips}`;
    const [head, tail] = this.#shape();
    this.#written.push(`<clipPath id="${id}">${head}${tail}</clipPath>`, `<g clip-path="url(#${id})">`);
    this.#saved.at(-1).groups += 1;
  }

  // -- paths

  beginPath() {
    this.#path = [];
    this.#circle = null;
  }

  moveTo(x, y) {
    this.#path.push(`M${pair(x, y)}`);
  }

  lineTo(x, y) {
    this.#path.push(`L${pair(x, y)}`);
  }

  closePath() {
    this.#path.push("Z");
  }

  arc(x, y, radius, start, end, counterclockwise = false) {
    const at = (angle) => pair(x + radius * Math.cos(angle), y + radius * Math.sin(angle));
    const to = (angle, isLarge) => (
      `A${pair(radius, radius)} 0 ${Number(isLarge)} ${Number(!counterclockwise)} ${at(angle)}`
    );
    const isWhole = Math.abs(end - start) >= 2 * Math.PI;
    this.#circle = isWhole && this.#path.length === 0 ? { x, y, radius } : null;
    this.#path.push(`${this.#path.length === 0 ? "M" : "L"}${at(start)}`);
    if (isWhole) {
      this.#path.push(to(start + Math.PI, false), to(start, false), "Z");
    } else {
      const turn = (counterclockwise ? start - end : end - start) % (2 * Math.PI);
      this.#path.push(to(end, (turn + 2 * Math.PI) % (2 * Math.PI) > Math.PI));
    }
  }

  fill() {
    this.#add(this.#paint("fill", this.fillStyle), this.#shape());
  }

  stroke() {
    this.#add({ fill: "none", ...this.#paint("stroke", this.strokeStyle), ...this.#line() }, this.#shape());
  }

  fillRect(...place) {
    this.#add(this.#paint("fill", this.fillStyle), [box("rect", place), "/>"]);
  }

  /** Embed a canvas as an image. */
  drawImage(canvas, ...place) {
    const look = { opacity: rounded(this.globalAlpha), preserveAspectRatio: "none", href: canvas.toDataURL() };
    this.#add(look, [box("image", place), "/>"]);
  }

  // -- text

  /** Remember an outline, which `fillText` draws together with the text. */
  strokeText(text, x, y) {
    this.#halo = {
      text, x, y, look: { ...this.#paint("stroke", this.strokeStyle), ...this.#line(), "paint-order": "stroke" },
    };
  }

  fillText(text, x, y) {
    const [, weight, size, family] = this.font.match(/^(?:(\d+) )?([\d.]+)px (.*)$/);
    const halo = this.#halo;
    this.#halo = null;
    const hasHalo = halo !== null && halo.text === text && halo.x === x && halo.y === y;
    const look = {
      ...this.#paint("fill", this.fillStyle), ...(hasHalo && halo.look), "font-family": family,
      "font-size": size, ...(weight && { "font-weight": weight }), "text-anchor": ANCHORS[this.textAlign],
    };
    const below = rounded(y + this.#baseline());
    this.#add(look, [`<text x="${rounded(x)}" y="${below}"`, `>${escaped(text)}</text>`]);
  }

  /** Where the baseline is: not all programs for SVG know the middle of a line. */
  #baseline() {
    if (!this.#baselines.has(this.font)) {
      this.#canvas.font = this.font;
      const [middle, alphabetic] = ["middle", "alphabetic"].map((textBaseline) => {
        this.#canvas.textBaseline = textBaseline;
        return this.#canvas.measureText("x").fontBoundingBoxAscent;
      });
      this.#baselines.set(this.font, alphabetic - middle);
    }
    return this.#baselines.get(this.font);
  }

  // -- elements

  #shape() {
    if (this.#circle !== null && this.#path.length === 4) {
      const { x, y, radius } = this.#circle;
      return [`<circle cx="${rounded(x)}" cy="${rounded(y)}" r="${rounded(radius)}"`, "/>"];
    }
    return [`<path d="${this.#path.join("")}"`, "/>"];
  }

  #paint(name, style) {
    const [color, opacity] = this.#color(style);
    const alpha = rounded(opacity * this.globalAlpha);
    return { [name]: color, ...(alpha !== 1 && { [`${name}-opacity`]: alpha }) };
  }

  #line() {
    return {
      "stroke-width": rounded(this.lineWidth),
      ...(this.lineCap !== "butt" && { "stroke-linecap": this.lineCap }),
      ...(this.lineJoin !== "miter" && { "stroke-linejoin": this.lineJoin }),
      ...(this.#dash.length > 0 && { "stroke-dasharray": this.#dash.join(" ") }),
    };
  }

  /** A color of CSS as one without opacity, and its opacity. */
  #color(style) {
    if (!this.#colors.has(style)) {
      this.#canvas.fillStyle = style; // reads back as #rrggbb or rgba(r, g, b, a)
      const plain = this.#canvas.fillStyle;
      const parts = plain.startsWith("#") ? null : plain.match(/[\d.]+/g).map(Number);
      this.#colors.set(style, parts === null ? [plain, 1] : [hexadecimal(parts), parts[3]]);
    }
    return this.#colors.get(style);
  }

  #add(look, part) {
    const attributes = Object.entries(look).map(([name, value]) => ` ${name}="${escaped(String(value))}"`);
    const joined = attributes.join("");
    if (joined !== this.#run.look) {
      this.#endRun();
      this.#run.look = joined;
    }
    this.#run.parts.push(part);
  }

  #endRun() {
    const { look, parts } = this.#run;
    if (parts.length === 1) this.#written.push(parts[0].join(look));
    else if (parts.length > 1) this.#written.push(`<g${look}>`, ...parts.map((part) => part.join("")), "</g>");
    this.#run = { look: "", parts: [] };
  }
}

function pick(context) {
  return Object.fromEntries(STATE.map((name) => [name, context[name]]));
}

function box(name, [x, y, width, height]) {
  return `<${name} x="${rounded(x)}" y="${rounded(y)}" width="${rounded(width)}" height="${rounded(height)}"`;
}

function pair(x, y) {
  return `${rounded(x)} ${rounded(y)}`;
}

function rounded(value) {
  return Math.round(100 * value) / 100;
}

function hexadecimal(parts) {
  return `#${parts.slice(0, 3).map((part) => part.toString(16).padStart(2, "0")).join("")}`;
}
