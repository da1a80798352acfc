import { readinessChecks } from '@citewell/ingestion';
import { checkReadiness, FullStorage, Metrics, type Readiness } from '@citewell/observability';
import { Controller, Get, Inject, Res } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import type { FastifyReply } from 'fastify';
import { Public } from '../http/caller.js';

/**
 * Health checks and metrics for operators. They are outside `/api`, need no key, and contain no tenant's
 * data.
 */
@Controller()
export class OperationsController {
  constructor(
    @Inject(ModuleRef) private readonly moduleRef: ModuleRef,
    @Inject(Metrics) private readonly metrics: Metrics,
    @Inject(FullStorage) private readonly storage: FullStorage,
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
    const checks = readinessChecks({ get: (token) => this.moduleRef.get(token, { strict: false }) });
    const readiness = await checkReadiness(checks, this.storage);
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
