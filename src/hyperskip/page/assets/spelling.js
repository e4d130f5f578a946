/** Words with a similar spelling: letters missing, added, changed or swapped. */

const SHORT = 3; // letters; a shorter text may have one mistake only, as with two it could be any word

/**
 * Return the indices of words within a few mistakes of the text: fewest mistakes first, then the most
 * important.
 * @param {string} text
 * @param {string[]} words
 * @param {ArrayLike<number>} importance
 * @returns {number[]}
 */
export function similarlySpelled(text, words, importance) {
  const wanted = [...text.toLowerCase()];
  const most = wanted.length <= SHORT ? 1 : 2;
  const near = [];
  words.forEach((word, index) => {
    const count = mistakes(wanted, [...word.toLowerCase()], most);
    if (count <= most) near.push({ index, count });
  });
  near.sort((a, b) => a.count - b.count || importance[b.index] - importance[a.index]);
  return near.map(({ index }) => index);
}

/** The Damerau-Levenshtein distance; a value above `most` only says that it is larger. */
function mistakes(first, second, most) {
  if (Math.abs(first.length - second.length) > most) return most + 1;
  let before = [];
  let last = Array.from({ length: second.length + 1 }, (_, j) => j);
  for (let i = 1; i <= first.length; i++) {
    const row = [i];
    for (let j = 1; j <= second.length; j++) {
      const changed = last[j - 1] + Number(first[i - 1] !== second[j - 1]);
      row[j] = Math.min(changed, last[j] + 1, row[j - 1] + 1);
      const isSwapped = i > 1 && j > 1
        && first[i - 1] === second[j - 2] && first[i - 2] === second[j - 1];
      if (isSwapped) row[j] = Math.min(row[j], before[j - 2] + 1);
    }
    if (Math.min(...row) > most) return most + 1;
    [before, last] = [last, row];
  }
  return last[second.length];
}
