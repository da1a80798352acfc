import {
  type MonthlyUsage,
  monthlyUsageSchema,
  type UsageHistoryQuery,
  usageHistoryQuerySchema,
  type UsageReport,
  usageReportSchema,
} from '@citewell/contracts/schemas';
import { type TenantScope, UsageRepository } from '@citewell/database';
import { Controller, Get, Inject } from '@nestjs/common';
import { RequireScope, Tenant } from '../../http/caller.js';
import { listOf, Operation } from '../../http/operation.js';
import { QueryString } from '../../http/request-input.js';

/** What the caller's organization has used. */
@Controller('usage')
export class UsageController {
  constructor(@Inject(UsageRepository) private readonly usage: UsageRepository) {}

  @Operation('Read the usage of this month', usageReportSchema)
  @Get()
  @RequireScope('read')
  report(@Tenant() tenant: TenantScope): Promise<UsageReport> {
    return this.usage.report(tenant);
  }

  @Operation('Read the usage of the last months', listOf(monthlyUsageSchema), {
    description: 'Oldest month first, beginning with the month in which the organization was created.',
  })
  @Get('history')
  @RequireScope('read')
  history(
    @Tenant() tenant: TenantScope,
    @QueryString(usageHistoryQuerySchema) { months }: UsageHistoryQuery,
  ): Promise<MonthlyUsage[]> {
    return this.usage.history(tenant, months);
  }
}
