import { NO_ID, type TenantScope, UsageRecordRepository, type UsedByAnswer } from '@citewell/database';
import { LOGGER } from '@citewell/infrastructure';
import type { ChatEvent, ChatModel, ChatRequest } from '@citewell/models';
import type { Logger } from '@citewell/observability';
import { countTokens } from '@citewell/retrieval';
import { Inject, Injectable } from '@nestjs/common';

/** An answer, or a test of a model. */
export interface ModelUse {
  tenant: TenantScope;
  /** Null for a test. */
  agentId: string | null;
  /** Its name at the provider. Empty without a model. */
  model: string;
  /** Whether a question counts. The tokens that were used count in any case. */
  isCharged: boolean;
  /** The reservation of the question, which ends with the count. */
  reservationId?: string | null;
}

/** Counts what models are used for, for the person or key that has asked. */
@Injectable()
export class ModelUsage {
  constructor(
    @Inject(UsageRecordRepository) private readonly records: Pick<UsageRecordRepository, 'record'>,
    @Inject(LOGGER) private readonly logger: Pick<Logger, 'error'>,
  ) {}

  /**
   * Counts an answer or a test that has ended, however it has. A count that cannot be stored is in the log and does not
   * fail the answer. It is not tried again: the first attempt may have been stored.
   */
  async count(use: ModelUse, meter: TokenMeter): Promise<void> {
    const { tenant, agentId, model, isCharged, reservationId = null } = use;
    const tokens = meter.read();
    if (!isCharged && reservationId === null && tokens.inputTokens + tokens.outputTokens === 0) return;
    const used: UsedByAnswer = {
      ...actorOf(tenant),
      agentId: agentId ?? NO_ID,
      model,
      questions: isCharged ? 1 : 0,
      ...tokens,
      reservationId,
    };
    try {
      await this.records.record(tenant, used);
    } catch (error) {
      const { organizationId } = tenant;
      this.logger.error({ err: error, organizationId, used }, 'the usage of a model could not be stored');
    }
  }
}

function actorOf({ reader, key }: TenantScope): Pick<UsedByAnswer, 'actorKind' | 'actorId'> {
  if (reader) return { actorKind: 'person', actorId: reader.personId };
  if (key === null) return { actorKind: 'system', actorId: NO_ID };
  return { actorKind: key.kind === 'publishable' ? 'visitors' : 'key', actorId: key.id };
}

/** Tokens of all calls of models for one answer. */
export interface MeteredTokens {
  inputTokens: number;
  outputTokens: number;
  /** Those of both that were counted here, because the provider did not report them. */
  estimatedTokens: number;
}

interface Call {
  request: ChatRequest;
  /** All text of the model, also what was retracted, and its calls of tools. */
  text: string;
  reported: { inputTokens: number; outputTokens: number };
  isComplete: boolean;
}

/**
 * Counts the tokens of every call of a model: also of a question that is rewritten, and of an answer that is stopped or
 * fails. A provider reports them at the end, or never. What it does not report is counted here.
 */
export class TokenMeter {
  private readonly calls: Call[] = [];

  /** The same model, whose calls and tokens are counted. */
  wrap(model: ChatModel): ChatModel {
    const { name } = model;
    const stream: ChatModel['stream'] = (request, options) => this.metered(model, request, options);
    if (!model.contextTokens) return { name, stream };
    return {
      name,
      stream,
      contextTokens: (signal) => model.contextTokens?.(signal) ?? Promise.resolve(null),
    };
  }

  /** The sum of all calls. It takes time: long texts may be counted. */
  read(): MeteredTokens {
    const sum = { inputTokens: 0, outputTokens: 0, estimatedTokens: 0 };
    for (const { request, text, reported, isComplete } of this.calls) {
      // The provider refused the request, or could not be reached.
      if (!isComplete && text === '' && reported.inputTokens === 0) continue;
      const isInputKnown = reported.inputTokens > 0;
      const isOutputKnown = reported.outputTokens > 0 || text === '';
      const input = isInputKnown
        ? reported.inputTokens
        : request.messages.reduce((tokens, { content }) => tokens + countTokens(content), 0);
      const output = isOutputKnown ? reported.outputTokens : countTokens(text);
      sum.inputTokens += input;
      sum.outputTokens += output;
      sum.estimatedTokens += (isInputKnown ? 0 : input) + (isOutputKnown ? 0 : output);
    }
    return sum;
  }

  private async *metered(
    model: ChatModel,
    request: ChatRequest,
    options: { signal: AbortSignal },
  ): AsyncGenerator<ChatEvent> {
    const reported = { inputTokens: 0, outputTokens: 0 };
    const call: Call = { request, text: '', reported, isComplete: false };
    // Nothing is sent with a signal that is aborted already.
    if (!options.signal.aborted) this.calls.push(call);
    try {
      for await (const event of model.stream(request, options)) {
        if ('text' in event) call.text += event.text;
        else if ('toolCall' in event) call.text += JSON.stringify(event.toolCall);
        else if ('usage' in event) call.reported = event.usage;
        yield event;
      }
      call.isComplete = true;
    } finally {
      // The provider has the prompt of a request that is aborted while it is answered.
      if (options.signal.aborted) call.isComplete = true;
    }
  }
}
