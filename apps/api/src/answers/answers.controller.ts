import { type AgentAnswer, type AgentQuery, agentQuerySchema } from '@citewell/contracts/http';
import type { Config } from '@citewell/config';
import type { TenantScope } from '@citewell/database';
import { CONFIG, LOGGER } from '@citewell/infrastructure';
import { type Logger, Metrics } from '@citewell/observability';
import {
  type BeforeApplicationShutdown,
  Controller,
  HttpCode,
  Inject,
  Param,
  Post,
  Res,
} from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { RequireScope, Tenant } from '../http/caller.js';
import { LenientJsonBody } from '../http/request-input.js';
import { AnswerPreparationService } from './answer-preparation.service.js';
import { AnswerStream, ClientGoneError } from './answer-stream.js';
import { AnswersService } from './answers.service.js';

@Controller('agents')
export class AnswersController implements BeforeApplicationShutdown {
  private readonly openStreams = new Set<AnswerStream>();

  constructor(
    @Inject(AnswerPreparationService) private readonly preparation: AnswerPreparationService,
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

  /** The answer as one JSON object or, with `streaming`, as server-sent events. */
  @Post(':id/query')
  @HttpCode(200)
  @RequireScope('agents:query')
  async query(
    @Tenant() tenant: TenantScope,
    @Param('id') id: string,
    @LenientJsonBody(agentQuerySchema) query: AgentQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<AgentAnswer | undefined> {
    const prepared = await this.preparation.prepare(tenant, id, query);
    const stream = new AnswerStream(reply, this.logger);
    this.openStreams.add(stream);
    const answer = (onFrames: (frames: string) => Promise<void>): Promise<AgentAnswer> =>
      this.answers.answer(prepared, onFrames, stream.signal);
    try {
      if (query.streaming) {
        this.metrics.answers.inc({ outcome: await stream.send(answer) });
        return undefined;
      }
      const complete = await answer(async () => undefined);
      this.metrics.answers.inc({ outcome: 'done' });
      return complete;
    } catch (error) {
      // A failed stream has sent its error, and does not throw.
      this.metrics.answers.inc({
        outcome: stream.signal.reason instanceof ClientGoneError ? 'left' : 'failed',
      });
      throw error;
    } finally {
      this.openStreams.delete(stream);
      stream.release();
    }
  }
}
