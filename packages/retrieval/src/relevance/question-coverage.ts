import { isCjkTerm } from '../analysis/cjk-term.js';
import type { AnalyzedQuestion } from '../question/analyzed-question.js';
import { termId } from '../sparse/sparse-encoder.js';

/** About a third of the bigrams of a Chinese, Japanese or Korean question span two words. */
const CJK_FACTOR = 1.5;

/** Measures which share of a question's terms a chunk has. */
export class QuestionCoverage {
  /** By term id. */
  private readonly weights: ReadonlyMap<number, number>;
  private readonly factor: number;
  private readonly totalWeight: number;

  constructor({ weights }: AnalyzedQuestion) {
    this.weights = new Map(Array.from(weights, ([term, weight]) => [termId(term), weight]));
    this.totalWeight = [...weights.values()].reduce((total, weight) => total + weight, 0);
    const isCjk = [...weights.keys()].filter(isCjkTerm).length * 2 > weights.size;
    this.factor = isCjk ? CJK_FACTOR : 1;
  }

  /**
   * The share of the weight of the question's terms (see `questionTerms`) that a chunk has, 0..1. 0 for a question
   * without terms.
   *
   * @param termIds of the chunk, each once
   */
  of(termIds: Iterable<number>): number {
    if (this.totalWeight === 0) return 0;
    let found = 0;
    for (const id of termIds) found += this.weights.get(id) ?? 0;
    return Math.min(1, (found / this.totalWeight) * this.factor);
  }
}
