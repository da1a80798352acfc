import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '@citewell/config';
import { sourceConfigSchema } from '@citewell/contracts/schemas';
import { SourceSyncRepository } from '@citewell/database';
import { CONFIG, LOGGER } from '@citewell/infrastructure';
import type { Logger } from '@citewell/observability';
import { openSource, type SourceWatch } from '@citewell/sources';
import { Inject, Injectable } from '@nestjs/common';

const TICK_MS = 1_000;
/** How often new sources are looked for. */
const TICKS_PER_LIST = 3;
/** A change is synched when nothing has changed for so long, */
const QUIET_MS = 2_000;
/** or when it has waited for so long. */
const LONGEST_WAIT_MS = 10_000;

interface WatchedSource {
  readonly watch: SourceWatch;
  readonly folder: unknown;
  /** Times of the first and the last change that are not synched; null without one. */
  changed: {
    first: number;
    last: number;
    /** Nothing has changed since the watch was refreshed: the change waits for the end of a sync. */
    isRefreshed: boolean;
  } | null;
}

/** Watches the folders of sources, and makes their sync due when something has changed. Without FOLDERS, it does nothing. */
@Injectable()
export class SourceWatcher {
  private readonly sources = new Map<string, WatchedSource>();
  /** Sources that cannot be watched now, and are told so in the log. Their schedule is enough. */
  private readonly failed = new Set<string>();
  private readonly stopped = new AbortController();
  private loop: Promise<void> | null = null;

  constructor(
    @Inject(SourceSyncRepository)
    private readonly syncs: Pick<SourceSyncRepository, 'scheduledFolders' | 'makeDue'>,
    @Inject(CONFIG) private readonly config: Pick<Config, 'FOLDERS'>,
    @Inject(LOGGER) private readonly logger: Pick<Logger, 'warn'>,
  ) {}

  start(): void {
    if (this.config.FOLDERS.length > 0) this.loop = this.run();
  }

  async stop(): Promise<void> {
    this.stopped.abort();
    await this.loop;
    for (const { watch } of this.sources.values()) watch.close();
    this.sources.clear();
  }

  private async run(): Promise<void> {
    const { signal } = this.stopped;
    for (let tick = 0; !signal.aborted; tick += 1) {
      try {
        if (tick % TICKS_PER_LIST === 0) await this.list();
        for (const [id, source] of this.sources) await this.sync(id, source);
      } catch (error) {
        this.logger.warn({ err: error }, 'changes of sources could not be synched');
      }
      await sleep(TICK_MS, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  private async list(): Promise<void> {
    const listed = new Map((await this.syncs.scheduledFolders()).map(({ id, config }) => [id, config]));
    for (const [id, { watch, folder }] of this.sources)
      if (listed.get(id)?.['folder'] !== folder) {
        watch.close();
        this.sources.delete(id);
      }
    for (const [id, config] of listed) if (!this.sources.has(id)) await this.add(id, config);
  }

  /** What changed before is for the first sync, or for the schedule. */
  private async add(id: string, config: Record<string, unknown>): Promise<void> {
    const onChange = (): void => {
      const now = performance.now();
      const source = this.sources.get(id);
      if (source) source.changed = { first: source.changed?.first ?? now, last: now, isRefreshed: false };
    };
    try {
      const { FOLDERS: folders } = this.config;
      const source = await openSource(sourceConfigSchema.parse(config), { folders, secrets: {} });
      const watch = source.watch?.(onChange);
      if (watch === undefined) return;
      this.sources.set(id, { watch, folder: config['folder'], changed: null });
      await watch.refresh();
      this.failed.delete(id);
    } catch (error) {
      this.fail(id, error);
    }
  }

  /** It is added again as soon as it can be watched. */
  private fail(id: string, error: unknown): void {
    this.sources.get(id)?.watch.close();
    this.sources.delete(id);
    if (this.failed.has(id)) return;
    this.failed.add(id);
    this.logger.warn({ err: error, datasourceId: id }, 'a source is not watched');
  }

  private async sync(id: string, source: WatchedSource): Promise<void> {
    const { changed } = source;
    if (changed === null) return;
    const now = performance.now();
    if (now - changed.last < QUIET_MS && now - changed.first < LONGEST_WAIT_MS) return;
    source.changed = null;
    try {
      if (!changed.isRefreshed) await source.watch.refresh();
    } catch (error) {
      this.fail(id, error);
    }
    // While a sync is under way, the change waits for its end.
    if (!(await this.syncs.makeDue(id))) source.changed ??= { first: now, last: now, isRefreshed: true };
  }
}
