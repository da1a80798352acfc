/** A model that places texts in a vector space. */
export interface EmbeddingModel {
  /** `[a-z0-9_]`: names the space, so that vectors of equal fingerprints, and no others, can be compared. */
  readonly fingerprint: string;
  /** Length of every vector. */
  readonly dimensions: number;
  /** Names whose limits requests count against, without giving the key away: what shares an account shares them. */
  readonly account: string;
  /** The most tokens that one text may have, by the model's own count. */
  readonly maxInputTokens: number;

  /**
   * One vector for each text, in the order of the texts.
   *
   * @param options.kind what the texts are: some models embed questions differently from what they search
   * @throws ModelError, or the signal's reason
   */
  embed(
    texts: readonly string[],
    options: { signal: AbortSignal; kind: 'document' | 'query' },
  ): Promise<Float32Array[]>;
}
