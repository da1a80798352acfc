import type {
  CreateEvaluation,
  Evaluation,
  EvaluationWithResult,
  PageQuery,
} from '@citewell/contracts/schemas';
import {
  type EvaluationEntity,
  EvaluationRepository,
  type EvaluationSummary,
  type RecordedOutcome,
  type TenantScope,
} from '@citewell/database';
import { Inject, Injectable } from '@nestjs/common';
import { ApiError, found, unwrap } from '../http/api-error.js';
import { EvaluationAsker } from './evaluation-asker.service.js';
import { EvaluationRunner } from './evaluation-runner.service.js';
import { questionsFromCsv } from './questions-from-csv.js';

/** Evaluations of an organization that wait or are in progress. */
const MAX_UNFINISHED = 3;
const RETRY_AFTER_SECONDS = 30;

/** Creates, reads and deletes evaluations. {@link EvaluationRunner} works on them. */
@Injectable()
export class EvaluationsService {
  constructor(
    @Inject(EvaluationRepository) private readonly evaluations: EvaluationRepository,
    @Inject(EvaluationAsker) private readonly asker: EvaluationAsker,
    @Inject(EvaluationRunner) private readonly runner: EvaluationRunner,
  ) {}

  /** @throws {@link ApiError} `NOT_FOUND` for an unknown agent or datastore, `RATE_LIMIT` if three are unfinished */
  async create(
    tenant: TenantScope,
    { name, configuration, baseline, questions, csv = '' }: CreateEvaluation,
  ): Promise<Evaluation> {
    const fields = {
      name: name ?? `Evaluation of ${new Date().toISOString().slice(0, 10)}`,
      configuration,
      baseline: baseline ?? null,
      questions: questions ?? questionsFromCsv(csv),
    };
    const datastoreIds = new Set<string>();
    for (const one of [configuration, baseline])
      if (one) for (const { id } of (await this.asker.target(tenant, one)).datastores) datastoreIds.add(id);
    const created = await this.evaluations.create(
      tenant,
      { ...fields, datastoreIds: [...datastoreIds] },
      MAX_UNFINISHED,
    );
    const id = unwrap(created, {
      'too-many': () =>
        new ApiError(
          'RATE_LIMIT',
          `${MAX_UNFINISHED} evaluations are in progress. Wait until one of them has ended, or delete one.`,
          { retryAfterSeconds: RETRY_AFTER_SECONDS },
        ),
    });
    this.runner.wake();
    return toEvaluation(found(await this.evaluations.summary(tenant, id), 'evaluation'));
  }

  async list(tenant: TenantScope, page: PageQuery): Promise<Evaluation[]> {
    return (await this.evaluations.list(tenant, page)).map(toEvaluation);
  }

  async get(tenant: TenantScope, id: string): Promise<EvaluationWithResult> {
    const summary = found(await this.evaluations.summary(tenant, id), 'evaluation');
    // The questions and outcomes are long, and clients ask often until they are there.
    if (summary.state !== 'done') return toEvaluationWithResult(summary, { questions: [], result: null }, []);
    const evaluation = found(await this.evaluations.find(tenant, id), 'evaluation');
    return toEvaluationWithResult(summary, evaluation, await this.evaluations.outcomes(tenant, id));
  }

  /** @throws {@link ApiError} `CONFLICT` until the evaluation is done */
  async getFinished(tenant: TenantScope, id: string): Promise<EvaluationWithResult> {
    const evaluation = await this.get(tenant, id);
    if (evaluation.state === 'done') return evaluation;
    throw new ApiError('CONFLICT', `The evaluation is not done: its state is ${evaluation.state}.`);
  }

  async remove(tenant: TenantScope, id: string): Promise<Evaluation> {
    const summary = found(await this.evaluations.summary(tenant, id), 'evaluation');
    await this.evaluations.remove(tenant, summary.id);
    return toEvaluation(summary);
  }
}

function toEvaluation(summary: EvaluationSummary): Evaluation {
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
function toEvaluationWithResult(
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
