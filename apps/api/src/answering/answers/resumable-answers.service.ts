import { setTimeout as pause } from 'node:timers/promises';
import type { Config } from '@citewell/config';
import { API_ERROR_STATUS, type ApiErrorCode } from '@citewell/contracts/errors';
import type { AgentAnswer, AnswerState } from '@citewell/contracts/schemas';
import {
  type AnswerEnd,
  ResumableAnswerRepository,
  isDatabaseFull,
  type StoredAnswer,
  type TenantScope,
} from '@citewell/database';
import { CONFIG, LOGGER } from '@citewell/infrastructure';
import { FullStorage, type Logger, Metrics } from '@citewell/observability';
import { type BeforeApplicationShutdown, Inject, Injectable } from '@nestjs/common';
import { INTERRUPTED } from '../conversations/conversation.mapper.js';
import { ApiError, found, notFound } from '../../http/api-error.js';
import type { PreparedAnswer } from './answer-preparation.service.js';
import { ServerStoppingError } from './abort-reasons.js';
import type { OnText } from './answer-filters.js';
import { AnswersService } from './answers.service.js';
import { type AnswerStorage, type FollowAnswer, ResumableAnswer } from './resumable-answer.js';
import { hashOfToken } from './visits.service.js';

/** How often an answer that another process writes is read. */
const STORED_ANSWER_POLL_MS = 500;

/** Which answer is meant, and who asks for it. */
export interface AnswerAddress {
  agentId: string;
  messageId: string;
  /** Of a visitor. Null: the caller has another key. */
  visitorToken: string | null;
}

/** Answers that go on when their client disconnects, and that clients come back to. */
@Injectable()
export class ResumableAnswers implements BeforeApplicationShutdown {
  /** The answers that this process writes, by message id. */
  private readonly inProgress = new Map<string, { answer: ResumableAnswer; ended: Promise<unknown> }>();

  constructor(
    @Inject(ResumableAnswerRepository) private readonly stored: ResumableAnswerRepository,
    @Inject(AnswersService) private readonly answers: AnswersService,
    @Inject(FullStorage) private readonly storage: FullStorage,
    @Inject(Metrics) private readonly metrics: Metrics,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Waits for the answers in progress during the grace period. Then they end as failed. */
  async beforeApplicationShutdown(): Promise<void> {
    const inProgress = [...this.inProgress.values()];
    const timer = setTimeout(() => {
      for (const { answer } of inProgress) answer.abort(new ServerStoppingError());
    }, this.config.SHUTDOWN_GRACE_MS);
    await Promise.all(inProgress.map(({ ended }) => ended));
    clearTimeout(timer);
  }

  /**
   * Stores the question, and begins to write the answer. The slot of the answer is released when the answer has ended.
   *
   * @returns null when the storage is full: the answer cannot be resumed, and still has its slot
   */
  async begin(prepared: PreparedAnswer): Promise<FollowAnswer | null> {
    const { tenant, agent, query, conversationId, visitorId, visitorToken, questionId, messageId } = prepared;
    try {
      await this.stored.begin(
        tenant,
        {
          agentId: agent.id,
          externalId: conversationId,
          visitorId,
          visitorTokenHash: visitorToken === null ? null : hashOfToken(visitorToken),
        },
        { question: { id: questionId, text: query.query }, answerId: messageId },
      );
    } catch (error) {
      if (isDatabaseFull(error)) return null;
      await this.answers.giveBack(prepared);
      throw error;
    }
    const beginning: AgentAnswer = {
      answer: '',
      conversationId,
      visitorId,
      sources: [],
      messageId,
      abstained: false,
      finishReason: 'stop',
    };
    const answer = new ResumableAnswer(beginning, this.storageOf(prepared), this.logger);
    const ended = answer
      .run((...hooks) => this.answers.answer({ ...prepared, isStored: false }, ...hooks))
      .then((outcome) => {
        this.metrics.answers.inc({ outcome });
        this.inProgress.delete(messageId);
        prepared.releaseSlot();
      });
    this.inProgress.set(messageId, { answer, ended });
    return (onText, signal) => answer.follow(onText, signal);
  }

  /** @throws {@link ApiError} `NOT_FOUND`, also for an answer to another visitor */
  async find(tenant: TenantScope, address: AnswerAddress): Promise<FollowAnswer> {
    await this.load(tenant, address);
    const own = this.inProgress.get(address.messageId);
    if (own) return (onText, signal) => own.answer.follow(onText, signal);
    return async (onText, signal) =>
      toAnswer(await followStoredAnswer(() => this.load(tenant, address), onText, signal));
  }

  /** Stops an answer, at once in this process, within a second in another one. @throws as {@link find} does */
  async stop(tenant: TenantScope, address: AnswerAddress): Promise<AnswerState> {
    const { messageId } = address;
    const { message } = await this.load(tenant, address);
    if (message.state === 'answering') {
      this.inProgress.get(messageId)?.answer.stop();
      await this.stored.requestStop(tenant, messageId);
    }
    return { messageId, state: message.state };
  }

  private async load(
    tenant: TenantScope,
    { agentId, messageId, visitorToken }: AnswerAddress,
  ): Promise<StoredAnswer> {
    const stored = found(await this.stored.find(tenant, agentId, messageId), 'answer');
    const isOwn = visitorToken === null || stored.visitorTokenHash === hashOfToken(visitorToken);
    if (!isOwn) throw notFound('answer');
    return stored;
  }

  private storageOf({ tenant, messageId }: PreparedAnswer): AnswerStorage {
    return {
      progress: (text, sources) => this.stored.progress(tenant, messageId, text, sources),
      end: async (end: AnswerEnd) => {
        try {
          return await this.stored.end(tenant, messageId, end);
        } catch (error) {
          if (!isDatabaseFull(error)) throw error;
          this.storage.report();
          return false;
        }
      },
    };
  }
}

/** @throws {@link ApiError} the reason when the answer has failed */
function toAnswer({ message, conversationId, visitorId }: StoredAnswer): AgentAnswer {
  const { id, text, sources, abstained, finishReason, sentences, state, error } = message;
  if (state === 'failed') throw failureOf(error);
  const answer: AgentAnswer = {
    answer: text,
    conversationId,
    visitorId,
    sources,
    messageId: id,
    abstained,
    finishReason: finishReason ?? 'stop',
    ...(sentences === null ? {} : { sentences }),
  };
  return state === 'stopped' ? { ...answer, state } : answer;
}

function failureOf(error: { code: string; message: string } | null): ApiError {
  const { code, message } = error ?? INTERRUPTED;
  return new ApiError(isApiErrorCode(code) ? code : 'INTERNAL', message);
}

function isApiErrorCode(code: string): code is ApiErrorCode {
  return Object.hasOwn(API_ERROR_STATUS, code);
}

/**
 * Sends an answer that another process stores while it writes it. What is stored normally continues what was sent. If it does
 * not, what was sent was retracted, and the stored text is sent from its beginning, as the writing process does.
 *
 * @param intervalMs for tests
 * @returns the answer when it has ended. @throws the reason of the signal
 */
export async function followStoredAnswer(
  load: () => Promise<StoredAnswer>,
  onText: OnText,
  signal: AbortSignal,
  intervalMs = STORED_ANSWER_POLL_MS,
): Promise<StoredAnswer> {
  for (let sent = ''; ;) {
    const stored = await load();
    const { text, state } = stored.message;
    const piece = text.startsWith(sent) ? text.slice(sent.length) : text;
    sent = text;
    if (piece !== '') await onText(piece);
    if (state !== 'answering') return stored;
    await pause(intervalMs, undefined, { signal });
  }
}
