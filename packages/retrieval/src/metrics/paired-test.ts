import { bootstrapInterval, mean, seededRandom } from './interval.js';

/** How a measure differs between two configurations that answered the same questions. */
export interface Difference {
  /** Mean of the first minus that of the second. */
  readonly value: number;
  /** 95 % bootstrap interval of the difference. */
  readonly low: number;
  readonly high: number;
  /** Probability of a difference at least as large, in either direction, if both configurations were equally good. */
  readonly p: number;
  readonly better: number;
  readonly worse: number;
  readonly equal: number;
}

const ROUNDS = 4_000;
const SEED = 1935;
/** Most questions with different results for which all assignments are tried. */
const MAX_EXACT = 12;
/** Sums that are equal but for rounding. */
const EPSILON = 1e-9;

/**
 * Compares two configurations question by question, with Fisher's randomization test: if both were equally good, each
 * difference could as well have had the other sign. `p` is the share of all assignments of signs whose mean is at least as far
 * from 0 (Smucker, Allan and Carterette, "A comparison of statistical significance tests for information retrieval
 * evaluation", 2007). Equal results have p = 1.
 *
 * @param one results of one configuration, by question
 * @param other those of the other, in the same order
 * @returns null without questions
 */
export function pairedDifference(one: readonly number[], other: readonly number[]): Difference | null {
  if (one.length !== other.length)
    throw new Error('Both configurations must have answered the same questions.');
  if (one.length === 0) return null;
  const differences = one.map((value, index) => value - (other[index] ?? 0));
  const [low, high] = bootstrapInterval(differences);
  const better = differences.filter((difference) => difference > 0).length;
  const worse = differences.filter((difference) => difference < 0).length;
  return {
    value: mean(differences),
    low,
    high,
    p: randomizationTest(differences.filter((difference) => difference !== 0)),
    better,
    worse,
    equal: differences.length - better - worse,
  };
}

function randomizationTest(differences: readonly number[]): number {
  const { length } = differences;
  const observed = Math.abs(sum(differences));
  const random = seededRandom(SEED);
  const isExact = length <= MAX_EXACT;
  const assignments = isExact ? 2 ** length : ROUNDS;
  // The observed assignment is one of those that are drawn, so that p is never 0.
  let asFar = isExact ? 0 : 1;
  for (let assignment = 0; assignment < assignments; assignment += 1) {
    let total = 0;
    for (let index = 0; index < length; index += 1) {
      const isFlipped = isExact ? (assignment >> index) % 2 === 1 : random() < 0.5;
      total += (isFlipped ? -1 : 1) * (differences[index] ?? 0);
    }
    if (Math.abs(total) >= observed - EPSILON) asFar += 1;
  }
  return asFar / (isExact ? assignments : assignments + 1);
}

/**
 * Which of several tests are significant, by Holm's method: the probability that any of them is a false alarm is at most
 * `level` (Holm, "A simple sequentially rejective multiple test procedure", 1979).
 */
export function significantTests<Name extends string>(
  tests: readonly { readonly name: Name; readonly p: number }[],
  level = 0.05,
): Set<Name> {
  const sorted = tests.toSorted((one, other) => one.p - other.p);
  const failed = sorted.findIndex(({ p }, index) => p > level / (sorted.length - index));
  return new Set(sorted.slice(0, failed < 0 ? sorted.length : failed).map(({ name }) => name));
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
