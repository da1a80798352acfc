import { setTimeout as sleep } from 'node:timers/promises';
import type { SitePreview } from '@citewell/contracts/schemas';
import { SitePreviewRepository, type TenantScope } from '@citewell/database';
import { Inject, Injectable } from '@nestjs/common';
import { definedEntries } from '../../content/datasources/datasource-config.js';
import { ApiError } from '../../http/api-error.js';
import { KeyedCounter } from '../../http/rate-limiter.js';

/** A crawler takes at most 10 s for a preview. */
const TIMEOUT_MS = 15_000;
const POLL_MS = 200;
const RETRY_AFTER_SECONDS = 10;
/** Of one organization, in one process: the crawlers serve all organizations in the order of the requests. */
const MAX_IN_PROGRESS = 2;

/** Asks a crawler for a preview of a web site, and waits for it. */
@Injectable()
export class SitePreviewsService {
  private readonly inProgress = new KeyedCounter();

  constructor(@Inject(SitePreviewRepository) private readonly previews: SitePreviewRepository) {}

  /**
   * @throws {@link ApiError} `RATE_LIMIT` if the organization has two previews in progress; `UPSTREAM_UNAVAILABLE` if no
   * crawler has time
   */
  async preview(tenant: TenantScope, config: Record<string, unknown>): Promise<SitePreview> {
    const { organizationId } = tenant;
    if (!this.inProgress.take(organizationId, MAX_IN_PROGRESS))
      throw new ApiError('RATE_LIMIT', 'Two previews are in progress. Wait until one of them has ended.', {
        retryAfterSeconds: RETRY_AFTER_SECONDS,
      });
    try {
      return await this.waitFor(tenant, config);
    } finally {
      this.inProgress.release(organizationId);
    }
  }

  private async waitFor(tenant: TenantScope, config: Record<string, unknown>): Promise<SitePreview> {
    const id = await this.previews.request(tenant, definedEntries(config));
    try {
      const endsAtMs = performance.now() + TIMEOUT_MS;
      while (performance.now() < endsAtMs) {
        const preview = await this.previews.result(tenant, id);
        if (preview) return preview;
        await sleep(POLL_MS);
      }
      throw new ApiError(
        'UPSTREAM_UNAVAILABLE',
        'No crawler had time for the preview. Try again in a moment.',
        {
          retryAfterSeconds: RETRY_AFTER_SECONDS,
        },
      );
    } finally {
      await this.previews.remove(tenant, id);
    }
  }
}
