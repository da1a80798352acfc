import { isCjkTerm } from '../analysis/word-folder.js';
import type { AnalyzedQuestion } from '../question/analyzed-question.js';
import { type TermVariant, VARIANT_WEIGHT } from '../question/term-variants.js';
import { termId } from '../sparse/sparse-encoder.js';

/** About a third of the bigrams of a Chinese, Japanese or Korean question span two words. */
const CJK_FACTOR = 1.5;
/** What the subject of a question counts that a pronoun stands for. */
const SUBJECT_WEIGHT = 2;

type Weights = ReadonlyMap<string, number>;

/** Measures what a chunk has in common with a question. */
export class QuestionCoverage {
  private readonly readings: readonly Reading[];
  private readonly own: ReadonlyMap<number, number>;
  private readonly background: ReadonlyMap<number, number>;
  private readonly earlier: readonly Reading[];
  private readonly lacksSubject: boolean;
  private readonly negated: readonly number[];
  /** The ids of the other terms of the question that any passage has. */
  private readonly others: readonly number[];

  /** @param found the term ids of all passages that the search has found. Default: passages may have all terms */
  constructor(
    { weights, readings, backgroundWeights, variants, earlier, lacksSubject, negated }: AnalyzedQuestion,
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
    this.earlier = earlier.map((question) => new Reading(question.weights, []));
    this.lacksSubject = lacksSubject;
    this.negated = [...negated].map(termId);
    this.others = [...weights.keys()]
      .filter((term) => !negated.has(term))
      .map(termId)
      .filter((id) => known?.has(id) ?? true);
  }

  /**
   * Whether a passage has all terms of the question, as far as any passage has them, but the one that the question negates:
   * "The south gate is closed" for "Which gate is not open?"
   */
  lacksOnlyNegated(termIds: readonly number[]): boolean {
    const { negated, others } = this;
    if (negated.length === 0 || others.length === 0) return false;
    return !negated.some((id) => termIds.includes(id)) && others.every((id) => termIds.includes(id));
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
   * The coverage of a question whose subject an earlier question names, if a pronoun stands for the subject; else that of the
   * question alone. The subject counts as {@link SUBJECT_WEIGHT} terms.
   */
  withSubject(termIds: readonly number[]): number {
    const own = this.of(termIds);
    if (!this.lacksSubject) return own;
    const subject = Math.max(...this.earlierShares(termIds));
    const { totalWeight } = this;
    return Math.max(own, (own * totalWeight + subject * SUBJECT_WEIGHT) / (totalWeight + SUBJECT_WEIGHT));
  }

  /** The coverage of each earlier question of the conversation, newest first. */
  earlierShares(termIds: readonly number[]): number[] {
    return this.earlier.map((reading) => reading.coverage(termIds));
  }

  /** The weight of all terms of the question. */
  private get totalWeight(): number {
    return [...this.own.values()].reduce((total, weight) => total + weight, 0);
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
