import type { EvaluationOutcome, EvaluationQuestion } from '@citewell/contracts/schemas';
import { ndcgAt, recallAt, reciprocalRank } from '../metrics/ranking-metrics.js';
import { AnswerKey, type JudgeablePassage } from './answer-key.js';

/** What a configuration did with a question. */
export interface Asked {
  /** Best first. */
  readonly passages: readonly JudgeablePassage[];
  /** The passages that the answer cites; null if no answer was written. */
  readonly cited: readonly JudgeablePassage[] | null;
  readonly refused: boolean;
}

/** The measures of one question: those of ranking and citing if it has an answer, else whether that was recognised. */
export function measureQuestion(
  question: EvaluationQuestion,
  { passages, cited, refused }: Asked,
): Pick<EvaluationOutcome, 'rank' | 'values'> {
  if (question.answerable === false) return { rank: null, values: { recognised: refused ? 1 : 0 } };
  const key = new AnswerKey(question);
  const { ranking, gains } = key.judge(passages);
  const mrr = reciprocalRank(ranking, gains);
  return {
    rank: mrr === 0 ? null : Math.round(1 / mrr),
    values: {
      recallAt1: recallAt(1, ranking, gains),
      recallAt3: recallAt(3, ranking, gains),
      recallAt10: recallAt(10, ranking, gains),
      mrr,
      ndcgAt10: ndcgAt(10, ranking, gains),
      ...(cited === null ? {} : { citedRight: cited.some((passage) => key.isRight(passage)) ? 1 : 0 }),
      wronglyRefused: refused ? 1 : 0,
    },
  };
}
