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

/** Short texts about unrelated subjects. */
export const UNRELATED_TEXTS: readonly string[] = [
  'How long is the warranty of the washing machine?',
  'The cathedral was built in the twelfth century.',
  'To install the package, run the command as root.',
  'Penguins raise their young on the ice.',
  'The interest rate was raised by half a point.',
  'Add the eggs and whisk until the mixture is smooth.',
  'Employees may carry over five days of leave.',
  'The second violin enters in bar forty.',
];

/** Maps cosines of an embedding model to a scale on which unrelated texts have 0 and equal texts 1. */
export class CosineScale {
  private constructor(private readonly unrelated: number) {}

  /** @param vectors those of {@link UNRELATED_TEXTS} by the model, of any length */
  static of(vectors: readonly Float32Array[]): CosineScale {
    let sum = 0;
    let pairs = 0;
    vectors.forEach((a, i) => {
      for (const b of vectors.slice(i + 1)) {
        sum += cosine(a, b);
        pairs++;
      }
    });
    return new CosineScale(pairs === 0 ? 0 : sum / pairs);
  }

  /** The similarity, at most 1; negative if the texts are less similar than unrelated ones. */
  similarity(value: number): number {
    return (value - this.unrelated) / (1 - this.unrelated);
  }

  /** The similarity of two texts, by their vectors. */
  between(a: Float32Array, b: Float32Array): number {
    return this.similarity(cosine(a, b));
  }
}

function cosine(a: Float32Array, b: Float32Array): number {
  let product = 0;
  let squaresA = 0;
  let squaresB = 0;
  a.forEach((value, i) => {
    const other = b[i] ?? 0;
    product += value * other;
    squaresA += value * value;
    squaresB += other * other;
  });
  const length = Math.sqrt(squaresA * squaresB);
  return length === 0 ? 0 : product / length;
}
