import type { Quantity } from './read-quantities.js';

/** Most quantities of a sentence that are combined. The limit bounds the time. */
const MAX_OPERANDS = 12;
/** A number may stand for one with more digits that differs by this share: 1.8 million for 1,796,000. */
const MAX_ROUNDING = 0.05;
const EPSILON = 1e-9;
const YEAR = 'year of the calendar';
const NO_OPERANDS: ReadonlySet<string> = new Set([
  YEAR,
  'month of the calendar',
  'day of the month',
  'time of day',
]);

/** How a quantity of a statement stands to those of the sentences that it is compared with. */
export interface QuantityFinding {
  readonly quantity: Quantity;
  readonly state: 'found' | 'calculated' | 'differs' | 'missing';
  /** Of one that differs: the number of the same kind that the sentences have. */
  readonly from?: Quantity;
}

/**
 * Compares the quantities of a statement with those of the sentences that it matches: each is found, calculated from them, missing
 * or different. `elsewhere` are those of the rest of the passage.
 */
export function compareQuantities(
  stated: readonly Quantity[],
  evidence: readonly Quantity[],
  elsewhere: () => readonly Quantity[],
): QuantityFinding[] {
  const isStated = (quantity: Quantity): boolean => stated.some((one) => isSame(one, quantity));
  const isFound = (quantity: Quantity): boolean => evidence.some((one) => isSame(quantity, one));
  const claims = stated.filter(({ isClaim }) => isClaim);
  const own = claims.filter((quantity) => !isFound(quantity));
  const factors = new Set<Quantity>();
  const calculated = new Set(
    own.filter((quantity) => isCalculated(quantity, { evidence, own, isStated, factors })),
  );
  return claims.map((quantity) => {
    const rival = rivalOf(quantity, evidence, isStated);
    if (isFound(quantity) && !(rival !== undefined && isOtherThing(quantity, evidence)))
      return { quantity, state: 'found' };
    if (calculated.has(quantity) || factors.has(quantity)) return { quantity, state: 'calculated' };
    if (rival !== undefined) return { quantity, state: 'differs', from: rival };
    return { quantity, state: elsewhere().some((one) => isSame(quantity, one)) ? 'found' : 'missing' };
  });
}

/** The same number of the same dimension, or of one that is not told. */
function isSame(a: Quantity, b: Quantity): boolean {
  if (a.isMeasure && b.isMeasure && a.dimension !== b.dimension) return false;
  if (!b.isClaim && a.dimension !== b.dimension) return false;
  return a.values.some((value) =>
    b.values.some((other) => isEqual(value, other, !NO_OPERANDS.has(a.dimension))),
  );
}

/** Equal, or rounded: the first has fewer significant digits. */
function isEqual(value: number, exact: number, mayBeRounded = true): boolean {
  if (Math.abs(value - exact) <= EPSILON * Math.max(1, Math.abs(exact))) return true;
  if (!mayBeRounded || Math.abs(value - exact) > MAX_ROUNDING * Math.abs(exact)) return false;
  const digits = significantDigits(value);
  return (
    digits > 1 &&
    digits < significantDigits(exact) &&
    Number(exact.toPrecision(digits)) === Number(value.toPrecision(digits))
  );
}

function significantDigits(value: number): number {
  return value.toExponential().split('e')[0]?.replace(/\D/g, '').length ?? 0;
}

/** Another number of what this one counts or measures. Preferred: one that the statement does not have. */
function rivalOf(
  { dimension, values }: Quantity,
  evidence: readonly Quantity[],
  isStated: (quantity: Quantity) => boolean,
): Quantity | undefined {
  const rivals = evidence.filter(
    (one) =>
      one.isClaim &&
      one.dimension === dimension &&
      !one.values.some((other) => values.some((value) => isEqual(value, other))),
  );
  return rivals.find((one) => !isStated(one)) ?? rivals[0];
}

/** Whether the number is there, but of other things only: 12 euros for 12 years. */
function isOtherThing(quantity: Quantity, evidence: readonly Quantity[]): boolean {
  return evidence
    .filter((one) => isSame(quantity, one))
    .every(({ dimension }) => dimension !== quantity.dimension && dimension !== '');
}

/**
 * Whether a number is the sum, difference, product, quotient or percentage of two others, of which one at least is of the
 * evidence. The statement has both of the evidence or none: "12 and 5" make 17, but a sentence that keeps the 5 and says 17 for
 * 12 is wrong.
 */
function isCalculated(
  quantity: Quantity,
  {
    evidence,
    own,
    isStated,
    factors,
  }: {
    evidence: readonly Quantity[];
    own: readonly Quantity[];
    isStated: (quantity: Quantity) => boolean;
    factors: Set<Quantity>;
  },
): boolean {
  if (NO_OPERANDS.has(quantity.dimension)) return false;
  const operands = evidence.filter(({ isClaim }) => isClaim).slice(0, MAX_OPERANDS);
  const results = (a: Quantity, b: Quantity): boolean =>
    resultsOf(a, b, quantity).some((result) => quantity.values.some((value) => isEqual(value, result)));
  for (const [index, a] of operands.entries()) {
    for (const b of operands.slice(index + 1))
      if (isStated(a) === isStated(b) && (results(a, b) || results(b, a))) return true;
    for (const b of own.slice(0, MAX_OPERANDS)) {
      if (b === quantity || isStated(a) || !isCount(b) || !results(a, b)) continue;
      factors.add(b);
      return true;
    }
  }
  const parts = operands.filter(({ dimension }) => dimension === quantity.dimension);
  const total = parts.reduce((sum, { values }) => sum + (values[0] ?? 0), 0);
  return parts.length > 2 && !parts.some(isStated) && quantity.values.some((value) => isEqual(value, total));
}

/** The number of a statement's own things, "two adults", multiplies a measure. */
function isCount({ isMeasure }: Quantity): boolean {
  return !isMeasure;
}

/** What two quantities give in the dimension of a third. */
function resultsOf(first: Quantity, second: Quantity, { dimension, isMeasure }: Quantity): number[] {
  const [a, b] = [first.values[0] ?? 0, second.values[0] ?? 0];
  if (first.dimension === YEAR && second.dimension === YEAR)
    return dimension === 'month' ? [12 * Math.abs(a - b)] : [];
  if (NO_OPERANDS.has(first.dimension) || NO_OPERANDS.has(second.dimension)) return [];
  const areAlike = first.dimension === second.dimension;
  const isOfFirst = dimension === first.dimension;
  const results: number[] = [];
  if (areAlike && isOfFirst) results.push(a + b, Math.abs(a - b));
  if (areAlike && dimension === 'percent')
    results.push((100 * a) / b, (100 * Math.abs(a - b)) / a, (100 * a) / (a + b));
  if (areAlike && !isMeasure && !isOfFirst) results.push(a / b);
  if (second.dimension === 'percent' && isOfFirst)
    results.push((a * b) / 100, a * (1 + b / 100), a * (1 - b / 100));
  else if (!areAlike && isOfFirst && Math.abs(b) > 1) results.push(a * b, a / b);
  return results;
}
