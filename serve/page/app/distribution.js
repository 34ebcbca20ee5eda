// Odds as the graphs read them: points in order, exactly, at least or at most, with their exact
// fractions if there are any.

/**
 * @typedef {'exactly' | 'least' | 'most'} Mode
 * @typedef {{value: any, p: number, weight: bigint | null}} Point
 * @typedef {{points: Point[], denominator: bigint | null}} Distribution
 */

/** The texts of the modes. @type {[Mode, string][]} */
export const MODES = [
  ['exactly', 'exactly'],
  ['least', 'at least'],
  ['most', 'at most'],
];

/** @param {any} odds a document of odds @returns {Distribution} */
export function distribution(odds) {
  const denominator = odds.denominator ? BigInt(odds.denominator) : null;
  const points = (odds.outcomes ?? []).map((/** @type {any} */ { value, p, weight }) => ({
    value,
    p,
    weight: weight && denominator ? BigInt(weight) : null,
  }));
  return { points, denominator };
}

/** Whether outcomes are numbers, so that they have places on an axis. @param {any} odds */
export function isNumeric(odds) {
  return (odds.kind === 'number' || odds.kind === 'test') && Array.isArray(odds.outcomes);
}

/** @param {Distribution} from @param {Mode} mode @returns {Distribution} */
export function cumulated(from, mode) {
  if (mode === 'exactly') return from;
  const points = [...from.points];
  if (mode === 'least') points.reverse();
  let p = 0;
  let weight = 0n;
  const sums = points.map((point) => {
    p += point.p;
    weight += point.weight ?? 0n;
    return { value: point.value, p: Math.min(p, 1), weight: point.weight === null ? null : weight };
  });
  if (mode === 'least') sums.reverse();
  return { points: sums, denominator: from.denominator };
}

/**
 * The chance at a value, which may be one that there is not.
 * @param {Point[]} points of odds that are cumulated by this mode, in order
 * @param {number} value @param {Mode} mode
 */
export function chanceAt(points, value, mode) {
  const near =
    mode === 'most'
      ? points.findLast((point) => point.value <= value)
      : points.find((point) => point.value >= value);
  return near && (mode !== 'exactly' || near.value === value) ? near.p : 0;
}

/** The smallest step between two values: 1 for whole numbers. @param {Distribution[]} all */
export function step(all) {
  let least = Infinity;
  for (const { points } of all) {
    for (let i = 1; i < points.length; i += 1)
      least = Math.min(least, points[i].value - points[i - 1].value);
  }
  return Number.isFinite(least) && least > 0 ? Math.min(least, 1) : 1;
}

/**
 * The range of values that a graph shows: without the ends that together hold less than one in
 * 100,000, if they would
 * take much room.
 * @param {Distribution[]} all
 */
export function extent(all) {
  const whole = range(all.map(({ points }) => points));
  const inner = range(all.map(({ points }) => core(points)));
  const cut = whole.high - whole.low > 1.3 * (inner.high - inner.low) + 8;
  return { ...(cut ? inner : whole), cut };
}

/** @param {Point[][]} all */
function range(all) {
  const ends = all.filter((points) => points.length > 0);
  return {
    low: Math.min(...ends.map((points) => points[0].value)),
    high: Math.max(...ends.map((points) => /** @type {Point} */ (points.at(-1)).value)),
  };
}

/** @param {Point[]} points */
function core(points) {
  const bound = 5e-6;
  let [first, last, below, above] = [0, points.length - 1, 0, 0];
  while (first < last && below + points[first].p < bound) below += points[first++].p;
  while (last > first && above + points[last].p < bound) above += points[last--].p;
  return points.slice(first, last + 1);
}
