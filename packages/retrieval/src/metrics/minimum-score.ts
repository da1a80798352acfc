/** The shares at a minimum score: questions whose best passage has a lower score are refused. */
export interface MinimumScorePoint {
  readonly minScore: number;
  /** Share of the answerable questions that are refused. */
  readonly refused: number;
  /** Share of the unanswerable questions that are refused, which is right. */
  readonly recognised: number;
}

/** Scores of the best passages of questions. */
export interface BestScores {
  readonly answerable: readonly number[];
  readonly unanswerable: readonly number[];
}

/** Share of answerable questions that may be refused. */
export const MAX_REFUSED = 0.05;
/** With fewer questions, 5 % is less than one question, or chance. */
export const MIN_ANSWERABLE = 20;
export const MIN_UNANSWERABLE = 10;

const STEPS = 100;

/** The shares at 0, .01, .02, … 1. */
export function minimumScoreCurve({ answerable, unanswerable }: BestScores): MinimumScorePoint[] {
  return Array.from({ length: STEPS + 1 }, (_, step) => {
    const minScore = step / STEPS;
    return {
      minScore,
      refused: shareBelow(answerable, minScore),
      recognised: shareBelow(unanswerable, minScore),
    };
  });
}

/**
 * The minimum score that recognises the most unanswerable questions while at most 5 % of the answerable ones are refused, and
 * as few as possible. Of a range of equally good ones, the middle, which is the furthest from both kinds of questions. It was
 * chosen on the questions that it is judged by, so other questions do a little worse.
 *
 * @returns null with fewer than 20 answerable or 10 unanswerable questions
 */
export function proposeMinimumScore(scores: BestScores): MinimumScorePoint | null {
  if (scores.answerable.length < MIN_ANSWERABLE || scores.unanswerable.length < MIN_UNANSWERABLE) return null;
  const allowed = minimumScoreCurve(scores).filter(({ refused }) => refused <= MAX_REFUSED);
  const recognised = Math.max(...allowed.map((point) => point.recognised));
  const best = allowed.filter((point) => point.recognised === recognised);
  const equallyGood = best.filter(({ refused }) => refused === best[0]?.refused);
  return equallyGood[Math.floor((equallyGood.length - 1) / 2)] ?? null;
}

/**
 * How well scores tell questions with an answer from those without one.
 *
 * @returns `area` under the ROC curve; the `threshold` below which 5 % of the answerable questions are; the share of
 * unanswerable questions `recognised` by it
 */
export function rocOf(
  answerable: readonly number[],
  unanswerable: readonly number[],
): { area: number; threshold: number; recognised: number } {
  const positive = [...answerable].sort((a, b) => a - b);
  let pairs = 0;
  for (const score of positive)
    for (const other of unanswerable) pairs += score > other ? 1 : score === other ? 0.5 : 0;
  const threshold = positive[Math.floor(positive.length * MAX_REFUSED)] ?? 0;
  return {
    area: pairs / (positive.length * unanswerable.length),
    threshold,
    recognised: shareBelow(unanswerable, threshold),
  };
}

function shareBelow(scores: readonly number[], minimum: number): number {
  if (scores.length === 0) return 0;
  return scores.filter((score) => score < minimum).length / scores.length;
}
