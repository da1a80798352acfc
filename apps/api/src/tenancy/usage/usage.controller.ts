import {
  type MonthlyUsage,
  type UsageHistoryQuery,
  usageHistoryQuerySchema,
  type UsageReport,
} from '@citewell/contracts/schemas';
import { type TenantScope, UsageRepository } from '@citewell/database';
import { Controller, Get, Inject } from '@nestjs/common';
import { RequireScope, Tenant } from '../../http/caller.js';
import { QueryString } from '../../http/request-input.js';

/** What the caller's organization has used. */
@Controller('usage')
export class UsageController {
  constructor(@Inject(UsageRepository) private readonly usage: UsageRepository) {}

  @Get()
  @RequireScope('read')
  report(@Tenant() tenant: TenantScope): Promise<UsageReport> {
    return this.usage.report(tenant);
  }

  @Get('history')
  @RequireScope('read')
  history(
    @Tenant() tenant: TenantScope,
    @QueryString(usageHistoryQuerySchema) { months }: UsageHistoryQuery,
  ): Promise<MonthlyUsage[]> {
    return this.usage.history(tenant, months);
  }
}
