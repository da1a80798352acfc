/** A model that maps texts to vectors. */
export interface EmbeddingModel {
  /** `[a-z0-9_]`, part of the name of a space. Only vectors with equal fingerprints can be compared. */
  readonly fingerprint: string;
  /** Length of every vector. */
  readonly dimensions: number;
  /**
   * Hash of the provider's address and key. Models with the same account share the provider's rate limits.
   */
  readonly account: string;
  /** Weight of the model's search in a search by words and meaning, 0..1; see docs/retrieval.md. */
  readonly denseWeight: number;
  /** Maximum length of a text, in tokens of the model. */
  readonly maxInputTokens: number;

  /**
   * Returns one vector per text, in the order of the texts.
   *
   * @param options.kind some models embed queries and documents differently
   * @throws ModelError, or the reason of the signal
   */
  embed(
    texts: readonly string[],
    options: { signal: AbortSignal; kind: 'document' | 'query' },
  ): Promise<Float32Array[]>;
}
