import thresholds from './thresholds.json' with { type: 'json' };

/** What is known about a hit of a search. */
export interface Evidence {
  /** Share of the question's terms in the hit, 0..1; see `QuestionCoverage`. */
  readonly coverage: number;
  /** BM25 score of the hit; 0 if the search by words did not find it. */
  readonly bm25: number;
  /**
   * Cosine of question and hit, scaled so that unrelated texts have 0; see `CosineScale`. Absent if the search was by
   * words only.
   */
  readonly similarity?: number | undefined;
  /** Whether the similarity is that of a neural model, which counts more. Default: false. */
  readonly isNeural?: boolean;
}

/** A weighted sum of evidence, mapped to 0..1 by a logistic function. */
interface Curve {
  readonly weights: { readonly coverage: number; readonly bm25: number; readonly similarity: number };
  /** The sum that maps to 0.5. */
  readonly threshold: number;
}

const { byWords, byWordsAndMeaning, byWordsAndNeuralMeaning } = thresholds;
/**
 * A hit is as relevant as the best of its curves says. The weights were chosen on odd questions of FAQs and of XQuAD.
 * `npm run bench -- calibrate --write` chooses the thresholds; docs/retrieval.md has the table.
 */
const BY_WORDS: readonly Curve[] = [
  // Half of the words are enough, because BM25 scores are low in a datastore of few documents.
  { weights: { coverage: 1, bm25: 0, similarity: 0 }, threshold: byWords.coverage },
  { weights: { coverage: 1, bm25: 1, similarity: 0 }, threshold: byWords.coverageAndBm25 },
];
const BY_WORDS_AND_MEANING: readonly Curve[] = [
  {
    weights: { coverage: 1, bm25: 1, similarity: 0.7 },
    threshold: byWordsAndMeaning.coverageBm25AndSimilarity,
  },
  // Without BM25, which is low in a datastore of few documents.
  { weights: { coverage: 1, bm25: 0, similarity: 0 }, threshold: byWordsAndMeaning.coverage },
  {
    weights: { coverage: 0.6, bm25: 0, similarity: 1.05 },
    threshold: byWordsAndMeaning.coverageAndSimilarity,
  },
  // Without words, for an answer in other words or in another language.
  { weights: { coverage: 0, bm25: 0, similarity: 1 }, threshold: byWordsAndMeaning.similarity },
];
const BY_WORDS_AND_NEURAL_MEANING: readonly Curve[] = [
  {
    weights: { coverage: 0.25, bm25: 0.25, similarity: 1 },
    threshold: byWordsAndNeuralMeaning.coverageBm25AndSimilarity,
  },
  // For names and numbers, of which models know little.
  { weights: { coverage: 1, bm25: 0, similarity: 0 }, threshold: byWordsAndNeuralMeaning.coverage },
];
/** How fast the relevance rises around the threshold. */
const SLOPE = 10;
/** A BM25 score that counts half: about two rare terms in a datastore of a few thousand chunks. */
const BM25_HALF = 10;

/** From this relevance on, a hit probably helps to answer the question. */
export const RELEVANT = 0.5;

/**
 * Below this relevance, a chat model need not be asked: at most 1 % of the questions that the documents answer have no passage
 * above it. The model decides about the others, and abstains by itself.
 */
export const WORTH_ASKING = 0.05;

/**
 * The relevance of a hit, 0..1. At 0.5, 5 % of the questions that the documents answer are lost if all hits below it are
 * dropped. The relevance does not depend on the other hits: if no hit answers the question, all are low.
 */
export function relevanceOf(evidence: Evidence): number {
  return Math.max(...curvesFor(evidence).map((curve) => valueOf(curve, evidence)));
}

function curvesFor({ similarity, isNeural = false }: Evidence): readonly Curve[] {
  if (similarity === undefined) return BY_WORDS;
  return isNeural ? BY_WORDS_AND_NEURAL_MEANING : BY_WORDS_AND_MEANING;
}

function valueOf({ weights, threshold }: Curve, { coverage, bm25, similarity = 0 }: Evidence): number {
  const sum =
    weights.coverage * coverage +
    weights.bm25 * (bm25 / (bm25 + BM25_HALF)) +
    weights.similarity * similarity;
  return 1 / (1 + Math.exp(-SLOPE * (sum - threshold)));
}

/** The sum of evidence over the threshold that has this relevance; the inverse of the logistic function. */
export function marginOf(relevance: number): number {
  return Math.log(relevance / (1 - relevance)) / SLOPE;
}
