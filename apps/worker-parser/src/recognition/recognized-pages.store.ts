import { BlobNotFoundError, type BlobStore } from '@citewell/blob-store';
import { BlobRepository, recognizedPageKey, type RunEntity } from '@citewell/database';
import { BLOB_STORE } from '@citewell/infrastructure';
import { FaultPoints } from '@citewell/observability';
import { Inject, Injectable } from '@nestjs/common';
import type { PageStore } from '../sandbox/page-recognition.js';

/**
 * Keeps the recognized pages of a run until its document is stored: after a crash, or with the next release, another
 * process goes on with the next page. Each page is a blob, whose row is never committed: what a dead run leaves behind is
 * removed as other abandoned blobs are.
 */
@Injectable()
export class RecognizedPagesStore {
  constructor(
    @Inject(BlobRepository) private readonly rows: BlobRepository,
    @Inject(BLOB_STORE) private readonly store: BlobStore,
    @Inject(FaultPoints) private readonly faults: FaultPoints,
  ) {}

  of(run: RunEntity): PageStore {
    const { organizationId, datasourceId, id: runId, contentName } = run;
    return {
      load: async () => {
        const pages = new Map<number, string>();
        for (const [page, key] of await this.rows.recognizedPages(run)) {
          const table = await this.readKept(key);
          if (table !== null) pages.set(page, table);
        }
        return pages;
      },
      save: async (page, table) => {
        const key = recognizedPageKey(run, page);
        await this.rows.announce([{ key, organizationId, datasourceId, runId }]);
        await this.store.put(key, Buffer.from(table));
        this.faults.reach('after-page', contentName);
      },
    };
  }

  async forget(run: RunEntity): Promise<void> {
    const keys = [...(await this.rows.recognizedPages(run)).values()];
    if (keys.length === 0) return;
    await this.store.delete(keys);
    await this.rows.forget(keys);
  }

  /** @returns null for a page whose blob was not written before the process ended */
  private async readKept(key: string): Promise<string | null> {
    try {
      return (await this.store.read(key)).toString('utf8');
    } catch (error) {
      if (error instanceof BlobNotFoundError) return null;
      throw error;
    }
  }
}
