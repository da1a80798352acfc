import { Metrics, type Readiness } from '@citewell/observability';
import { Controller, Get, Inject, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { Public } from '../http/caller.js';
import { ReadinessService } from './readiness.service.js';

/**
 * Health checks and metrics for operators. They are outside `/api`, need no key, and contain no tenant's
 * data.
 */
@Controller()
export class OperationsController {
  constructor(
    @Inject(ReadinessService) private readonly readiness: ReadinessService,
    @Inject(Metrics) private readonly metrics: Metrics,
  ) {}

  @Get('health/live')
  @Public()
  live(): { status: 'live' } {
    return { status: 'live' };
  }

  /** 503 when a dependency is unavailable; the body names it. */
  @Get('health/ready')
  @Public()
  async ready(@Res({ passthrough: true }) reply: FastifyReply): Promise<Readiness> {
    const readiness = await this.readiness.check();
    reply.status(readiness.ready ? 200 : 503);
    return readiness;
  }

  @Get('metrics')
  @Public()
  async prometheus(@Res() reply: FastifyReply): Promise<void> {
    const text = await this.metrics.render();
    await reply.header('Content-Type', this.metrics.contentType).send(text);
  }
}
