import type { Config } from '@citewell/config';
import { type TenantScope, UsageRepository } from '@citewell/database';
import { CONFIG } from '@citewell/infrastructure';
import { Inject, Injectable } from '@nestjs/common';
import { ApiError } from './api-error.js';

/** A count is used for this long. A client that is refused tries again after it. */
const COUNT_SECONDS = 2;
const MAX_COUNTS = 10_000;

interface Room {
  /** Datasources that the organization may still add. The last request may exceed them. */
  left: number;
  readonly expiresAt: number;
}

/** Limits the datasources of an organization that wait for a worker, so that its backlog does not grow without end. */
@Injectable()
export class PendingLimiter {
  private readonly rooms = new Map<string, Promise<Room>>();

  constructor(
    @Inject(UsageRepository) private readonly usage: Pick<UsageRepository, 'countPending'>,
    @Inject(CONFIG) private readonly config: Pick<Config, 'MAX_PENDING_DATASOURCES'>,
  ) {}

  /**
   * Accepts a request that may add this many datasources, if the limit allows at least one more.
   *
   * @throws {@link ApiError} `RATE_LIMIT`
   */
  async take(tenant: TenantScope, datasources: number): Promise<void> {
    const limit = this.config.MAX_PENDING_DATASOURCES;
    if (limit === 0 || datasources === 0) return;
    const room = await this.roomOf(tenant, datasources, limit);
    if (room.left > 0) {
      room.left -= datasources;
      return;
    }
    throw new ApiError(
      'RATE_LIMIT',
      `${limit} documents of the organization wait to be processed. Try again later.`,
      {
        retryAfterSeconds: COUNT_SECONDS,
      },
    );
  }

  private async roomOf(tenant: TenantScope, datasources: number, limit: number): Promise<Room> {
    const { organizationId } = tenant;
    const known = this.rooms.get(organizationId);
    const counted = await known;
    const isPrecise = counted !== undefined && (counted.left <= 0 || counted.left >= datasources);
    if (isPrecise && counted.expiresAt > Date.now()) return counted;
    const newer = this.rooms.get(organizationId);
    if (newer !== undefined && newer !== known) return newer;
    if (this.rooms.size >= MAX_COUNTS) this.rooms.clear();
    const counting = this.count(tenant, limit);
    this.rooms.set(organizationId, counting);
    // A failed count is not kept.
    counting.catch(() => this.rooms.delete(organizationId));
    return counting;
  }

  private async count(tenant: TenantScope, limit: number): Promise<Room> {
    const left = limit - (await this.usage.countPending(tenant, limit));
    return { left, expiresAt: Date.now() + COUNT_SECONDS * 1_000 };
  }
}
