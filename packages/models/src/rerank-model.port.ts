/** A model that reads a question and a text together, and scores how well the text answers the question. */
export interface RerankModel {
  /**
   * Returns one score per text, 0..1, in the order of the texts. Scores of different models cannot be compared.
   *
   * @throws ModelError, or the reason of the signal
   */
  rerank(question: string, texts: readonly string[], options: { signal: AbortSignal }): Promise<number[]>;
}
