/** A hierarchy in the page: parents and children of words, by their indices. */

export class Tree {
  /**
   * @param {number[][]} edges child and parent
   * @param {number[]} depths
   */
  constructor(edges, depths) {
    this.depths = depths;
    this.parents = depths.map(() => []);
    this.children = depths.map(() => []);
    for (const [child, parent] of edges) {
      this.parents[child].push(parent);
      this.children[parent].push(child);
    }
    // The deepest parent comes first: it is the next one on the path to the root.
    for (const parents of this.parents) parents.sort((a, b) => depths[b] - depths[a]);
    // Words are in order of importance.
    for (const children of this.children) children.sort((a, b) => a - b);
  }

  /** @param {(index: number) => object} wordOf @returns {import("hyperskip/relatives").Relatives} */
  relativesOf(index, wordOf) {
    const parents = this.parents[index].map(wordOf);
    const children = this.children[index].map(wordOf);
    return {
      depth: this.depths[index], below: this.#below(index), path: this.#path(index).map(wordOf),
      parents, children, parentCount: parents.length, childCount: children.length,
    };
  }

  /** The main parents of a word, from the root down. */
  #path(index) {
    const path = [];
    const seen = new Set([index]); // edges may form a cycle
    let next = this.parents[index][0];
    while (next !== undefined && !seen.has(next)) {
      seen.add(next);
      path.unshift(next);
      next = this.parents[next][0];
    }
    return path;
  }

  #below(index) {
    const seen = new Set([index]);
    for (const one of seen) for (const child of this.children[one]) seen.add(child);
    return seen.size - 1;
  }
}
