import type { Config } from '@citewell/config';
import type { AgentAnswer } from '@citewell/contracts/schemas';
import { CONFIG, LOGGER } from '@citewell/infrastructure';
import { type Logger, Metrics } from '@citewell/observability';
import { type BeforeApplicationShutdown, Inject, Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { AnswerFormat } from './answer-frames.js';
import type { PreparedAnswer } from './answer-preparation.service.js';
import { AnswerStream, ClientGoneError } from './answer-stream.js';
import type { OnText } from './answer-filters.js';
import { AnswersService } from './answers.service.js';
import type { FollowAnswer } from './resumable-answer.js';

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
