import { setTimeout as sleep } from 'node:timers/promises';
import type { SitePreview } from '@citewell/contracts/http';
import { SitePreviewRepository, type TenantScope } from '@citewell/database';
import { Inject, Injectable } from '@nestjs/common';
import { definedEntries } from '../datasources/datasource-config.js';
import { ApiError } from '../http/api-error.js';

/** A crawler takes at most 10 s for a preview. */
const TIMEOUT_MS = 15_000;
const POLL_MS = 200;
const RETRY_AFTER_SECONDS = 10;

/** Asks a crawler for a preview of a web site, and waits for it. */
@Injectable()
export class SitePreviewsService {
  constructor(@Inject(SitePreviewRepository) private readonly previews: SitePreviewRepository) {}

  /** @throws {@link ApiError} `UPSTREAM_UNAVAILABLE` if no crawler has time */
  async preview(tenant: TenantScope, config: Record<string, unknown>): Promise<SitePreview> {
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
