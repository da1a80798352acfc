import { once } from 'node:events';
import type { Logger } from '@citewell/observability';
import type { FastifyReply } from 'fastify';
import { ApiError } from '../http/api-error.js';
import { toApiError } from '../http/to-api-error.js';
import { DONE_FRAME, errorFrame, PING_FRAME, responseFrames } from './answer-frames.js';

const PING_INTERVAL_MS = 15_000;

/** Thrown into the work when the client has gone. */
export class ClientGoneError extends Error {
  constructor() {
    super('The client went away');
    this.name = 'ClientGoneError';
  }
}

/** Thrown into the work when the process has to stop before it is done. */
export class ServerStoppingError extends ApiError {
  constructor() {
    super('UPSTREAM_UNAVAILABLE', 'The server stops. Ask again in a moment.', { retryAfterSeconds: 5 });
    this.name = 'ServerStoppingError';
  }
}

/** The response to one query: knows when its client leaves, and can carry an answer as server-sent events. */
export class AnswerStream {
  private readonly controller = new AbortController();
  private readonly onClose = (): void => {
    if (!this.reply.raw.writableFinished) this.controller.abort(new ClientGoneError());
  };

  constructor(
    private readonly reply: FastifyReply,
    private readonly logger: Logger,
  ) {
    // It may have left while its query was being prepared.
    if (reply.raw.destroyed) this.onClose();
    else reply.raw.once('close', this.onClose);
  }

  /** Aborted when the client goes away before its answer is complete. */
  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** Breaks the answer off; the client is told why. */
  stop(): void {
    this.controller.abort(new ServerStoppingError());
  }

  /** Ends the watch; call it when the work is done. */
  release(): void {
    this.reply.raw.off('close', this.onClose);
  }

  /** Opens the stream and carries the answer; whatever happens, the stream ends with exactly one of its two ends. */
  async send(
    answer: (onFrames: (frames: string) => Promise<void>) => Promise<unknown>,
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
    const ping = setInterval(() => raw.write(PING_FRAME), PING_INTERVAL_MS);
    try {
      const response = await answer((frames) => this.write(frames));
      await this.write(responseFrames(response));
      await this.write(DONE_FRAME);
      return 'done';
    } catch (error) {
      if (raw.destroyed) return 'left';
      const failure = toApiError(this.signal.aborted ? this.signal.reason : error);
      // The status is sent already: nobody else would write it down.
      this.logger.error({ err: failure.cause ?? failure, code: failure.code }, 'streamed answer failed');
      raw.write(errorFrame(failure.code, failure.message));
      return 'failed';
    } finally {
      clearInterval(ping);
      raw.end();
    }
  }

  /** Waits while the client reads more slowly than the model writes. */
  private async write(frames: string): Promise<void> {
    if (frames === '') return;
    this.signal.throwIfAborted();
    if (!this.reply.raw.write(frames)) await once(this.reply.raw, 'drain', { signal: this.signal });
  }
}

function definedHeaders(
  headers: Record<string, string | number | string[] | undefined>,
): Record<string, string | number | string[]> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
