/**
 * Words as round points, drawn by WebGL2: the vertex shader applies the Möbius map of the view.
 *
 * Shaders have single precision, in which points far out coincide. So places are computed in double
 * precision relative to a base near the center of the view; the base moves along with the view.
 */

import { distance } from "hyperskip/geometry";
import { View } from "hyperskip/view";

const FARTHEST_BASE = 2.5;
const FLOATS_OF_A_POINT = 3; // x, y, importance

const VERTEX_SHADER = `#version 300 es
in vec2 place;
in float importance;
in vec4 color;
uniform vec4 map; // alpha, beta
uniform vec2 stretch;
uniform float pixels;
uniform float least;
uniform float opacity;
out vec4 tint;
out float side;

vec2 times(vec2 a, vec2 b) { return vec2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }

void main() {
  vec2 over = times(map.xy, place) + map.zw;
  vec2 under = times(vec2(map.z, -map.w), place) + vec2(map.x, -map.y);
  vec2 seen = times(over, vec2(under.x, -under.y)) / dot(under, under);
  float room = max(0.0, 1.0 - dot(seen, seen));
  float wanted = pixels * mix(0.30, 1.0, importance) * pow(room, 0.45);
  float smallest = importance > 1.0 ? 6.0 * least : least; // as in canvas_points.js
  side = max(wanted, smallest);
  float faint = importance > 1.0 ? 1.0 : min(1.0, wanted / least);
  tint = vec4(color.rgb, color.a * opacity * max(0.22, faint));
  gl_Position = vec4(seen * stretch, 0.0, 1.0);
  gl_PointSize = side + 1.0;
  if (color.a == 0.0) gl_Position = vec4(2.0, 2.0, 0.0, 1.0);
}`;

const FRAGMENT_SHADER = `#version 300 es
precision mediump float;
in vec4 tint;
in float side;
out vec4 painted;

void main() {
  float away = length(gl_PointCoord - 0.5) * (side + 1.0);
  float cover = clamp(side * 0.5 - away + 0.5, 0.0, 1.0) * tint.a;
  painted = vec4(tint.rgb * cover, cover);
}`;

export class Points {
  /** Points on a canvas; null if the browser has no WebGL2. */
  static on(canvas) {
    const context = canvas.getContext("webgl2", {
      alpha: true, antialias: false, depth: false, premultipliedAlpha: true,
    });
    return context === null ? null : new Points(canvas, context);
  }

  constructor(canvas, gl) {
    this.canvas = canvas;
    this.gl = gl;
    this.count = 0;
    this.base = View.at();
    this.whenRestored = () => {};
    canvas.addEventListener("webglcontextlost", (event) => event.preventDefault());
    canvas.addEventListener("webglcontextrestored", () => {
      this.#prepare();
      this.whenRestored();
    });
    this.#prepare();
  }

  #prepare() {
    const { gl } = this;
    const program = linked(gl, VERTEX_SHADER, FRAGMENT_SHADER);
    gl.useProgram(program);
    this.uniforms = Object.fromEntries(
      ["map", "stretch", "pixels", "least", "opacity"].map(
        (name) => [name, gl.getUniformLocation(program, name)],
      ),
    );
    this.places = gl.createBuffer();
    this.colors = gl.createBuffer();
    const attribute = (name) => gl.getAttribLocation(program, name);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.places);
    gl.enableVertexAttribArray(attribute("place"));
    gl.vertexAttribPointer(attribute("place"), 2, gl.FLOAT, false, 4 * FLOATS_OF_A_POINT, 0);
    gl.enableVertexAttribArray(attribute("importance"));
    gl.vertexAttribPointer(attribute("importance"), 1, gl.FLOAT, false, 4 * FLOATS_OF_A_POINT, 8);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.colors);
    gl.enableVertexAttribArray(attribute("color"));
    gl.vertexAttribPointer(attribute("color"), 4, gl.UNSIGNED_BYTE, true, 0, 0);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
  }

  /** @param {{x: Float64Array, y: Float64Array, importance: Float32Array}} words */
  setWords(words) {
    this.words = words;
    this.count = words.x.length;
    this.floats = new Float32Array(this.count * FLOATS_OF_A_POINT);
    this.#upload(View.at());
  }

  /** @param {Uint8Array} rgba four bytes for each word */
  setColors(rgba) {
    const reversed = new Uint32Array(rgba.slice().buffer).reverse();
    this.gl.bindBuffer(this.gl.ARRAY_BUFFER, this.colors);
    this.gl.bufferData(this.gl.ARRAY_BUFFER, reversed, this.gl.STATIC_DRAW);
  }

  /** Upload the last words first: frequent words are drawn on top of rare ones. */
  #upload(base) {
    const { x, y, importance } = this.words;
    const seen = new Float64Array(3);
    let at = 0;
    for (let i = this.count - 1; i >= 0; i--) {
      base.write(x[i], y[i], seen);
      this.floats[at++] = seen[0];
      this.floats[at++] = seen[1];
      this.floats[at++] = importance[i];
    }
    this.base = base;
    this.gl.bindBuffer(this.gl.ARRAY_BUFFER, this.places);
    this.gl.bufferData(this.gl.ARRAY_BUFFER, this.floats, this.gl.DYNAMIC_DRAW);
  }

  /** @param {{view: View, radius: number, ratio: number, pointSize: number,
   *   opacity: number}} frame */
  draw({ view, radius, ratio, pointSize, opacity }) {
    const { gl, uniforms, canvas } = this;
    if (gl.isContextLost()) return;
    gl.viewport(0, 0, canvas.width, canvas.height);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT);
    if (this.count === 0) return;
    if (distance(view.center, this.base.center) > FARTHEST_BASE) {
      this.#upload(View.at(view.center));
    }
    const seen = view.after(this.base.inverse());
    gl.uniform4f(uniforms.map, ...seen.alpha, ...seen.beta);
    gl.uniform2f(
      uniforms.stretch, (2 * radius * ratio) / canvas.width, (2 * radius * ratio) / canvas.height,
    );
    gl.uniform1f(uniforms.pixels, pointSize * ratio);
    gl.uniform1f(uniforms.least, 1.1 * ratio);
    gl.uniform1f(uniforms.opacity, opacity);
    gl.drawArrays(gl.POINTS, 0, this.count);
  }

  /** The name of the graphics device. */
  get renderer() {
    const extension = this.gl.getExtension("WEBGL_debug_renderer_info");
    const name = extension ? extension.UNMASKED_RENDERER_WEBGL : this.gl.RENDERER;
    return `WebGL2: ${this.gl.getParameter(name)}`;
  }
}

function linked(gl, vertexSource, fragmentSource) {
  const program = gl.createProgram();
  const sources = [[gl.VERTEX_SHADER, vertexSource], [gl.FRAGMENT_SHADER, fragmentSource]];
  for (const [kind, source] of sources) {
    const shader = gl.createShader(kind);
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
  }
  gl.linkProgram(program);
  if (!gl.getProgramParameter(program, gl.LINK_STATUS) && !gl.isContextLost()) {
    throw new Error(`cannot link the shaders: ${gl.getProgramInfoLog(program)}`);
  }
  return program;
}
