import { once } from 'node:events';
import type { FastifyReply } from 'fastify';
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

/** The response to one query: knows when its client leaves, and can carry an answer as server-sent events. */
export class AnswerStream {
  private readonly controller = new AbortController();
  private readonly onClose = (): void => {
    if (!this.reply.raw.writableFinished) this.controller.abort(new ClientGoneError());
  };

  constructor(private readonly reply: FastifyReply) {
    // It may have left while its query was being prepared.
    if (reply.raw.destroyed) this.onClose();
    else reply.raw.once('close', this.onClose);
  }

  /** Aborted when the client goes away before its answer is complete. */
  get signal(): AbortSignal {
    return this.controller.signal;
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
    });
    raw.flushHeaders();
    const ping = setInterval(() => raw.write(PING_FRAME), PING_INTERVAL_MS);
    try {
      const response = await answer((frames) => this.write(frames));
      await this.write(responseFrames(response));
      await this.write(DONE_FRAME);
      return 'done';
    } catch (error) {
      if (this.signal.aborted) return 'left';
      const { code, message } = toApiError(error);
      await this.write(errorFrame(code, message));
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
