/** A mean with its 95 % confidence interval. */
export interface Estimate {
  readonly value: number;
  readonly low: number;
  readonly high: number;
  /** Questions that it was computed from. */
  readonly count: number;
}

const Z_95 = 1.96;
const ROUNDS = 1_000;
/** The same questions always have the same interval. */
const SEED = 1979;

/**
 * The mean of values in 0..1, with its percentile bootstrap interval: the mean of as many values, drawn with replacement, is
 * computed 1,000 times (Efron, "Bootstrap methods: another look at the jackknife", 1979). If all values are 0, or all are 1,
 * every draw is the same, and the interval would claim a certainty that ten questions cannot give. It is Wilson's then.
 *
 * @returns null without values
 */
export function estimateMean(values: readonly number[]): Estimate | null {
  const count = values.length;
  if (count === 0) return null;
  const value = mean(values);
  if (value === 0 || value === 1) return { value, ...wilsonInterval(value * count, count), count };
  const [low, high] = bootstrapInterval(values);
  return { value, low, high, count };
}

/** The 2.5th and 97.5th percentile of the means of resampled values. */
export function bootstrapInterval(values: readonly number[]): [low: number, high: number] {
  const random = seededRandom(SEED);
  const means = Float64Array.from({ length: ROUNDS }, () => {
    let sum = 0;
    for (let drawn = 0; drawn < values.length; drawn += 1)
      sum += values[Math.floor(random() * values.length)] ?? 0;
    return sum / values.length;
  }).sort();
  return [means[Math.floor(ROUNDS * 0.025)] ?? 0, means[Math.ceil(ROUNDS * 0.975) - 1] ?? 0];
}

/**
 * The 95 % confidence interval of a share. Source: Wilson, "Probable inference, the law of succession, and statistical
 * inference", 1927.
 */
export function wilsonInterval(count: number, total: number): { low: number; high: number } {
  const share = count / total;
  const z2 = Z_95 ** 2 / total;
  const centre = (share + z2 / 2) / (1 + z2);
  const half = (Z_95 / (1 + z2)) * Math.sqrt((share * (1 - share)) / total + z2 / (4 * total));
  return { low: Math.max(0, centre - half), high: Math.min(1, centre + half) };
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Reproducible random numbers in [0, 1): mulberry32 by Tommy Ettinger (public domain). */
export function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
