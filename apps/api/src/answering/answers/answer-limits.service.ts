import type { Config } from '@citewell/config';
import {
  type BudgetKind,
  BudgetRepository,
  isDatabaseFull,
  type TenantScope,
  UsageRepository,
} from '@citewell/database';
import { CONFIG } from '@citewell/infrastructure';
import { Inject, Injectable } from '@nestjs/common';
import { ApiError, unwrap } from '../../http/api-error.js';
import { KeyedCounter } from '../../http/rate-limiter.js';

/** Visitors of web pages take at most this share of the slots, so that they cannot stop the organization's own work. */
const VISITORS_SHARE = 0.5;
/** The share of the visitors' slots of one publishable key, so that the pages of other keys are answered. */
const KEY_SHARE = 0.75;
/** The share of the visitors' slots of one address, with all keys. */
const ADDRESS_SHARE = 0.25;
const RETRY_AFTER_SECONDS = 5;

/** Who asks with a publishable key. */
export interface Visitor {
  readonly keyId: string;
  /** See `clientNetwork`. */
  readonly network: string;
}

/** Frees the slot of an answer. Only the first call has an effect. */
export type ReleaseSlot = () => void;

/** What a slot counts for, the limit, and the error at the limit. */
interface SlotLimit {
  readonly key: string;
  readonly limit: number;
  readonly sentence: string;
}

/**
 * The limits of an organization's agent queries: answers in progress at the same time, and queries per month.
 * Answers in progress are counted per process.
 */
@Injectable()
export class AnswerLimits {
  private readonly inProgress = new KeyedCounter();

  constructor(
    @Inject(UsageRepository) private readonly usage: UsageRepository,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * Takes a slot and counts the query against the month's limit. The caller must release the slot.
   *
   * @param visitor null for a query with another key
   * @throws {@link ApiError} `RATE_LIMIT` without a free slot, `USAGE_LIMIT` when the month's limit is
   * reached
   */
  async acquire(tenant: TenantScope, visitor: Visitor | null): Promise<ReleaseSlot> {
    const release = this.takeSlot(this.slotLimits(tenant, visitor));
    try {
      unwrap(await this.usage.reserveAgentQuery(tenant), {
        'limit-reached': () =>
          new ApiError('USAGE_LIMIT', 'The organization has used all agent queries of this month.'),
      });
      return release;
    } catch (error) {
      // The count cannot be stored, but questions are still answered.
      if (isDatabaseFull(error)) return release;
      release();
      throw error;
    }
  }

  /** Takes the query back from the month's count. */
  async refund(tenant: TenantScope): Promise<void> {
    await this.usage.refundAgentQuery(tenant);
  }

  private slotLimits({ organizationId }: TenantScope, visitor: Visitor | null): SlotLimit[] {
    const all = this.config.MAX_CONCURRENT_ANSWERS;
    const organization = {
      key: organizationId,
      sentence: 'The organization has too many answers in progress.',
    };
    if (visitor === null) return [{ ...organization, limit: all }];
    const visitors = Math.ceil(all * VISITORS_SHARE);
    const shareOf = (share: number): number => Math.max(1, Math.floor(visitors * share));
    return [
      {
        key: `address ${organizationId} ${visitor.network}`,
        limit: shareOf(ADDRESS_SHARE),
        sentence: 'Too many answers to your address are in progress.',
      },
      {
        key: `key ${visitor.keyId}`,
        limit: shareOf(KEY_SHARE),
        sentence: 'Too many answers to visitors of this page are in progress.',
      },
      { ...organization, limit: visitors },
    ];
  }

  /** Takes a slot of each limit, or none. */
  private takeSlot(limits: readonly SlotLimit[]): ReleaseSlot {
    let taken: string[] = [];
    const release = (): void => {
      for (const key of taken) this.inProgress.release(key);
      taken = [];
    };
    for (const { key, limit, sentence } of limits) {
      if (!this.inProgress.take(key, limit)) {
        release();
        throw new ApiError('RATE_LIMIT', `${sentence} Try again in a few seconds.`, {
          retryAfterSeconds: RETRY_AFTER_SECONDS,
        });
      }
      taken.push(key);
    }
    return release;
  }
}

const BUDGET_SENTENCES: Readonly<Record<BudgetKind, string>> = {
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
    if (!reserved.ok) throw new ApiError('USAGE_LIMIT', BUDGET_SENTENCES[reserved.reason]);
    return reserved.value;
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
      return reached ? { ok: false, reason: reached, ids: [] } : { ok: true, value: null };
    }
  }
}
