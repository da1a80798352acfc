import { once } from 'node:events';
import type { Config } from '@citewell/config';
import type { AgentAnswer } from '@citewell/contracts/schemas';
import { CONFIG, LOGGER } from '@citewell/infrastructure';
import { type Logger, Metrics } from '@citewell/observability';
import { type BeforeApplicationShutdown, Inject, Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { toApiError } from '../../http/to-api-error.js';
import { ClientGoneError, ServerStoppingError } from './abort-reasons.js';
import { type AnswerFormat, DONE_FRAME, PING_FRAME } from './answer-frames.js';
import type { OnText } from './answer-filters.js';
import type { PreparedAnswer } from './answer-preparation.service.js';
import { AnswersService } from './answers.service.js';
import type { FollowAnswer } from './resumable-answer.js';

const PING_INTERVAL_MS = 15_000;
/** A client that reads nothing for this time is treated as disconnected. */
const WRITE_TIMEOUT_MS = 30_000;

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

/** Answers a prepared query as the response to a request, and aborts the answer when the client disconnects. */
@Injectable()
export class AnswerResponder implements BeforeApplicationShutdown {
  private readonly openStreams = new Set<AnswerStream>();

  constructor(
    @Inject(AnswersService) private readonly answers: AnswersService,
    @Inject(Metrics) private readonly metrics: Metrics,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Aborts the answers that are still in progress after the grace period. Their clients receive an error. */
  beforeApplicationShutdown(): void {
    setTimeout(() => {
      for (const stream of this.openStreams) stream.stop();
    }, this.config.SHUTDOWN_GRACE_MS).unref();
  }

  /** Sends the answer as server-sent events. A failure is sent, not thrown. */
  async stream(prepared: PreparedAnswer, reply: FastifyReply, format: AnswerFormat): Promise<void> {
    await this.withStream(reply, prepared.releaseSlot, async (stream) => {
      const outcome = await stream.send(
        (onText) => this.answers.answer(prepared, onText, stream.signal),
        format,
      );
      this.metrics.answers.inc({ outcome });
    });
  }

  /** Sends an answer that does not end when the client disconnects. A failure is sent, not thrown. */
  async follow(follow: FollowAnswer, reply: FastifyReply, format: AnswerFormat): Promise<void> {
    await this.withStream(
      reply,
      () => undefined,
      (stream) => stream.send((onText) => follow(onText, stream.signal), format),
    );
  }

  /** @returns the complete answer, which the caller sends */
  async complete(prepared: PreparedAnswer, reply: FastifyReply): Promise<AgentAnswer> {
    return this.withStream(reply, prepared.releaseSlot, async (stream) => {
      try {
        const answer = await this.answers.answer(prepared, IGNORED, stream.signal);
        this.metrics.answers.inc({ outcome: 'done' });
        return answer;
      } catch (error) {
        const isGone = stream.signal.reason instanceof ClientGoneError;
        this.metrics.answers.inc({ outcome: isGone ? 'left' : 'failed' });
        throw error;
      }
    });
  }

  /** @param release is called when the response has been written, or the client is gone */
  private async withStream<Result>(
    reply: FastifyReply,
    release: () => void,
    respond: (stream: AnswerStream) => Promise<Result>,
  ): Promise<Result> {
    const stream = new AnswerStream(reply, this.logger);
    this.openStreams.add(stream);
    try {
      return await respond(stream);
    } finally {
      this.openStreams.delete(stream);
      stream.release();
      release();
    }
  }
}

const IGNORED: OnText = async () => undefined;
