import type { SitePreview } from '@citewell/contracts/schemas';
import { listen, type Listener, SITE_PREVIEW_CHANNEL, SitePreviewRepository } from '@citewell/database';
import { DATABASE_URL, LOGGER } from '@citewell/infrastructure';
import type { Logger } from '@citewell/observability';
import { Inject, Injectable } from '@nestjs/common';
import { SitePreviewer } from './site-previewer.js';

const TIME_LIMIT_MS = 10_000;
/** Per crawler. Others wait, or give up. */
const CONCURRENCY = 2;

const FAILED: SitePreview = {
  pages: [],
  isComplete: false,
  error: 'The preview failed. Try again in a moment.',
};

/**
 * Makes previews of web sites. They have no jobs, because a person waits for them: they must not wait for the slots of
 * crawls, and are worthless when they are late.
 */
@Injectable()
export class SitePreviewWorker {
  private readonly running = new Set<Promise<void>>();
  private readonly stopping = new AbortController();
  private listener: Listener | undefined;

  constructor(
    @Inject(SitePreviewRepository) private readonly previews: SitePreviewRepository,
    @Inject(SitePreviewer) private readonly previewer: SitePreviewer,
    @Inject(DATABASE_URL) private readonly databaseUrl: string,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  start(): void {
    const wake = (): void => this.wake();
    this.listener = listen(this.databaseUrl, SITE_PREVIEW_CHANNEL, { onNotify: wake, onConnect: wake });
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.listener?.close();
    await Promise.all(this.running);
  }

  private wake(): void {
    if (this.stopping.signal.aborted || this.running.size >= CONCURRENCY) return;
    const task = this.makeAll()
      .catch((error: unknown) => this.logger.warn({ err: error }, 'previews could not be read or written'))
      .finally(() => this.running.delete(task));
    this.running.add(task);
  }

  private async makeAll(): Promise<void> {
    while (!this.stopping.signal.aborted) {
      const preview = await this.previews.claim();
      if (!preview) return;
      const signal = AbortSignal.any([this.stopping.signal, AbortSignal.timeout(TIME_LIMIT_MS)]);
      const result = await this.previewer.preview(preview.config, signal).catch((error: unknown) => {
        this.logger.error({ err: error }, 'a preview of a web site failed');
        return FAILED;
      });
      await this.previews.finish(preview.id, result);
    }
  }
}
