/** Words that are spelt nearly as a text: letters missing, added, changed, or two swapped. */

const SHORT = 3; // letters of a text that may be wrong by one only: by two, it would be any word

/**
 * The indices of words within a few mistakes of the text: those with fewest first, then the most
 * important.
 * @param {string} text
 * @param {string[]} words
 * @param {ArrayLike<number>} importance
 * @returns {number[]}
 */
export function nearlySpelt(text, words, importance) {
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

/** The distance of Damerau and Levenshtein between two lists of letters; above `most`, any such. */
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
