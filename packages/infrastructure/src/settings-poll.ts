import { setTimeout as sleep } from 'node:timers/promises';
import type { ModelSetting, ModelSettingRepository } from '@citewell/database';
import type { Logger } from '@citewell/observability';

/** A choice reaches every process within this time, and the time of a query. */
const POLL_MS = 2_000;

/** Receives the setting of one kind after each read: null if nothing is chosen. */
export type OnSetting = (setting: ModelSetting | null) => Promise<void>;

/** Reads the settings of models once for all that follow them in this process, and again every two seconds. */
export class SettingsPoll {
  private readonly followers: { kind: string; onSetting: OnSetting }[] = [];
  private readonly stopping = new AbortController();
  private reading = Promise.resolve();

  constructor(
    private readonly settings: Pick<ModelSettingRepository, 'all'>,
    private readonly logger: Pick<Logger, 'warn'>,
  ) {}

  /** Resolves when the follower has received the setting, or the setting could not be read. */
  async follow(kind: string, onSetting: OnSetting): Promise<void> {
    this.followers.push({ kind, onSetting });
    if (this.followers.length === 1) void this.repeat();
    await this.read();
  }

  /** Reads now. Never rejects: without the database, followers keep what they have. Reads do not overtake each other. */
  read(): Promise<void> {
    this.reading = this.reading.then(() => this.readOnce());
    return this.reading;
  }

  /** Called by Nest. */
  beforeApplicationShutdown(): void {
    this.stopping.abort();
  }

  private async repeat(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      await sleep(POLL_MS, undefined, { signal, ref: false }).catch(() => undefined);
      if (!signal.aborted) await this.read();
    }
  }

  private async readOnce(): Promise<void> {
    const warn = (error: unknown): void => {
      if (!this.stopping.signal.aborted)
        this.logger.warn({ err: error }, 'the settings of models could not be read');
    };
    const settings = await this.settings.all().catch(warn);
    if (!settings) return;
    for (const { kind, onSetting } of this.followers) await onSetting(settings.get(kind) ?? null).catch(warn);
  }
}
