import {
  type Budgets,
  budgetsSchema,
  type BudgetState,
  budgetStateSchema,
  type ModelPrices,
  modelPricesSchema,
  type ModelPricesState,
  modelPricesStateSchema,
  type MonthlyUsage,
  monthlyUsageSchema,
  type OwnUsageQuery,
  ownUsageQuerySchema,
  type UsageBreakdownQuery,
  usageBreakdownQuerySchema,
  type UsageHistoryQuery,
  usageHistoryQuerySchema,
  type UsageReport,
  usageReportSchema,
  type UsageShare,
  usageShareSchema,
  type UsageTotals,
  usageTotalsSchema,
} from '@citewell/contracts/schemas';
import { type TenantScope, UsageRecordRepository, UsageRepository } from '@citewell/database';
import { Controller, Get, Inject, Put } from '@nestjs/common';
import { Authenticated, type Caller, personOf, RequireKey, RequireScope, Tenant } from '../../http/caller.js';
import { listOf, Operation } from '../../http/operation.js';
import { JsonBody, QueryString } from '../../http/request-input.js';
import { BudgetsService } from './budgets.service.js';

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

/** What people, keys and agents have used, what it costs, and what they may use. */
@Controller('usage')
export class UsageSharesController {
  constructor(
    @Inject(UsageRecordRepository) private readonly records: UsageRecordRepository,
    @Inject(BudgetsService) private readonly budgets: BudgetsService,
  ) {}

  @Operation('Read who has used how much', listOf(usageShareSchema), {
    description:
      'By person and key, by agent, or by day (UTC). The largest share comes first, days in their order.',
  })
  @Get('breakdown')
  @RequireScope('admin')
  breakdown(
    @Tenant() tenant: TenantScope,
    @QueryString(usageBreakdownQuerySchema) { by, ...days }: UsageBreakdownQuery,
  ): Promise<UsageShare[]> {
    return this.records.breakdown(tenant, by, days);
  }

  @Operation('Read the own usage', usageTotalsSchema, { description: 'Only in the session of a person.' })
  @Get('own')
  @RequireKey()
  own(
    @Authenticated() caller: Caller,
    @QueryString(ownUsageQuerySchema) days: OwnUsageQuery,
  ): Promise<UsageTotals> {
    return this.records.ofPerson(caller.tenant, personOf(caller).id, days);
  }

  @Operation('Read the prices of models', modelPricesStateSchema)
  @Get('prices')
  @RequireScope('admin')
  prices(@Tenant() tenant: TenantScope): Promise<ModelPricesState> {
    return this.budgets.prices(tenant);
  }

  @Operation('Replace the prices of models', modelPricesStateSchema, {
    description:
      'They count for answers from now on. The cost of an answer of a model without a price is not known, and is never shown as 0.',
  })
  @Put('prices')
  @RequireScope('admin')
  setPrices(
    @Tenant() tenant: TenantScope,
    @JsonBody(modelPricesSchema) prices: ModelPrices,
  ): Promise<ModelPricesState> {
    return this.budgets.setPrices(tenant, prices);
  }

  @Operation('Read the monthly budgets, and what was used of them', listOf(budgetStateSchema))
  @Get('budgets')
  @RequireScope('admin')
  states(@Tenant() tenant: TenantScope): Promise<BudgetState[]> {
    return this.budgets.states(tenant);
  }

  @Operation('Replace the monthly budgets', listOf(budgetStateSchema), {
    description:
      'Questions fail with `USAGE_LIMIT` when a budget of the organization, the person or the agent is used up. Questions in progress count for budgets of questions. Answers in progress are completed, and may exceed budgets of tokens and costs. A month begins at 00:00 UTC. A change takes effect with the next question.',
    errors: ['NOT_FOUND'],
  })
  @Put('budgets')
  @RequireScope('admin')
  setBudgets(
    @Tenant() tenant: TenantScope,
    @JsonBody(budgetsSchema) { budgets }: Budgets,
  ): Promise<BudgetState[]> {
    return this.budgets.setBudgets(tenant, budgets);
  }
}
