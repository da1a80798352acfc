import type { HealthReport } from '@citewell/contracts/schemas';
import type { TenantScope } from '@citewell/database';
import { Controller, Get, Inject } from '@nestjs/common';
import { RequireScope, Tenant } from '../http/caller.js';
import { HealthReportService } from './health-report.service.js';

@Controller('health-report')
export class HealthReportController {
  constructor(@Inject(HealthReportService) private readonly reports: HealthReportService) {}

  @Get()
  @RequireScope('admin')
  report(@Tenant() tenant: TenantScope): Promise<HealthReport> {
    return this.reports.report(tenant);
  }
}
