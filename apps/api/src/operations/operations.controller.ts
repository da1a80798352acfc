import type { HealthReport } from '@citewell/contracts/schemas';
import type { TenantScope } from '@citewell/database';
import { Metrics, type Readiness } from '@citewell/observability';
import { Controller, Get, Inject, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../http/api-error.js';
import { Public, RequireScope, Tenant } from '../http/caller.js';
import { HealthReportService, ReadinessService } from './health-report.service.js';

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

  /** Not through a proxy, which serves strangers, too: Prometheus reaches the process itself. */
  @Get('metrics')
  @Public()
  async prometheus(@Req() { headers }: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    if ((headers['x-forwarded-for'] ?? headers['forwarded']) !== undefined)
      throw new ApiError('NOT_FOUND', 'The metrics are not served through a proxy.');
    const text = await this.metrics.render();
    await reply.header('Content-Type', this.metrics.contentType).send(text);
  }
}

@Controller('health-report')
export class HealthReportController {
  constructor(@Inject(HealthReportService) private readonly reports: HealthReportService) {}

  @Get()
  @RequireScope('admin')
  report(@Tenant() tenant: TenantScope): Promise<HealthReport> {
    return this.reports.report(tenant);
  }
}
