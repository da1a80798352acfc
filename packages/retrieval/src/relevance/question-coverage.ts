import { isCjkTerm } from '../analysis/cjk-term.js';
import type { AnalyzedQuestion } from '../question/analyzed-question.js';
import { type TermVariant, VARIANT_WEIGHT } from '../question/term-variants.js';
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
  constructor(
    { weights, readings, backgroundWeights, variants }: AnalyzedQuestion,
    found?: Iterable<number>,
  ) {
    // People describe a problem in their own words. Those that no passage has do not tell which passage is about it.
    const known = found && new Set(found);
    const ids = variants.map(variantIds);
    this.readings =
      readings.length === 0
        ? [new Reading(weights, ids)]
        : readings.map((reading) => new Reading(known ? knownOf(reading, known, ids) : reading, ids));
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

/** A {@link TermVariant} of ids. */
interface VariantIds {
  readonly needs: readonly number[];
  readonly terms: readonly number[];
}

class Reading {
  private readonly weights: ReadonlyMap<number, number>;
  private readonly totalWeight: number;
  private readonly factor: number;

  constructor(
    weights: Weights,
    private readonly variants: readonly VariantIds[],
  ) {
    this.weights = byId(weights);
    this.totalWeight = [...weights.values()].reduce((total, weight) => total + weight, 0);
    const isCjk = [...weights.keys()].filter(isCjkTerm).length * 2 > weights.size;
    this.factor = isCjk ? CJK_FACTOR : 1;
  }

  coverage(termIds: readonly number[]): number {
    if (this.totalWeight === 0) return 0;
    const found =
      weightOf(this.weights, termIds) + VARIANT_WEIGHT * weightOf(this.weights, this.varied(termIds));
    return Math.min(1, (found / this.totalWeight) * this.factor);
  }

  /** The terms of the question of which a chunk has only a variant. */
  private varied(termIds: readonly number[]): number[] {
    if (this.variants.length === 0) return [];
    const own = new Set(termIds);
    return termsByVariants(this.variants, own).filter((id) => !own.has(id));
  }
}

/** The terms, each once, of the variants that `found` has. */
function termsByVariants(variants: readonly VariantIds[], found: ReadonlySet<number>): number[] {
  const has = (id: number): boolean => found.has(id);
  return [...new Set(variants.flatMap(({ needs, terms }) => (needs.every(has) ? terms : [])))];
}

function knownOf(weights: Weights, found: ReadonlySet<number>, variants: readonly VariantIds[]): Weights {
  const known = new Set([...found, ...termsByVariants(variants, found)]);
  return new Map([...weights].filter(([term]) => known.has(termId(term))));
}

function variantIds({ needs, terms }: TermVariant): VariantIds {
  return { needs: needs.map(termId), terms: terms.map(termId) };
}

function byId(weights: Weights): ReadonlyMap<number, number> {
  return new Map(Array.from(weights, ([term, weight]) => [termId(term), weight]));
}

function weightOf(weights: ReadonlyMap<number, number>, termIds: readonly number[]): number {
  return termIds.reduce((sum, id) => sum + (weights.get(id) ?? 0), 0);
}
