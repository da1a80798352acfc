import { type AgentAnswer, type AgentQuery, agentQuerySchema } from '@citewell/contracts/http';
import type { Config } from '@citewell/config';
import type { TenantScope } from '@citewell/database';
import { CONFIG, LOGGER } from '@citewell/infrastructure';
import { type Logger, Metrics } from '@citewell/observability';
import {
  type BeforeApplicationShutdown,
  Body,
  Controller,
  HttpCode,
  Inject,
  Param,
  Post,
  Res,
} from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { RequireScope, Tenant } from '../http/caller.js';
import { AnswerStream } from './answer-stream.js';
import { AnswersService } from './answers.service.js';

@Controller('agents')
export class AnswersController implements BeforeApplicationShutdown {
  private readonly underWay = new Set<AnswerStream>();

  constructor(
    @Inject(AnswersService) private readonly answers: AnswersService,
    @Inject(Metrics) private readonly metrics: Metrics,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** What is not complete after the grace time is broken off, with an error that says so. */
  beforeApplicationShutdown(): void {
    setTimeout(() => {
      for (const stream of this.underWay) stream.stop();
    }, this.config.SHUTDOWN_GRACE_MS).unref();
  }

  /** The answer as one JSON object, or, with `streaming`, as server-sent events on this very response. */
  @Post(':id/query')
  @HttpCode(200)
  @RequireScope('agents:query')
  async query(
    @Tenant() tenant: TenantScope,
    @Param('id') id: string,
    @Body({ schema: agentQuerySchema }) query: AgentQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<AgentAnswer | undefined> {
    const prepared = await this.answers.prepare(tenant, id, query);
    const stream = new AnswerStream(reply, this.logger);
    this.underWay.add(stream);
    const run = (onFrames: (frames: string) => Promise<void>): Promise<AgentAnswer> =>
      this.answers.answer(prepared, onFrames, stream.signal);
    try {
      if (query.streaming) {
        this.metrics.answers.inc({ outcome: await stream.send(run) });
        return undefined;
      }
      const answer = await run(async () => undefined);
      this.metrics.answers.inc({ outcome: 'done' });
      return answer;
    } finally {
      this.underWay.delete(stream);
      stream.release();
    }
  }
}
