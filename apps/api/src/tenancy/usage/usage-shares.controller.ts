import {
  type Budgets,
  type BudgetState,
  budgetsSchema,
  type ModelPrices,
  modelPricesSchema,
  type ModelPricesState,
  type OwnUsageQuery,
  ownUsageQuerySchema,
  type UsageBreakdownQuery,
  usageBreakdownQuerySchema,
  type UsageShare,
  type UsageTotals,
} from '@citewell/contracts/schemas';
import { type TenantScope, UsageRecordRepository } from '@citewell/database';
import { Controller, Get, Inject, Put } from '@nestjs/common';
import { Authenticated, type Caller, personOf, RequireKey, RequireScope, Tenant } from '../../http/caller.js';
import { JsonBody, QueryString } from '../../http/request-input.js';
import { BudgetsService } from './budgets.service.js';

/** What people, keys and agents have used, what it costs, and what they may use. */
@Controller('usage')
export class UsageSharesController {
  constructor(
    @Inject(UsageRecordRepository) private readonly records: UsageRecordRepository,
    @Inject(BudgetsService) private readonly budgets: BudgetsService,
  ) {}

  @Get('breakdown')
  @RequireScope('admin')
  breakdown(
    @Tenant() tenant: TenantScope,
    @QueryString(usageBreakdownQuerySchema) { by, ...days }: UsageBreakdownQuery,
  ): Promise<UsageShare[]> {
    return this.records.breakdown(tenant, by, days);
  }

  /** The own usage of a person. */
  @Get('own')
  @RequireKey()
  own(
    @Authenticated() caller: Caller,
    @QueryString(ownUsageQuerySchema) days: OwnUsageQuery,
  ): Promise<UsageTotals> {
    return this.records.ofPerson(caller.tenant, personOf(caller).id, days);
  }

  @Get('prices')
  @RequireScope('admin')
  prices(@Tenant() tenant: TenantScope): Promise<ModelPricesState> {
    return this.budgets.prices(tenant);
  }

  @Put('prices')
  @RequireScope('admin')
  setPrices(
    @Tenant() tenant: TenantScope,
    @JsonBody(modelPricesSchema) prices: ModelPrices,
  ): Promise<ModelPricesState> {
    return this.budgets.setPrices(tenant, prices);
  }

  @Get('budgets')
  @RequireScope('admin')
  states(@Tenant() tenant: TenantScope): Promise<BudgetState[]> {
    return this.budgets.states(tenant);
  }

  @Put('budgets')
  @RequireScope('admin')
  setBudgets(
    @Tenant() tenant: TenantScope,
    @JsonBody(budgetsSchema) { budgets }: Budgets,
  ): Promise<BudgetState[]> {
    return this.budgets.setBudgets(tenant, budgets);
  }
}
