/** The data of an exported page: plain values, and arrays of numbers in base64 or in files. */

const ADDRESS = "./hyperskip-explorer.json"; // in a folder
const TYPES = {
  float64: Float64Array, int32: Int32Array, uint32: Uint32Array, uint16: Uint16Array,
};
const STEPS = 65535; // of the numbers of a list

export class StoredData {
  constructor(values) {
    this.values = values;
    this.loaded = new Map(); // promises of arrays, by name
  }

  /** Load the values: from the page, or from the file next to it. */
  static async load() {
    const inside = document.getElementById("data");
    return new StoredData(
      inside === null ? await (await fetched(ADDRESS)).json() : JSON.parse(inside.textContent),
    );
  }

  /** An array of numbers; a file is loaded when it is first needed. */
  async array(name) {
    if (!this.loaded.has(name)) this.loaded.set(name, this.#read(this.values.arrays[name]));
    return this.loaded.get(name);
  }

  async #read({ type, base64, file }) {
    const buffer = base64 === undefined
      ? await (await fetched(`./${file}`)).arrayBuffer()
      : Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0)).buffer;
    return new TYPES[type](buffer);
  }

  /** The first members of the list of a word, with their numbers if it has any. */
  async listOf(name, index, count = Infinity) {
    const hasNumbers = `${name}_numbers` in this.values.arrays;
    const [ends, members, numbers] = await Promise.all(
      [`${name}_ends`, name, ...(hasNumbers ? [`${name}_numbers`] : [])].map((one) => this.array(one)),
    );
    const begin = index === 0 ? 0 : ends[index - 1];
    const end = Math.min(ends[index], begin + count);
    const [least, greatest] = this.values.ranges[name];
    return {
      members: Array.from(members.subarray(begin, end)),
      numbers: Array.from(
        numbers?.subarray(begin, end) ?? [], (step) => least + (step / STEPS) * (greatest - least),
      ),
      total: ends[index] - begin,
    };
  }
}

async function fetched(address) {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address}: ${response.status}`);
  return response;
}
