/** A question of a set, with what a right passage contains, or where it is. */
export interface EvaluationQuestion {
  question: string;
  /** A passage is right if it contains one of these texts. */
  expected?: string[] | undefined;
  /** Custom id, id, name or address of a document, with its grade. */
  documents?: Record<string, number> | undefined;
  /** False: the documents have no answer. Default: true. */
  answerable?: boolean | undefined;
}

/** Either an agent or a datastore. */
export interface EvaluationConfiguration {
  agentId?: string | undefined;
  datastoreId?: string | undefined;
  topK?: number | undefined;
  minScore?: number | undefined;
}

/** Has either `questions` or `csv`. */
export interface CreateEvaluation {
  name?: string | undefined;
  configuration: EvaluationConfiguration;
  /** Answers the same questions, and is compared with `configuration`. */
  baseline?: EvaluationConfiguration | undefined;
  questions?: EvaluationQuestion[] | undefined;
  /** A table with the columns `question`, `expected`, `document` and `answerable`. */
  csv?: string | undefined;
}

export type EvaluationMeasure =
  | 'recallAt1'
  | 'recallAt3'
  | 'recallAt10'
  | 'mrr'
  | 'ndcgAt10'
  | 'citedRight'
  | 'wronglyRefused'
  | 'recognised';

export type EvaluationState = 'waiting' | 'running' | 'done' | 'failed';

export interface Evaluation {
  id: string;
  name: string;
  state: EvaluationState;
  configuration: EvaluationConfiguration;
  baseline: EvaluationConfiguration | null;
  questions: number;
  /** Questions that were asked, of `total`. */
  done: number;
  /** Twice the number of questions with a baseline. */
  total: number;
  error: { code: string; message: string } | null;
  createdAt: string;
  finishedAt: string | null;
}

/** A mean with its 95 % confidence interval. */
export interface Estimate {
  value: number;
  low: number;
  high: number;
  /** Questions that it is computed from. */
  count: number;
}

/** The shares of refused questions at a minimum score. */
export interface MinimumScorePoint {
  minScore: number;
  refused: number;
  recognised: number;
}

/** The figures of one configuration. */
export interface EvaluationResult {
  /** Null if no question of the set has the measure. */
  measures: Record<EvaluationMeasure, Estimate | null>;
  minScore: number;
  /** Expected documents that are not in the searched datastores, which count as not found. */
  missingDocuments: { count: number; names: string[] };
  curve: MinimumScorePoint[];
  proposedMinScore: MinimumScorePoint | null;
}

/** The value of the configuration minus that of the baseline. */
export interface EvaluationDifference {
  value: number;
  low: number;
  high: number;
  p: number;
  better: number;
  worse: number;
  equal: number;
  isSignificant: boolean;
}

export interface EvaluationOutcome {
  /** Of the first right passage. */
  rank: number | null;
  /** Of the best passage. */
  score: number;
  refused: boolean;
  values: Partial<Record<EvaluationMeasure, number>>;
  passages: {
    datasource_id: string;
    datasource_name: string;
    score: number;
    text: string;
    right: boolean;
  }[];
  answer?: string | undefined;
}

export interface EvaluationWithResult extends Evaluation {
  /** Null until the evaluation is done. */
  result: {
    configuration: EvaluationResult;
    baseline: EvaluationResult | null;
    comparison: {
      differences: Record<EvaluationMeasure, EvaluationDifference | null>;
      verdict: 'worse' | 'better' | 'no-difference';
    } | null;
  } | null;
  /** One for each question, in the order of the set. Empty until the evaluation is done. */
  outcomes: {
    question: string;
    answerable: boolean;
    configuration: EvaluationOutcome;
    baseline: EvaluationOutcome | null;
  }[];
}
