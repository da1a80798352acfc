import type { Budgets, BudgetState, ModelPrices, ModelPricesState } from '@citewell/contracts/schemas';
import { BudgetRepository, type TenantScope } from '@citewell/database';
import { Inject, Injectable } from '@nestjs/common';
import { ApiError, unwrap } from '../../http/api-error.js';

/** Prices of models, and monthly budgets. */
@Injectable()
export class BudgetsService {
  constructor(@Inject(BudgetRepository) private readonly budgets: BudgetRepository) {}

  async prices(tenant: TenantScope): Promise<ModelPricesState> {
    const prices = await this.budgets.prices(tenant);
    return {
      currency: prices[0]?.currency ?? null,
      models: prices.map(({ model, inputPrice, outputPrice }) => ({
        model,
        inputPerMillion: inputPrice,
        outputPerMillion: outputPrice,
      })),
    };
  }

  async setPrices(tenant: TenantScope, prices: ModelPrices): Promise<ModelPricesState> {
    await this.budgets.setPrices(tenant, prices);
    return this.prices(tenant);
  }

  states(tenant: TenantScope): Promise<BudgetState[]> {
    return this.budgets.states(tenant);
  }

  /** @throws {@link ApiError} `NOT_FOUND` for a person or an agent of another organization */
  async setBudgets(tenant: TenantScope, budgets: Budgets['budgets']): Promise<BudgetState[]> {
    const rows = budgets.map(({ subject: subjectKind, ...budget }) => ({ subjectKind, ...budget }));
    unwrap(await this.budgets.setBudgets(tenant, rows), {
      'unknown-subject': () => new ApiError('NOT_FOUND', 'A person or an agent of a budget does not exist.'),
    });
    return this.states(tenant);
  }
}
