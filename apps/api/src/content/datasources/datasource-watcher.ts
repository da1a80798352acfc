import { setTimeout as sleep } from 'node:timers/promises';
import type { Datasource } from '@citewell/contracts/schemas';
import { DatasourceRepository, type TenantScope } from '@citewell/database';
import { LOGGER } from '@citewell/infrastructure';
import type { Logger } from '@citewell/observability';
import { Inject, Injectable } from '@nestjs/common';
import { toDatasource } from './datasource.mapper.js';

const POLL_INTERVAL_MS = 300;
/** Datasources read by one query. */
const BATCH = 500;
/** Polls after which the permissions of viewers are read again. */
const POLLS_PER_CHECK = 4;

/** Receives the state of a datasource at every poll; null when it has been deleted, or may not be read any more. */
export type Watch = (datasource: Datasource | null) => void;

/** Who watches. */
export interface Viewer {
  /** Equal for watches of the same credentials. */
  readonly key: string;
  /** What the viewer may read at this moment; null if the credentials are not valid any more. */
  tenant(): Promise<TenantScope | null>;
}

/** Polls the datasources that streams of this process watch: one query for all of them, however many watch one. */
@Injectable()
export class DatasourceWatcher {
  private readonly watches = new Map<string, Map<Watch, Viewer>>();
  private isPolling = false;

  constructor(
    @Inject(DatasourceRepository)
    private readonly datasources: Pick<DatasourceRepository, 'findByIds' | 'readableIds'>,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Calls `watch` at every poll from now on.
   *
   * @param id of a datasource that the viewer may read
   * @returns a function that ends the watch
   */
  watch(id: string, viewer: Viewer, watch: Watch): () => void {
    const ofDatasource = this.watches.get(id) ?? new Map<Watch, Viewer>();
    this.watches.set(id, ofDatasource.set(watch, viewer));
    if (!this.isPolling) void this.poll();
    return () => {
      ofDatasource.delete(watch);
      if (ofDatasource.size === 0 && this.watches.get(id) === ofDatasource) this.watches.delete(id);
    };
  }

  private async poll(): Promise<void> {
    this.isPolling = true;
    for (let polls = 1; this.watches.size > 0; polls += 1) {
      await sleep(POLL_INTERVAL_MS);
      try {
        if (polls % POLLS_PER_CHECK === 0) await this.checkViewers();
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
      for (const watch of this.watches.get(id)?.keys() ?? []) watch(datasource);
    }
  }

  /** For whoever may not read a datasource any more, it does not exist. */
  private async checkViewers(): Promise<void> {
    const all = [...this.watches].flatMap(([id, ofDatasource]) =>
      [...ofDatasource].map(([watch, viewer]) => ({ id, watch, viewer })),
    );
    for (const own of Map.groupBy(all, ({ viewer }) => viewer.key).values()) {
      const tenant = (await own[0]?.viewer.tenant()) ?? null;
      const ids = own.map(({ id }) => id);
      const readable = tenant ? await this.datasources.readableIds(tenant, ids) : new Set<string>();
      for (const { id, watch } of own) if (!readable.has(id)) watch(null);
    }
  }
}
