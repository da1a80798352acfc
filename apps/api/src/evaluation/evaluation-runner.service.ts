import type {
  EvaluationConfiguration,
  EvaluationOutcome,
  EvaluationSideResult,
  EvaluationWithResult,
} from '@citewell/contracts/schemas';
import {
  type EvaluationEntity,
  EvaluationRepository,
  type EvaluationSide,
  PersonRepository,
  type RecordedOutcome,
  TenantScope,
} from '@citewell/database';
import { LOGGER } from '@citewell/infrastructure';
import type { Logger } from '@citewell/observability';
import { compareSides, summarizeSide } from '@citewell/retrieval';
import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { PollingLoop } from '../background/polling-loop.js';
import { ApiError } from '../http/api-error.js';
import { toApiError } from '../http/to-api-error.js';
import { eventLoopTurn } from '../answering/search/event-loop-turn.js';
import { EvaluationAsker } from './evaluation-asker.service.js';

const POLL_MS = 2_000;
/** Time slice of an evaluation. Then other evaluations go on. */
const SLICE_MS = 3_000;
/** Without a heartbeat for this long, another process goes on. */
const LEASE_SECONDS = 30;
const HEARTBEAT_MS = 10_000;
/** Attempts without an answered question in between; the death of a process counts as five. */
const MAX_ATTEMPTS = 20;
const MAX_DELAY_SECONDS = 60;
/** Another attempt may succeed. */
const TRANSIENT = new Set([
  'RATE_LIMIT',
  'UPSTREAM_UNAVAILABLE',
  'OWN_MODEL_FAILED',
  'STORAGE_FULL',
  'INTERNAL',
]);
/** Errors of the configuration, not of a question. */
const FATAL = new Set(['NOT_FOUND', 'CONFLICT', 'USAGE_LIMIT']);
/** Attempts after which a question counts as refused. */
const QUESTION_ATTEMPTS = 3;

interface Step {
  readonly side: EvaluationSide;
  readonly position: number;
}

/**
 * Works on evaluations, one at a time in each process, in time slices of a few seconds. Every answered question is a row, so
 * whatever ends the process, the next one goes on where it was.
 */
@Injectable()
export class EvaluationRunner implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly loop: PollingLoop;
  private readonly shutdown = new AbortController();

  constructor(
    @Inject(EvaluationRepository) private readonly evaluations: EvaluationRepository,
    @Inject(EvaluationAsker) private readonly asker: EvaluationAsker,
    @Inject(PersonRepository) private readonly people: Pick<PersonRepository, 'find'>,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.loop = new PollingLoop(
      POLL_MS,
      () => this.workOnOne(),
      (error) => logger.warn({ err: error }, 'an evaluation was interrupted and will go on'),
    );
  }

  onApplicationBootstrap(): void {
    this.loop.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.shutdown.abort();
    await this.loop.stop();
  }

  /** There is a new evaluation. */
  wake(): void {
    this.loop.wake();
  }

  /** Works on an evaluation for one time slice. @returns false if none is due */
  async workOnOne(): Promise<boolean> {
    const evaluation = await this.evaluations.claim(LEASE_SECONDS);
    if (!evaluation) return false;
    let attempts = evaluation.attempts;
    // An answer may take longer than the lease.
    const heartbeat = setInterval(() => void this.extend(evaluation.id), HEARTBEAT_MS);
    try {
      if (attempts > MAX_ATTEMPTS) throw new Error('The evaluation has ended its process again and again.');
      const endsAtMs = performance.now() + SLICE_MS;
      for (const step of await this.stepsOf(evaluation)) {
        if (performance.now() >= endsAtMs || this.shutdown.signal.aborted) {
          await this.evaluations.release(evaluation.id, 0);
          this.loop.wake();
          return true;
        }
        await this.takeStep(evaluation, step, attempts);
        attempts = 0;
      }
      await this.evaluations.finish(evaluation.id, { result: await this.resultOf(evaluation), error: null });
    } catch (error) {
      await this.fail(evaluation, attempts, error);
    } finally {
      clearInterval(heartbeat);
    }
    this.loop.wake();
    return true;
  }

  private async extend(id: string): Promise<void> {
    try {
      await this.evaluations.extend(id, LEASE_SECONDS);
    } catch (error) {
      this.logger.warn({ err: error, evaluationId: id }, 'the lease of an evaluation was not extended');
    }
  }

  /** The questions that were not asked yet. */
  private async stepsOf({ id, questions, baseline }: EvaluationEntity): Promise<Step[]> {
    const keyOf = ({ side, position }: Step): string => `${side} ${position}`;
    const answered = new Set((await this.evaluations.answered(id)).map(keyOf));
    const sides: EvaluationSide[] = baseline ? ['configuration', 'baseline'] : ['configuration'];
    return questions
      .flatMap((_, position) => sides.map((side) => ({ side, position })))
      .filter((step) => !answered.has(keyOf(step)));
  }

  private async takeStep(
    evaluation: EvaluationEntity,
    { side, position }: Step,
    attempts: number,
  ): Promise<void> {
    const configuration = evaluation[side];
    const question = evaluation.questions[position];
    if (!configuration || !question) throw new Error('The evaluation has no such question.');
    const tenant = await this.scopeOf(evaluation);
    const { signal } = this.shutdown;
    const isLeftOut = (error: unknown): boolean => {
      const { code } = toApiError(error);
      // If the first question fails, the others would, too.
      if (signal.aborted || position === 0 || FATAL.has(code)) return false;
      if (TRANSIENT.has(code) && attempts < QUESTION_ATTEMPTS) return false;
      this.logger.warn(
        { err: error, evaluationId: evaluation.id },
        'a question of an evaluation is left out',
      );
      return true;
    };
    // Before and after: an agent may be given another datastore, or lose one, while it answers.
    await this.recordDatastores(tenant, evaluation.id, configuration);
    const outcome = await this.asker.ask(tenant, configuration, question, { signal, isLeftOut });
    await this.recordDatastores(tenant, evaluation.id, configuration);
    await this.evaluations.record(evaluation, { side, position, outcome }, LEASE_SECONDS);
  }

  /** What the person who began the evaluation, and those who read its results, may read at this moment. */
  private async scopeOf({ organizationId, personId }: EvaluationEntity): Promise<TenantScope> {
    const whole = new TenantScope(organizationId);
    if (personId === null) return whole;
    const person = await this.people.find(whole, personId);
    if (person === null)
      throw new ApiError('NOT_FOUND', 'The person who began this evaluation has been removed.');
    return new TenantScope(organizationId, { personId, role: person.role }, null, 'none');
  }

  private async recordDatastores(
    tenant: TenantScope,
    id: string,
    configuration: EvaluationConfiguration,
  ): Promise<void> {
    const { datastores } = await this.asker.target(tenant, configuration);
    await this.evaluations.addDatastores(
      id,
      datastores.map((datastore) => datastore.id),
    );
  }

  private async resultOf(evaluation: EvaluationEntity): Promise<EvaluationWithResult['result']> {
    const tenant = await this.scopeOf(evaluation);
    const whole = new TenantScope(evaluation.organizationId);
    const recorded = await this.evaluations.outcomes(whole, evaluation.id);
    const { configuration, baseline } = evaluation;
    const own = outcomesOf(recorded, 'configuration');
    const others = outcomesOf(recorded, 'baseline');
    const summarize = async (
      side: EvaluationConfiguration,
      outcomes: readonly EvaluationOutcome[],
    ): Promise<EvaluationSideResult> => {
      const { datastores, minScore } = await this.asker.target(tenant, side);
      const missingDocuments = await this.asker.missingDocuments(tenant, datastores, evaluation.questions);
      // Takes up to some hundred milliseconds.
      await eventLoopTurn();
      return { ...summarizeSide({ outcomes, minScore }), missingDocuments };
    };
    const ofConfiguration = await summarize(configuration, own);
    if (!baseline) return { configuration: ofConfiguration, baseline: null, comparison: null };
    const ofBaseline = await summarize(baseline, others);
    await eventLoopTurn();
    return { configuration: ofConfiguration, baseline: ofBaseline, comparison: compareSides(own, others) };
  }

  private async fail({ id }: EvaluationEntity, attempts: number, error: unknown): Promise<void> {
    // The process ends, or another attempt may succeed.
    if (this.shutdown.signal.aborted) return this.evaluations.release(id, 0);
    const { code, message, retryAfterSeconds = 0 } = toApiError(error);
    this.logger.warn({ err: error, evaluationId: id }, 'a question of an evaluation was not answered');
    if (TRANSIENT.has(code) && attempts < MAX_ATTEMPTS) {
      const delay = Math.min(MAX_DELAY_SECONDS, Math.max(retryAfterSeconds, 2 ** attempts));
      return this.evaluations.release(id, delay);
    }
    await this.evaluations.finish(id, { result: null, error: { code, message } });
  }
}

function outcomesOf(recorded: readonly RecordedOutcome[], side: EvaluationSide): EvaluationOutcome[] {
  return recorded.filter((one) => one.side === side).map(({ outcome }) => outcome);
}
