import { setTimeout as sleep } from 'node:timers/promises';
import { report as print } from '../../report.js';
import type { LostDocument } from './find-lost.js';
import type { MixedLoad } from './mixed-load.js';
import { errorsOf, isExpected } from './request-log.js';
import type { SiteLoad } from './site-load.js';

const POLL_MS = 100;

interface Period {
  readonly name: string;
  readonly from: number;
  readonly to: number;
  /** When the dependency was back; null without a fault. */
  readonly returned: number | null;
  /** First success of each kind of request at each API, of a document and of the site, in ms after the return. */
  readonly recovery: ReadonlyMap<string, number>;
}

/** What a load met during each fault. */
export class FaultReport {
  private readonly periods: Period[] = [];
  private recovery = new Map<string, number>();
  /** What {@link findLost} has found, for the table. */
  lost: readonly LostDocument[] = [];

  constructor(
    private readonly load: MixedLoad,
    private readonly site: SiteLoad,
  ) {}

  /** Measures a period. @param action returns when the dependency was back */
  async during(name: string, action: () => Promise<number | void>): Promise<void> {
    const from = performance.now();
    this.recovery = new Map();
    const returned = (await action()) ?? null;
    const period = { name, from, to: performance.now(), returned, recovery: this.recovery };
    this.periods.push(period);
    print(this.row(period));
  }

  /** Waits for a success of each kind of request at each API that was started after the return, and of ingestion. */
  async recovered(returned: number, limitMs: number): Promise<void> {
    const kinds = new Set(this.load.log.requests.map(({ kind, api }) => `${kind} ${api + 1}`));
    const missing = new Set([...kinds, 'synched', 'crawl']);
    const from = this.load.log.requests.length;
    while (missing.size > 0 && performance.now() < returned + limitMs) {
      await sleep(POLL_MS);
      const succeeded = new Set(
        this.load.log.requests
          .slice(from)
          .filter(({ startedAt, code }) => startedAt >= returned && code === null)
          .map(({ kind, api }) => `${kind} ${api + 1}`),
      );
      if (this.load.documents.some(({ startedAt, synchedAt }) => startedAt >= returned && synchedAt !== null))
        succeeded.add('synched');
      if (this.site.lastRequestAt > returned) succeeded.add('crawl');
      for (const kind of missing) {
        if (!succeeded.has(kind)) continue;
        missing.delete(kind);
        this.recovery.set(kind, performance.now() - returned);
      }
    }
    for (const kind of missing) this.recovery.set(kind, Infinity);
  }

  /** What did not work in time after a fault. */
  lateThan(limitMs: number): string[] {
    return this.periods.flatMap((period) => [
      ...[...period.recovery]
        .filter(([, ms]) => ms > limitMs)
        .map(([kind, ms]) => `${period.name}: ${kind} after ${seconds(ms)} s`),
      ...(this.lastErrorMs(period) > limitMs
        ? [`${period.name}: errors for ${seconds(this.lastErrorMs(period))} s`]
        : []),
    ]);
  }

  /** Errors that no client has to expect. */
  get unexpected(): string[] {
    const codes = this.load.log.requests.flatMap(({ kind, code }) =>
      code === null || isExpected(code) ? [] : [`${kind}: ${code}`],
    );
    return [...new Set(codes)];
  }

  /** As Markdown. */
  table(): string {
    return [
      '| fault | s | requests | errors | recovered after, s | last error after, s | wrong | lost |',
      '|---|---|---|---|---|---|---|---|',
      ...this.periods.map((period) => this.row(period)),
    ].join('\n');
  }

  private row(period: Period): string {
    const { name, from, to, returned } = period;
    const requests = this.load.log.between(from, to);
    const isWithin = (at: number): boolean => at >= from && at < to;
    const wrong = this.load.log.wrongAnswers.filter(({ at }) => isWithin(at)).length;
    const lost = new Set(
      this.lost.filter(({ document }) => isWithin(document.startedAt)).map(({ document }) => document),
    );
    const slowest = [...period.recovery].toSorted((a, b) => b[1] - a[1])[0];
    const cells = [
      name,
      returned === null ? '' : seconds(returned - from),
      requests.length,
      errorsOf(requests),
      slowest === undefined ? '' : `${seconds(slowest[1])} (${slowest[0]})`,
      returned === null ? '' : seconds(this.lastErrorMs(period)),
      wrong,
      lost.size,
    ];
    return `| ${cells.join(' | ')} |`;
  }

  /** When the last request with an error was started, in ms after the return; 0 if none was. */
  private lastErrorMs({ from, to, returned }: Period): number {
    const errors = this.load.log.between(from, to).filter(({ code }) => code !== null);
    return Math.max(0, ...errors.map(({ startedAt }) => startedAt - (returned ?? startedAt)));
  }
}

function seconds(ms: number): string {
  return (ms / 1_000).toFixed(0);
}
