import { EventEmitter, once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import type { AgentAnswer, Source } from '@citewell/contracts/schemas';
import type { AnswerEnd } from '@citewell/database';
import type { Logger } from '@citewell/observability';
import { ApiError } from '../../http/api-error.js';
import { toApiError } from '../../http/to-api-error.js';
import { toSource } from '../search/passage.mapper.js';
import type { FoundPassage } from '../search/retriever.service.js';
import type { AnswerHooks, OnText } from './answer-filters.js';
import { AnswerEndedError, AnswerStoppedError, isStopped } from './abort-reasons.js';

/** How often an answer is stored while it is written. It is also how long a request to stop takes to another process. */
const STORING_INTERVAL_MS = 500;
/**
 * Pauses between the attempts to store the end. Together they outlast the failover of a database, and are shorter than the
 * lease of an answer (15 s).
 */
const END_PAUSES_MS: readonly number[] = [500, 1_000, 2_000, 3_000, 3_000];
/** Nobody may be waiting for the answer, so nothing else ends a model that never does. */
const MAX_DURATION_MS = 30 * 60_000;
/** In UTF-16 code units. */
const MAX_LENGTH = 1_000_000;

/** Sends an answer from its beginning, without what was retracted before, and resolves when it has ended. @throws the reason of the signal */
export type FollowAnswer = (onText: OnText, signal: AbortSignal) => Promise<AgentAnswer>;

/** Where one answer is stored. */
export interface AnswerStorage {
  /** @param sources null: as before. @returns null when the answer is not in progress any more */
  progress(text: string, sources: readonly Source[] | null): Promise<{ stopRequested: boolean } | null>;
  /** @returns whether the answer was stored */
  end(end: AnswerEnd): Promise<boolean>;
}

/** Writes the answer. */
export type WriteAnswer = (onText: OnText, signal: AbortSignal, hooks: AnswerHooks) => Promise<AgentAnswer>;

type Outcome = { answer: AgentAnswer } | { error: ApiError };

/** An answer that this process writes and stores, whoever follows it. */
export class ResumableAnswer {
  private readonly controller = new AbortController();
  private readonly changes = new EventEmitter().setMaxListeners(0);
  /** All text that was sent. */
  private text = '';
  /** Where the answer begins in the text. What was sent before was reasoning of the model. */
  private start = 0;
  private passages: readonly FoundPassage[] = [];
  private outcome: Outcome | null = null;

  /**
   * @param beginning the answer without text and sources
   * @param storingIntervalMs for tests, as endPausesMs
   */
  constructor(
    private readonly beginning: AgentAnswer,
    private readonly storage: AnswerStorage,
    private readonly logger: Pick<Logger, 'warn' | 'error'>,
    private readonly storingIntervalMs = STORING_INTERVAL_MS,
    private readonly endPausesMs = END_PAUSES_MS,
  ) {}

  /** Ends the answer. What has been written, with its sources, is the answer. */
  stop(): void {
    this.abort(new AnswerStoppedError());
  }

  /** Ends the answer as failed. */
  abort(reason: Error): void {
    this.controller.abort(reason);
  }

  /** Writes and stores the answer. Never rejects. Call it once. */
  async run(write: WriteAnswer): Promise<'done' | 'stopped' | 'failed'> {
    const ended = new AbortController();
    const storing = this.storeRegularly(ended.signal);
    const timer = setTimeout(() => this.abort(tooLong()), MAX_DURATION_MS).unref();
    const written = await this.write(write);
    clearTimeout(timer);
    ended.abort();
    await storing;
    this.outcome = await this.storeEnd(written);
    this.changes.emit('change');
    if ('error' in this.outcome) return 'failed';
    return this.outcome.answer.state ?? 'done';
  }

  /** As {@link FollowAnswer}. @throws ApiError when the answer fails */
  async follow(onText: OnText, signal: AbortSignal): Promise<AgentAnswer> {
    for (let sent = this.start; ;) {
      const piece = this.text.slice(sent);
      if (piece !== '') {
        sent += piece.length;
        await onText(piece);
      } else if (this.outcome === null) await once(this.changes, 'change', { signal });
      else if ('error' in this.outcome) throw this.outcome.error;
      else return this.outcome.answer;
    }
  }

  private async write(write: WriteAnswer): Promise<Outcome> {
    const { signal } = this.controller;
    try {
      const answer = await write(async (piece) => this.add(piece), signal, {
        onPassages: (passages) => void (this.passages = passages),
        onRetract: () => void (this.start = this.text.length),
      });
      return { answer };
    } catch (error) {
      // Stopped before the model was called.
      if (isStopped(signal)) return { answer: { ...this.current(), state: 'stopped' } };
      return { error: toApiError(signal.aborted ? signal.reason : error) };
    }
  }

  private add(piece: string): void {
    if (this.text.length > MAX_LENGTH) this.abort(tooLong());
    // After a stop, the last piece completes what was sent.
    if (!isStopped(this.controller.signal)) this.controller.signal.throwIfAborted();
    this.text += piece;
    this.changes.emit('change');
  }

  private async storeRegularly(ended: AbortSignal): Promise<void> {
    let storedSources: string | null = null;
    while (await passes(this.storingIntervalMs, ended)) {
      try {
        const { answer: text, sources } = this.current();
        const json = JSON.stringify(sources);
        const known = await this.storage.progress(text, json === storedSources ? null : sources);
        storedSources = json;
        if (known === null) this.abort(new AnswerEndedError());
        else if (known.stopRequested) this.stop();
      } catch (error) {
        this.logger.warn({ err: error }, 'an answer in progress could not be stored');
      }
    }
  }

  private async storeEnd(outcome: Outcome): Promise<Outcome> {
    const isFailed = 'error' in outcome;
    const {
      answer: text,
      sources,
      abstained,
      finishReason,
      sentences = null,
      state = 'complete',
    } = isFailed ? this.current() : outcome.answer;
    const error = isFailed ? { code: outcome.error.code, message: outcome.error.message } : null;
    if (isFailed)
      this.logger.error(
        { err: outcome.error.cause ?? outcome.error, code: error?.code },
        'resumable answer failed',
      );
    const wasStored = await this.tryToStore({
      state: isFailed ? 'failed' : state,
      text,
      sources,
      abstained,
      finishReason: isFailed ? 'error' : finishReason,
      sentences,
      error,
    });
    return wasStored || isFailed ? outcome : { answer: { ...outcome.answer, stored: false } };
  }

  /** Repeats what fails. @returns whether the end was stored */
  private async tryToStore(end: AnswerEnd): Promise<boolean> {
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await this.storage.end(end);
      } catch (error) {
        const ms = this.endPausesMs[attempt];
        if (ms === undefined) {
          this.logger.error({ err: error }, 'the end of an answer could not be stored');
          return false;
        }
        this.logger.warn({ err: error }, 'the end of an answer is stored again');
        await pause(ms);
      }
    }
  }

  /** The answer so far. */
  private current(): AgentAnswer {
    const answer = this.text.slice(this.start);
    const sources = this.passages.map((passage, index) =>
      toSource(passage, { cited: answer.includes(`[${index + 1}]`), quote: undefined }),
    );
    return { ...this.beginning, answer, sources };
  }
}

/** Waits. @returns false, at once, when the signal is aborted */
async function passes(ms: number, signal: AbortSignal): Promise<boolean> {
  try {
    await pause(ms, undefined, { signal });
    return true;
  } catch {
    return false;
  }
}

function tooLong(): ApiError {
  return new ApiError('UPSTREAM_UNAVAILABLE', 'The model did not end its answer. Ask again.');
}
