import type { Config } from '@citewell/config';
import type { Usage } from '@citewell/contracts/http';
import { isDatabaseFull, type TenantScope, UsageRepository } from '@citewell/database';
import { CONFIG } from '@citewell/infrastructure';
import { Inject, Injectable } from '@nestjs/common';
import { ApiError } from '../http/api-error.js';
import { KeyedCounter } from '../http/keyed-counter.js';

/** Visitors of web pages take at most this share of the slots, so that they cannot stop the organization's own work. */
const VISITORS_SHARE = 0.5;
const RETRY_AFTER_SECONDS = 5;

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
   * Takes a slot and counts the query against the month's limit. The caller must {@link release} the slot.
   *
   * @throws {@link ApiError} `RATE_LIMIT` without a free slot, `USAGE_LIMIT` when the month's limit is
   * reached
   */
  async acquire(tenant: TenantScope, { isVisitor = false } = {}): Promise<void> {
    this.takeSlot(tenant, isVisitor);
    try {
      if (await this.usage.reserveAgentQuery(tenant)) return;
      throw new ApiError('USAGE_LIMIT', 'The organization has used all agent queries of this month.');
    } catch (error) {
      // The count cannot be stored, but questions are still answered.
      if (isDatabaseFull(error)) return;
      this.release(tenant);
      throw error;
    }
  }

  /** Frees the slot of an answer that has ended. */
  release({ organizationId }: TenantScope): void {
    this.inProgress.release(organizationId);
  }

  /** Takes the query back from the month's count. */
  async refund(tenant: TenantScope): Promise<void> {
    await this.usage.refundAgentQuery(tenant);
  }

  /** Counts the tokens of an answer. A full database loses the count, not the answer. */
  async countTokens(tenant: TenantScope, usage: Usage): Promise<void> {
    try {
      await this.usage.addTokens(tenant, usage);
    } catch (error) {
      if (!isDatabaseFull(error)) throw error;
    }
  }

  private takeSlot({ organizationId }: TenantScope, isVisitor: boolean): void {
    const all = this.config.MAX_CONCURRENT_ANSWERS;
    if (this.inProgress.take(organizationId, isVisitor ? Math.ceil(all * VISITORS_SHARE) : all)) return;
    throw new ApiError(
      'RATE_LIMIT',
      'The organization has too many answers in progress. Try again in a few seconds.',
      { retryAfterSeconds: RETRY_AFTER_SECONDS },
    );
  }
}
