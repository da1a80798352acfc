import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  BudgetRepository,
  NO_ID,
  PictureDescriptionRepository,
  type RunEntity,
  TenantScope,
  UsageRecordRepository,
} from '@citewell/database';
import type { DocumentWarning } from '@citewell/documents';
import { LOGGER, PictureModels } from '@citewell/infrastructure';
import { type ChatModel, describePicture, ModelError, type PictureDescription } from '@citewell/models';
import { FaultPoints, type Logger } from '@citewell/observability';
import { Inject, Injectable } from '@nestjs/common';
import type { PictureDescriber } from '../sandbox/page-recognition.js';

const TIMEOUT_MS = 60_000;
const ATTEMPTS = 3;
const MAX_WAIT_MS = 20_000;
/** A model that fails for so many pictures of a document is not asked about the others. */
const MAX_FAILURES = 3;

/** Describes pictures, if the operator has chosen a model for it. */
@Injectable()
export class PictureDescriptions {
  constructor(
    @Inject(PictureModels) readonly models: Pick<PictureModels, 'chosen' | 'open'>,
    @Inject(PictureDescriptionRepository)
    readonly stored: Pick<PictureDescriptionRepository, 'find' | 'store'>,
    @Inject(BudgetRepository) readonly budgets: Pick<BudgetRepository, 'reached'>,
    @Inject(UsageRecordRepository) readonly usage: Pick<UsageRecordRepository, 'record'>,
    @Inject(FaultPoints) readonly faults: Pick<FaultPoints, 'reach'>,
    @Inject(LOGGER) readonly logger: Pick<Logger, 'warn'>,
  ) {}

  of(run: RunEntity): RunDescriber {
    return new RunDescriber(this, run);
  }
}

/** Describes the pictures of one document, and remembers why some could not be. */
class RunDescriber implements PictureDescriber {
  private model: ChatModel | null = null;
  private left = 0;
  private failures = 0;
  /** Why the model is not asked, or has failed. */
  private problem: string | null = null;

  constructor(
    private readonly context: Omit<PictureDescriptions, 'of'>,
    private readonly run: RunEntity,
  ) {}

  async isOn(): Promise<boolean> {
    const chosen = await this.context.models.chosen();
    if (chosen === null) return false;
    this.problem = chosen.problem;
    try {
      if (chosen.problem === null) this.model = this.context.models.open(chosen);
    } catch (error) {
      if (!(error instanceof ModelError)) throw error;
      this.problem = error.message;
    }
    return true;
  }

  /** What a reader of the document has to know; null if all pictures were described. */
  get warning(): DocumentWarning | null {
    if (this.left === 0) return null;
    const pictures = this.left === 1 ? 'One picture was' : `${this.left.toLocaleString('en')} pictures were`;
    const reason = this.problem === null ? '' : ` ${this.problem}`;
    return {
      code: 'PARTLY_READ',
      message: `${pictures} not described by the model.${reason} Sync the document to try again.`,
    };
  }

  async describe(
    file: Uint8Array,
    scaled: () => Promise<Uint8Array | null>,
    signal: AbortSignal,
  ): Promise<string | null> {
    const { model, context } = this;
    const picture = this.pictureOf(file);
    const known = model && (await context.stored.find(picture));
    // For the time after the other document with this picture is deleted.
    if (known !== null) await context.stored.store(picture, known);
    if (known !== null) return known;
    const described = model && (await this.ask(model, scaled, signal));
    if (!model || !described) {
      this.left += 1;
      return null;
    }
    await context.stored.store(picture, described.text);
    await this.count(model, described);
    context.faults.reach('after-description', this.run.contentName);
    return described.text;
  }

  private pictureOf(file: Uint8Array) {
    const { organizationId, datasourceId } = this.run;
    const picture = createHash('sha256').update(file).digest('hex');
    return { organizationId, datasourceId, picture, model: this.model?.name ?? '' };
  }

  private async ask(
    model: ChatModel,
    scaled: () => Promise<Uint8Array | null>,
    signal: AbortSignal,
  ): Promise<PictureDescription | null> {
    const { organizationId } = this.run;
    if (this.failures >= MAX_FAILURES) return null;
    if ((await this.context.budgets.reached(new TenantScope(organizationId), NO_ID)) !== null) {
      this.problem = 'The organization has used up its budget of this month.';
      return null;
    }
    const jpeg = await scaled();
    if (jpeg === null) {
      this.problem ??= 'A picture could not be decoded.';
      return null;
    }
    try {
      return await describeWithRetries(model, jpeg, signal);
    } catch (error) {
      if (signal.aborted || !(error instanceof ModelError)) throw error;
      this.failures += 1;
      this.problem = error.message;
      this.context.logger.warn({ err: error, organizationId }, 'a picture was not described');
      return null;
    }
  }

  private async count(
    { name: model }: ChatModel,
    { inputTokens, outputTokens, estimatedTokens }: PictureDescription,
  ): Promise<void> {
    const tokens = { inputTokens, outputTokens, estimatedTokens };
    const actor = { actorKind: 'system' as const, actorId: NO_ID, agentId: NO_ID };
    await this.context.usage.record(new TenantScope(this.run.organizationId), {
      ...actor,
      model,
      questions: 0,
      ...tokens,
    });
  }
}

/** Waits and asks again after failures that may pass. @throws ModelError, or the reason of the signal */
async function describeWithRetries(
  model: ChatModel,
  file: Uint8Array,
  signal: AbortSignal,
): Promise<PictureDescription> {
  for (let attempt = 1; ; attempt += 1) {
    const timeout = AbortSignal.timeout(TIMEOUT_MS);
    try {
      return await describePicture(
        model,
        { mimeType: 'image/jpeg', file },
        AbortSignal.any([signal, timeout]),
      );
    } catch (error) {
      signal.throwIfAborted();
      if (timeout.aborted)
        throw new ModelError('transient', `The model did not answer within ${TIMEOUT_MS / 1_000} s.`, {
          cause: error,
        });
      if (!(error instanceof ModelError) || error.kind === 'permanent' || attempt === ATTEMPTS) throw error;
      await sleep(Math.min(MAX_WAIT_MS, error.retryAfterMs ?? 1_000 * 2 ** attempt), undefined, { signal });
    }
  }
}
