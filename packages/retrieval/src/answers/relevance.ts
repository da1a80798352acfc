import { analyze } from '../analysis/analyzer.js';
import { isCjkTerm } from '../analysis/cjk-term.js';
import { coverage, questionTerms } from '../question/question-terms.js';

/** The text and header of a hit, with its scores if they are known. */
export interface RelevanceHit {
  readonly text: string;
  readonly header?: string;
  /**
   * Normalised lexical score, 0..1. A high score is evidence of relevance. A low one is not evidence against
   * it: in a small datastore all scores are low.
   */
  readonly lexicalScore?: number;
  /** Cosine similarity to the question, −1..1. Used only with `minCosine`. */
  readonly cosine?: number;
}

export interface RelevanceOptions {
  /** A hit with at least this cosine is relevant, whatever its terms. Depends on the model. Default: none. */
  readonly minCosine?: number;
}

const MIN_COVERAGE = 0.5;
/** Lower than for words: about half of the bigrams of a Chinese question span two words. */
const MIN_COVERAGE_CJK = 1 / 3;
const MIN_COVERAGE_WITH_SCORE = 0.3;
const MIN_LEXICAL_SCORE = 0.5;

/**
 * Returns a test that decides without a model whether a hit can answer the question. A hit is relevant if it
 * covers half of the weight of the question's terms (a third in Chinese, Japanese and Korean; see
 * `questionTerms`), or 0.3 of it with a normalised lexical score of 0.5. A question without content terms has
 * no relevant hits; see `asksAboutWholeDocument` for those that the introduction of a document answers.
 *
 * Measured on XQuAD with half of the articles indexed (`bench/src/lexical-quality.bench.ts`). Share of
 * questions with a relevant hit if their article is indexed: 98 % in English, 91 % in German, 94 % in Russian
 * and Chinese, 93 % in Arabic. If it is not indexed: 22, 9, 18, 18 and 18 %. The thresholds were chosen on
 * these questions, so expect slightly worse results elsewhere.
 */
export function relevanceTest(
  question: string,
  { minCosine }: RelevanceOptions = {},
): (hit: RelevanceHit) => boolean {
  const terms = questionTerms(question);
  const cjk = [...terms.keys()].filter(isCjkTerm).length * 2 > terms.size;
  const minCoverage = cjk ? MIN_COVERAGE_CJK : MIN_COVERAGE;
  return ({ text, header = '', lexicalScore = 0, cosine }) => {
    if (terms.size === 0) return false;
    if (minCosine !== undefined && cosine !== undefined && cosine >= minCosine) return true;
    const covered = coverage(terms, new Set(analyze(`${header}\n${text}`)));
    return (
      covered >= minCoverage || (covered >= MIN_COVERAGE_WITH_SCORE && lexicalScore >= MIN_LEXICAL_SCORE)
    );
  };
}

/** `relevanceTest` for a single hit. */
export function isRelevant(question: string, hit: RelevanceHit, options?: RelevanceOptions): boolean {
  return relevanceTest(question, options)(hit);
}
