import { type HealthReport, healthReportSchema } from '@citewell/contracts/schemas';
import type { TenantScope } from '@citewell/database';
import { Metrics, type Readiness } from '@citewell/observability';
import { Controller, Get, Inject, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { ApiError } from '../http/api-error.js';
import { Public, RequireScope, Tenant } from '../http/caller.js';
import { Operation } from '../http/operation.js';
import { HealthReportService, ReadinessService } from './health-report.service.js';

const readinessSchema = z
  .object({ ready: z.boolean(), checks: z.record(z.string(), z.string()) })
  .meta({ id: 'Readiness' });

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

  @Operation('Liveness of the process', z.object({ status: z.literal('live') }))
  @Get('health/live')
  @Public()
  live(): { status: 'live' } {
    return { status: 'live' };
  }

  @Operation('Readiness of the process and its dependencies', readinessSchema, {
    furtherResponses: { 503: 'A dependency is unavailable; `checks` names it.' },
  })
  @Get('health/ready')
  @Public()
  async ready(@Res({ passthrough: true }) reply: FastifyReply): Promise<Readiness> {
    const readiness = await this.readiness.check();
    reply.status(readiness.ready ? 200 : 503);
    return readiness;
  }

  /** Not through a proxy, which serves strangers, too: Prometheus reaches the process itself. */
  @Operation('Metrics in the Prometheus text format', 'text/plain')
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

  @Operation('Read the health of the server, as far as it concerns the organization', healthReportSchema, {
    description:
      'The dependencies of the server, and contradictions in the rows of the organization. `citewell doctor` on the server also compares the rows with the stores, for all organizations.',
  })
  @Get()
  @RequireScope('admin')
  report(@Tenant() tenant: TenantScope): Promise<HealthReport> {
    return this.reports.report(tenant);
  }
}
