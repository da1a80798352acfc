import { isCjkTerm } from '../analysis/cjk-term.js';
import type { AnalyzedQuestion } from '../question/analyzed-question.js';
import { termId } from '../sparse/sparse-encoder.js';

/** About a third of the bigrams of a Chinese, Japanese or Korean question span two words. */
const CJK_FACTOR = 1.5;

type Weights = ReadonlyMap<string, number>;

/** Measures what a chunk has in common with a question. */
export class QuestionCoverage {
  private readonly readings: readonly Reading[];
  private readonly own: ReadonlyMap<number, number>;
  private readonly background: ReadonlyMap<number, number>;

  /** @param found the term ids of all passages that the search has found. Default: passages may have all terms */
  constructor({ weights, readings, backgroundWeights }: AnalyzedQuestion, found?: Iterable<number>) {
    // People describe a problem in their own words. Those that no passage has do not tell which passage is about it.
    const known = found && new Set(found);
    this.readings =
      readings.length === 0
        ? [new Reading(weights)]
        : readings.map((reading) => new Reading(known ? knownOf(reading, known) : reading));
    this.own = byId(weights);
    this.background = byId(backgroundWeights);
  }

  /**
   * The share of the weight of the question's terms (see `questionTerms`) that a chunk has, 0..1. 0 for a question
   * without terms. Of a question that names no subject, the best reading counts. The background does not count.
   *
   * @param termIds of the chunk, each once
   */
  of(termIds: readonly number[]): number {
    return Math.max(...this.readings.map((reading) => reading.coverage(termIds)));
  }

  /**
   * The share of the question in the weight of the terms that a chunk has of the question and of the background, 0..1: about
   * as much of its BM25 score is that of the question.
   */
  ownShare(termIds: readonly number[]): number {
    const background = weightOf(this.background, termIds);
    if (background === 0) return 1;
    const own = weightOf(this.own, termIds);
    return own / (own + background);
  }
}

class Reading {
  private readonly weights: ReadonlyMap<number, number>;
  private readonly totalWeight: number;
  private readonly factor: number;

  constructor(weights: Weights) {
    this.weights = byId(weights);
    this.totalWeight = [...weights.values()].reduce((total, weight) => total + weight, 0);
    const isCjk = [...weights.keys()].filter(isCjkTerm).length * 2 > weights.size;
    this.factor = isCjk ? CJK_FACTOR : 1;
  }

  coverage(termIds: readonly number[]): number {
    if (this.totalWeight === 0) return 0;
    return Math.min(1, (weightOf(this.weights, termIds) / this.totalWeight) * this.factor);
  }
}

function knownOf(weights: Weights, known: ReadonlySet<number>): Weights {
  return new Map([...weights].filter(([term]) => known.has(termId(term))));
}

function byId(weights: Weights): ReadonlyMap<number, number> {
  return new Map(Array.from(weights, ([term, weight]) => [termId(term), weight]));
}

function weightOf(weights: ReadonlyMap<number, number>, termIds: readonly number[]): number {
  return termIds.reduce((sum, id) => sum + (weights.get(id) ?? 0), 0);
}
