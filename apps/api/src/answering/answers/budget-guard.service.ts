import { type BudgetKind, BudgetRepository, isDatabaseFull, type TenantScope } from '@citewell/database';
import { Inject, Injectable } from '@nestjs/common';
import { ApiError } from '../../http/api-error.js';

const SENTENCES: Readonly<Record<BudgetKind, string>> = {
  organization: 'The organization has used up its budget of this month.',
  person: 'You have used up your budget of this month.',
  agent: 'The agent has used up its budget of this month.',
};

/**
 * Refuses questions when a monthly budget is used up. Questions in progress count for budgets of questions. Answers in
 * progress are completed, and may exceed budgets of tokens and costs.
 */
@Injectable()
export class BudgetGuard {
  constructor(
    @Inject(BudgetRepository)
    private readonly budgets: Pick<BudgetRepository, 'reserve' | 'release' | 'reached'>,
  ) {}

  /**
   * Reserves a question. The caller passes the id on to the count of the question, or releases it.
   *
   * @returns null without budgets
   * @throws {@link ApiError} `USAGE_LIMIT`
   */
  async reserve(tenant: TenantScope, agentId: string): Promise<string | null> {
    const reserved = await this.tryToReserve(tenant, agentId);
    if (reserved && 'reached' in reserved) throw new ApiError('USAGE_LIMIT', SENTENCES[reserved.reached]);
    return reserved && reserved.id;
  }

  async release(tenant: TenantScope, reservationId: string | null): Promise<void> {
    if (reservationId !== null) await this.budgets.release(tenant, reservationId);
  }

  private async tryToReserve(tenant: TenantScope, agentId: string): ReturnType<BudgetRepository['reserve']> {
    try {
      return await this.budgets.reserve(tenant, agentId);
    } catch (error) {
      if (!isDatabaseFull(error)) throw error;
      // Nothing can be reserved, but questions are still answered within the budget.
      const reached = await this.budgets.reached(tenant, agentId);
      return reached && { reached };
    }
  }
}
