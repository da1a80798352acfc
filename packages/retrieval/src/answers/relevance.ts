import { analyze } from '../analysis/analyzer.js';
import { isCjkTerm } from '../analysis/cjk-term.js';
import { coverage, questionTerms } from './question-terms.js';

/** What is judged: a hit's text and header, and its scores as far as they are known. */
export interface RelevanceHit {
  readonly text: string;
  readonly header?: string;
  /** Normalised lexical score, 0..1. It can only speak for a hit: in a small datastore every score is low. */
  readonly lexicalScore?: number;
  /** Cosine to the question, -1..1; heeded only with `minCosine`. */
  readonly cosine?: number;
}

export interface RelevanceOptions {
  /** A cosine from which a hit is relevant whatever its words. It depends on the model; none by default. */
  readonly minCosine?: number;
}

const MIN_COVERAGE = 0.5;
/** Bigrams are finer than words: half of a Chinese question's are joints between words. */
const MIN_COVERAGE_CJK = 1 / 3;
const MIN_COVERAGE_WITH_SCORE = 0.3;
const MIN_LEXICAL_SCORE = 0.5;

/**
 * Makes the test that decides, without a model, whether a hit can answer the question. A hit is relevant when
 * it covers half of the question's weight (a third in Chinese, Japanese and Korean; see `questionTerms`), or .3
 * of it with a normalised lexical score of .5. A question without content terms finds nothing relevant;
 * `asksAboutTheWhole` tells which of those a document's opening answers.
 *
 * Measured on XQuAD with half of the articles indexed (`bench/src/lexical-quality.bench.ts`): of the questions
 * whose article is there 98 % find something relevant in English, 91 % in German, 94 % in Russian and Chinese,
 * 93 % in Arabic; of those whose article is missing 22, 9, 18, 18 and 18 % do. The thresholds were chosen on
 * these questions, so expect a little less elsewhere.
 */
export function relevanceTest(
  question: string,
  { minCosine }: RelevanceOptions = {},
): (hit: RelevanceHit) => boolean {
  const terms = questionTerms(question);
  const cjk = [...terms.keys()].filter(isCjkTerm).length * 2 > terms.size;
  const enough = cjk ? MIN_COVERAGE_CJK : MIN_COVERAGE;
  return ({ text, header = '', lexicalScore = 0, cosine }) => {
    if (terms.size === 0) return false;
    if (minCosine !== undefined && cosine !== undefined && cosine >= minCosine) return true;
    const covered = coverage(terms, new Set(analyze(`${header}\n${text}`)));
    return covered >= enough || (covered >= MIN_COVERAGE_WITH_SCORE && lexicalScore >= MIN_LEXICAL_SCORE);
  };
}

/** `relevanceTest` for a single hit. */
export function isRelevant(question: string, hit: RelevanceHit, options?: RelevanceOptions): boolean {
  return relevanceTest(question, options)(hit);
}
