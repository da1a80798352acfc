import type { ModelError } from './model.error.js';

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
  /** Whether a neural network computes the vectors. The built-in model has a table of vectors, and is less exact. */
  readonly isNeural: boolean;
  /** Maximum length of a text, in tokens of the model. */
  readonly maxInputTokens: number;

  /**
   * Returns one vector per text, in the order of the texts.
   *
   * @param options.kind some models embed queries and documents differently
   * @param options.onRefusedText is told which text the model refuses. The vector of that text is empty. Without it, such a
   * text fails the call
   * @throws ModelError, or the reason of the signal
   */
  embed(
    texts: readonly string[],
    options: {
      signal: AbortSignal;
      kind: 'document' | 'query';
      onRefusedText?: (index: number, error: ModelError) => void;
    },
  ): Promise<Float32Array[]>;
}
