import type { Pooling } from './model-files.js';

/**
 * Makes one vector of length 1 per text from the vectors of its tokens.
 *
 * @param tokenVectors of texts × tokens × dimensions
 * @param lengths tokens of each text. Texts are padded at the end
 */
export function poolVectors(
  tokenVectors: Float32Array,
  [, tokens, dimensions]: readonly [texts: number, tokens: number, dimensions: number],
  lengths: readonly number[],
  pooling: Pooling,
): Float32Array[] {
  return lengths.map((length, text) => {
    const vectorOf = (token: number): Float32Array => {
      const from = (text * tokens + token) * dimensions;
      return tokenVectors.subarray(from, from + dimensions);
    };
    if (pooling === 'first') return normalized(vectorOf(0));
    if (pooling === 'last') return normalized(vectorOf(length - 1));
    const sum = new Float32Array(dimensions);
    for (let token = 0; token < length; token += 1) {
      const vector = vectorOf(token);
      for (let at = 0; at < dimensions; at += 1) sum[at]! += vector[at]!;
    }
    // The mean has the direction of the sum.
    return normalized(sum);
  });
}

/** A vector of length 1 with the same direction. The zero vector stays. */
export function normalized(vector: Float32Array): Float32Array {
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0)) || 1;
  return vector.map((value) => value / length);
}

/**
 * Probability that a text answers a question, from the output of a cross-encoder: one logit, or one each for "no" and "yes".
 */
export function toProbability(logits: Float32Array): number {
  const [first = 0, second] = logits;
  return 1 / (1 + Math.exp(second === undefined ? -first : first - second));
}
