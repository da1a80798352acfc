import { once } from 'node:events';
import type { AgentAnswer } from '@citewell/contracts/schemas';
import type { Logger } from '@citewell/observability';
import type { FastifyReply } from 'fastify';
import { ApiError } from '../../http/api-error.js';
import { toApiError } from '../../http/to-api-error.js';
import { type AnswerFormat, DONE_FRAME, PING_FRAME } from './answer-frames.js';
import type { OnText } from './answer-filters.js';

const PING_INTERVAL_MS = 15_000;
/** A client that takes nothing for so long is treated as disconnected. */
const WRITE_TIMEOUT_MS = 30_000;

/** The abort reason when the client disconnects. */
export class ClientGoneError extends Error {
  constructor() {
    super('The client disconnected');
    this.name = 'ClientGoneError';
  }
}

/** The abort reason when the process stops before the answer is complete. */
export class ServerStoppingError extends ApiError {
  constructor() {
    super('UPSTREAM_UNAVAILABLE', 'The server is shutting down. Ask again in a moment.', {
      retryAfterSeconds: 5,
    });
    this.name = 'ServerStoppingError';
  }
}

/** The abort reason when somebody stops the answer. What has been written is the answer. */
export class AnswerStoppedError extends Error {
  constructor() {
    super('The answer was stopped');
    this.name = 'AnswerStoppedError';
  }
}

/** The abort reason when the stored answer is not this process's to write any more. */
export class AnswerEndedError extends ApiError {
  constructor() {
    super(
      'CONFLICT',
      'The answer was ended: its conversation was deleted, or it was not stored for too long.',
    );
    this.name = 'AnswerEndedError';
  }
}

/** Whether the answer was stopped. */
export function isStopped({ reason }: AbortSignal): boolean {
  return reason instanceof AnswerStoppedError;
}

/** Whether the client ended the answer. It has used the model, so the query is charged. */
export function isEndedByClient({ reason }: AbortSignal): boolean {
  return [ClientGoneError, AnswerStoppedError, AnswerEndedError].some((kind) => reason instanceof kind);
}

/**
 * The response to one query: detects when the client disconnects, and can send an answer as server-sent
 * events.
 */
export class AnswerStream {
  private readonly controller = new AbortController();
  private readonly onClose = (): void => {
    if (!this.reply.raw.writableFinished) this.controller.abort(new ClientGoneError());
  };

  constructor(
    private readonly reply: FastifyReply,
    private readonly logger: Logger,
  ) {
    // The client may have disconnected while its query was being prepared.
    if (reply.raw.destroyed) this.onClose();
    else reply.raw.once('close', this.onClose);
  }

  /** Aborted when the client disconnects before its answer is complete, or by {@link stop}. */
  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** Aborts the answer. The client receives a {@link ServerStoppingError}. */
  stop(): void {
    this.controller.abort(new ServerStoppingError());
  }

  /** Removes the listener for a disconnect. Call it when the answer has ended. */
  release(): void {
    this.reply.raw.off('close', this.onClose);
  }

  /**
   * Opens the stream and sends the answer. A connected client receives exactly one final frame: `[DONE]`, or that of
   * the error.
   *
   * @returns the outcome for the metrics; `left` when the client has disconnected
   */
  async send(
    answer: (onText: OnText) => Promise<AgentAnswer>,
    format: AnswerFormat,
  ): Promise<'done' | 'failed' | 'left'> {
    const { raw } = this.reply;
    const headers = { ...this.reply.getHeaders() };
    this.reply.hijack();
    raw.writeHead(200, {
      ...definedHeaders(headers),
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
      connection: 'close',
    });
    raw.flushHeaders();
    const ping = setInterval(() => {
      if (!raw.writableNeedDrain) raw.write(PING_FRAME);
    }, PING_INTERVAL_MS);
    try {
      // Not `write`: the answer begins although the client has left, and releases what was reserved for it.
      if (format.opening !== '') raw.write(format.opening);
      const response = await answer((piece) => this.write(format.text(piece)));
      await this.write(format.response(response));
      // Not `write`: after the final frame, a shutdown must not add an error.
      raw.write(DONE_FRAME);
      return 'done';
    } catch (error) {
      if (raw.destroyed) return 'left';
      const failure = toApiError(this.signal.aborted ? this.signal.reason : error);
      // The status is already sent, so the exception filter does not see this error.
      this.logger.error({ err: failure.cause ?? failure, code: failure.code }, 'streamed answer failed');
      raw.write(format.error(failure));
      return 'failed';
    } finally {
      clearInterval(ping);
      raw.end();
      // What is not read would stay in memory for as long as the client keeps its connection.
      const timer = this.leaveAfterTimeout();
      raw.once('close', () => clearTimeout(timer));
    }
  }

  /** Waits for `drain` when the client reads more slowly than the model writes, but not longer than {@link WRITE_TIMEOUT_MS}. */
  private async write(frames: string): Promise<void> {
    if (frames === '') return;
    this.signal.throwIfAborted();
    if (this.reply.raw.write(frames)) return;
    const timer = this.leaveAfterTimeout();
    try {
      await once(this.reply.raw, 'drain', { signal: this.signal });
    } finally {
      clearTimeout(timer);
    }
  }

  private leaveAfterTimeout(): NodeJS.Timeout {
    return setTimeout(() => {
      // A response that waits behind another one has no connection, and emits no event.
      this.controller.abort(new ClientGoneError());
      this.reply.raw.destroy();
    }, WRITE_TIMEOUT_MS).unref();
  }
}

function definedHeaders(
  headers: Record<string, string | number | string[] | undefined>,
): Record<string, string | number | string[]> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
