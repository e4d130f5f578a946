/** Polygons on the screen: which points are inside of them. A polygon is an array of corners [x, y]. */

/** A rectangle around a center. */
export function rectangle([x, y], width, height) {
  const [right, low] = [width / 2, height / 2];
  return [[x - right, y - low], [x + right, y - low], [x + right, y + low], [x - right, y + low]];
}

/** The smallest rectangle that contains a polygon. */
export function bounds(polygon) {
  const [left, top] = [0, 1].map((axis) => Math.min(...polygon.map((corner) => corner[axis])));
  const [right, bottom] = [0, 1].map((axis) => Math.max(...polygon.map((corner) => corner[axis])));
  return { left, top, right, bottom };
}

/**
 * A function that says whether a point is inside: the polygon winds around it. So loops of a line that
 * crosses itself count as well, as they do when SVG fills them.
 * @param {number[][]} polygon
 * @returns {(x: number, y: number) => boolean}
 */
export function insideOf(polygon) {
  const { left, top, right, bottom } = bounds(polygon);
  return (x, y) => x >= left && x <= right && y >= top && y <= bottom && turnsAround(polygon, x, y) !== 0;
}

function turnsAround(polygon, x, y) {
  let turns = 0;
  let [fromX, fromY] = polygon.at(-1);
  for (const [toX, toY] of polygon) {
    if ((fromY <= y) !== (toY <= y)) {
      const side = (toX - fromX) * (y - fromY) - (x - fromX) * (toY - fromY);
      if (toY > fromY && side > 0) turns += 1;
      if (toY < fromY && side < 0) turns -= 1;
    }
    [fromX, fromY] = [toX, toY];
  }
  return turns;
}

/** The words whose points are inside a polygon on the page, the most important first, by index. */
export function wordsInside(disc, polygon) {
  const { words, view } = disc;
  const isInside = insideOf(polygon.map((corner) => disc.seenAt(corner)));
  const seen = new Float64Array(3);
  const found = [];
  for (let i = 0; i < words.x.length; i++) {
    view.write(words.x[i], words.y[i], seen);
    if (isInside(seen[0], seen[1]) && disc.visible(i)) found.push(i);
  }
  return found;
}
