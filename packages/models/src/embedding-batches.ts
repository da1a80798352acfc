export interface BatchLimits {
  /** The most texts in one request. */
  maxInputs: number;
  /** The most tokens in one request, over all its texts. */
  maxTokens: number;
}

/** A run of texts, by their positions in the whole: `from` is included, `to` is not. */
export interface Batch {
  from: number;
  to: number;
}

/** Cuts texts into runs within both limits. A text that exceeds the tokens alone has a batch of its own. */
export function planBatches(tokenCounts: readonly number[], { maxInputs, maxTokens }: BatchLimits): Batch[] {
  const batches: Batch[] = [];
  let from = 0;
  let tokens = 0;
  for (const [at, count] of tokenCounts.entries()) {
    const full = at - from >= maxInputs || tokens + count > maxTokens;
    if (full && at > from) {
      batches.push({ from, to: at });
      from = at;
      tokens = 0;
    }
    tokens += count;
  }
  if (from < tokenCounts.length) batches.push({ from, to: tokenCounts.length });
  return batches;
}

/**
 * An upper estimate of a text's tokens without a tokenizer: a third of its UTF-8 bytes. English has about four bytes a
 * token, and scripts of three bytes a character about one token a character.
 */
export function estimateTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / 3);
}
