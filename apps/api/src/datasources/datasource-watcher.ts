import { setTimeout as sleep } from 'node:timers/promises';
import type { Datasource } from '@citewell/contracts/schemas';
import { DatasourceRepository } from '@citewell/database';
import { LOGGER } from '@citewell/infrastructure';
import type { Logger } from '@citewell/observability';
import { Inject, Injectable } from '@nestjs/common';
import { toDatasource } from './datasource.mapper.js';

const POLL_INTERVAL_MS = 300;
/** Datasources read by one query. */
const BATCH = 500;

/** Receives the state of a datasource at every poll; null when it has been deleted. */
export type Watch = (datasource: Datasource | null) => void;

/** Polls the datasources that streams of this process watch: one query for all of them, however many watch one. */
@Injectable()
export class DatasourceWatcher {
  private readonly watches = new Map<string, Set<Watch>>();
  private isPolling = false;

  constructor(
    @Inject(DatasourceRepository) private readonly datasources: Pick<DatasourceRepository, 'findByIds'>,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Calls `watch` at every poll from now on.
   *
   * @param id of a datasource that the caller may read
   * @returns a function that ends the watch
   */
  watch(id: string, watch: Watch): () => void {
    const ofDatasource = this.watches.get(id) ?? new Set();
    this.watches.set(id, ofDatasource.add(watch));
    if (!this.isPolling) void this.poll();
    return () => {
      ofDatasource.delete(watch);
      if (ofDatasource.size === 0 && this.watches.get(id) === ofDatasource) this.watches.delete(id);
    };
  }

  private async poll(): Promise<void> {
    this.isPolling = true;
    while (this.watches.size > 0) {
      await sleep(POLL_INTERVAL_MS);
      try {
        const ids = [...this.watches.keys()];
        for (let from = 0; from < ids.length; from += BATCH) await this.read(ids.slice(from, from + BATCH));
      } catch (error) {
        // The streams stay open, and the next poll may succeed.
        this.logger.warn({ err: error }, 'watched datasources could not be read');
      }
    }
    this.isPolling = false;
  }

  private async read(ids: readonly string[]): Promise<void> {
    const found = new Map((await this.datasources.findByIds(ids)).map((view) => [view.datasource.id, view]));
    for (const id of ids) {
      const view = found.get(id);
      const datasource = view ? toDatasource(view) : null;
      for (const watch of this.watches.get(id) ?? []) watch(datasource);
    }
  }
}
