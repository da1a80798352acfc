/** Seed of the rotation's sign flips. Codes are never stored, so it may change freely. */
const SEED = 0x9e3779b9;

/**
 * One bit a dimension: the sign of each coordinate after centring and a pseudo-random rotation. The Hamming distance of
 * two codes grows with the angle between the vectors (Charikar, "Similarity estimation techniques from rounding
 * algorithms", STOC 2002), and comparing 64 bytes is some thirty times cheaper than 384 multiplications.
 *
 * The rotation (random signs, then a Walsh–Hadamard transform, twice: Ailon and Chazelle, "The fast Johnson–Lindenstrauss
 * transform") spreads what a model keeps in a few dimensions over all bits. It pads to a power of two of at least
 * {@link MIN_BITS}; the additional bits are additional precision.
 */
export class SignCoder {
  /** Words of 32 bits in a code. */
  readonly words: number;
  private readonly padded: Float32Array;
  private readonly flips: readonly [Float32Array, Float32Array];

  /** @param center mean of the vectors, which models keep far from zero: without it all signs would be alike */
  constructor(private readonly center: Float32Array) {
    let size = MIN_BITS;
    while (size < center.length) size *= 2;
    this.words = size / 32;
    this.padded = new Float32Array(size);
    const random = xorshift32(SEED);
    this.flips = [randomSigns(size, random), randomSigns(size, random)];
  }

  /** Writes the code of a vector into `codes` from word `at` on. */
  encode(vector: Float32Array, codes: Int32Array, at: number): void {
    const { padded, center } = this;
    padded.fill(0);
    for (let i = 0; i < vector.length; i++) padded[i] = vector[i]! - center[i]!;
    for (const flip of this.flips) {
      for (let i = 0; i < padded.length; i++) padded[i]! *= flip[i]!;
      walshHadamard(padded);
    }
    for (let word = 0; word < this.words; word++) {
      let bits = 0;
      for (let bit = 0; bit < 32; bit++) if (padded[word * 32 + bit]! > 0) bits |= 1 << bit;
      codes[at + word] = bits;
    }
  }
}

/** Fewest bits of a code. */
export const MIN_BITS = 512;

/**
 * Number of bits that differ between `query` and the code that begins at `at` in `codes`. Bits are summed within the words,
 * two words at a time until their nibbles are full (Warren, "Hacker's Delight", chapter 5).
 * @param query an even number of words, at most the code's
 */
export function hammingDistance(codes: Int32Array, at: number, query: Int32Array): number {
  let distance = 0;
  for (let word = 0; word < query.length; word += 2) {
    let a = codes[at + word]! ^ query[word]!;
    let b = codes[at + word + 1]! ^ query[word + 1]!;
    a -= (a >>> 1) & 0x55555555;
    b -= (b >>> 1) & 0x55555555;
    const nibbles = (a & 0x33333333) + ((a >>> 2) & 0x33333333) + (b & 0x33333333) + ((b >>> 2) & 0x33333333);
    const bytes = (nibbles & 0x0f0f0f0f) + ((nibbles >>> 4) & 0x0f0f0f0f);
    distance += Math.imul(bytes, 0x01010101) >>> 24;
  }
  return distance;
}

/** In place; unscaled, as only signs are used. */
function walshHadamard(values: Float32Array): void {
  for (let half = 1; half < values.length; half *= 2) {
    for (let start = 0; start < values.length; start += 2 * half) {
      for (let i = start; i < start + half; i++) {
        const a = values[i]!;
        const b = values[i + half]!;
        values[i] = a + b;
        values[i + half] = a - b;
      }
    }
  }
}

function randomSigns(size: number, random: () => number): Float32Array {
  return new Float32Array(size).map(() => (random() & 1 ? 1 : -1));
}

/** Marsaglia, "Xorshift RNGs", 2003; returns a high bit's neighbourhood, as the low bits are weak. */
function xorshift32(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 16;
  };
}
