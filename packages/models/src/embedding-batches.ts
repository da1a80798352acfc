export interface BatchLimits {
  /** Maximum number of texts per request. */
  maxInputs: number;
  /** Maximum number of tokens per request, over all its texts. */
  maxTokens: number;
}

/** A range of texts: `from` is inclusive, `to` is exclusive. */
export interface Batch {
  from: number;
  to: number;
}

/** Splits texts into contiguous batches within both limits. A text over `maxTokens` gets its own batch. */
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
 * Upper estimate of the tokens of a text without a tokenizer: a third of its UTF-8 bytes. English has about
 * four bytes per token. Scripts with three bytes per character have about one token per character.
 */
export function estimateTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / 3);
}
