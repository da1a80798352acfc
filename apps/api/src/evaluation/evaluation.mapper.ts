import type { Evaluation, EvaluationWithResult } from '@citewell/contracts/schemas';
import type { EvaluationEntity, EvaluationSummary, RecordedOutcome } from '@citewell/database';

export function toEvaluation(summary: EvaluationSummary): Evaluation {
  const { id, name, state, configuration, baseline, questionCount, done, error } = summary;
  return {
    id,
    name,
    state,
    configuration,
    baseline,
    questions: questionCount,
    done,
    total: questionCount * (baseline ? 2 : 1),
    error,
    createdAt: summary.createdAt.toISOString(),
    finishedAt: summary.finishedAt?.toISOString() ?? null,
  };
}

/** @param recorded outcomes in the order of the questions; not used until the evaluation is done */
export function toEvaluationWithResult(
  summary: EvaluationSummary,
  { questions, result }: Pick<EvaluationEntity, 'questions' | 'result'>,
  recorded: readonly RecordedOutcome[],
): EvaluationWithResult {
  const evaluation = toEvaluation(summary);
  if (evaluation.state !== 'done') return { ...evaluation, result: null, outcomes: [] };
  const of = (side: RecordedOutcome['side']): Map<number, RecordedOutcome['outcome']> =>
    new Map(recorded.filter((one) => one.side === side).map(({ position, outcome }) => [position, outcome]));
  const [own, others] = [of('configuration'), of('baseline')];
  return {
    ...evaluation,
    result,
    outcomes: questions.flatMap(({ question, answerable = true }, position) => {
      const configuration = own.get(position);
      if (configuration === undefined) return [];
      return [{ question, answerable, configuration, baseline: others.get(position) ?? null }];
    }),
  };
}
