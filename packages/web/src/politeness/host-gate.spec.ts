import assert from 'node:assert/strict';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  type AcquireOptions,
  type Clock,
  type HostFeedback,
  HostGate,
  type HostGateOptions,
  type HostPermit,
} from './host-gate.js';

class FakeClock implements Clock {
  private now = 0;
  private readonly timers = new Map<symbol, { atMs: number; callback: () => void }>();

  nowMs(): number {
    return this.now;
  }

  after(delayMs: number, callback: () => void): () => void {
    const key = Symbol();
    this.timers.set(key, { atMs: this.now + delayMs, callback });
    return () => this.timers.delete(key);
  }

  get pending(): number {
    return this.timers.size;
  }

  /** Advances timer by timer, and lets promises run in between. */
  async pass(ms: number): Promise<void> {
    const untilMs = this.now + ms;
    await eventLoop();
    for (;;) {
      const due = [...this.timers].filter(([, { atMs }]) => atMs <= untilMs);
      const [next] = due.sort(([, a], [, b]) => a.atMs - b.atMs);
      if (!next) break;
      this.now = next[1].atMs;
      this.timers.delete(next[0]);
      next[1].callback();
      await eventLoop();
    }
    this.now = untilMs;
    await eventLoop();
  }
}

const eventLoop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

class Crawl {
  readonly clock = new FakeClock();
  readonly gate: HostGate;
  /** Names and start times of the requests that got a permit. */
  readonly starts: [name: string, atMs: number][] = [];
  private readonly permits = new Map<string, HostPermit>();

  constructor(options: Partial<HostGateOptions> = {}) {
    this.gate = new HostGate({ concurrencyPerHost: 2, delayMs: 0, clock: this.clock, ...options });
  }

  ask(host: string, name: string, options: AcquireOptions = {}): void {
    void this.gate.acquire(host, options).then(
      (permit) => {
        this.starts.push([name, this.clock.nowMs()]);
        this.permits.set(name, permit);
      },
      () => undefined,
    );
  }

  release(name: string, feedback?: HostFeedback): void {
    const permit = this.permits.get(name);
    assert.ok(permit, `${name} has no permit`);
    permit.release(feedback);
  }

  /** Sends a request that takes no time, as soon as a permit is there. @returns the pause after it, in ms */
  async pauseAfter(feedback: HostFeedback): Promise<number> {
    await this.clock.pass(this.gate.pauseMs('a'));
    const permit = await this.gate.acquire('a');
    permit.release(feedback);
    return this.gate.pauseMs('a');
  }

  /** @returns how many of ten requests at once get a permit */
  async concurrency(): Promise<number> {
    const abort = new AbortController();
    const granted: HostPermit[] = [];
    for (let request = 0; request < 10; request += 1) {
      void this.gate.acquire('a', { signal: abort.signal }).then(
        (permit) => granted.push(permit),
        () => undefined,
      );
    }
    await this.clock.pass(0);
    abort.abort(new Error('enough'));
    for (const permit of granted) permit.release();
    return granted.length;
  }
}

describe('HostGate', () => {
  it('limits requests at once and grants permits in order', async () => {
    const crawl = new Crawl();
    for (const name of ['1', '2', '3', '4']) crawl.ask('a', name);
    await crawl.clock.pass(100);
    crawl.release('2');
    await crawl.clock.pass(0);
    crawl.release('1');
    await crawl.clock.pass(0);
    const starts = [
      ['1', 0],
      ['2', 0],
      ['3', 100],
      ['4', 100],
    ];
    expect(crawl.starts).toEqual(starts);
  });

  it('keeps a minimum time between two starts', async () => {
    const crawl = new Crawl({ delayMs: 50 });
    for (const name of ['1', '2', '3']) crawl.ask('a', name);
    await crawl.clock.pass(60);
    crawl.release('1');
    await crawl.clock.pass(200);
    const starts = [
      ['1', 0],
      ['2', 50],
      ['3', 100],
    ];
    expect(crawl.starts).toEqual(starts);
  });

  it('sets no timer without a minimum time', async () => {
    const crawl = new Crawl({ concurrencyPerHost: 100 });
    for (let name = 0; name < 100; name += 1) crawl.ask('a', String(name));
    await crawl.clock.pass(0);
    expect(crawl.starts).toHaveLength(100);
    expect(crawl.clock.pending).toBe(0);
  });

  it('measures the minimum time from begin()', async () => {
    const crawl = new Crawl({ delayMs: 50 });
    const permit = await crawl.gate.acquire('a');
    expect(permit.spacingMs).toBe(50);
    await crawl.clock.pass(40);
    permit.begin();
    crawl.ask('a', '2');
    await crawl.clock.pass(100);
    expect(crawl.starts).toEqual([['2', 90]]);
  });

  it('obeys a Crawl-delay with one request at a time, until another value is given', async () => {
    const crawl = new Crawl({ delayMs: 50 });
    for (const name of ['1', '2', '3']) crawl.ask('a', name, { crawlDelayMs: 1000 });
    await crawl.clock.pass(1500);
    expect(crawl.starts).toEqual([['1', 0]]);
    crawl.release('1');
    await crawl.clock.pass(100);
    crawl.release('2');
    await crawl.clock.pass(3000);
    expect(crawl.starts.slice(1)).toEqual([
      ['2', 1500],
      ['3', 2500],
    ]);
    crawl.release('3');
    (await crawl.gate.acquire('a')).release();
    await crawl.clock.pass(50);
    expect((await crawl.gate.acquire('a', { crawlDelayMs: null })).spacingMs).toBe(50);
  });

  it('does not let one host wait for another', async () => {
    const crawl = new Crawl({ delayMs: 1000, concurrencyPerHost: 1 });
    for (const name of ['a1', 'a2', 'a3']) crawl.ask('a', name);
    crawl.ask('b', 'b1');
    await crawl.clock.pass(0);
    expect(crawl.starts).toEqual([
      ['a1', 0],
      ['b1', 0],
    ]);
  });

  it('waits as long as Retry-After says, for that host only', async () => {
    const crawl = new Crawl();
    crawl.ask('a', 'a1');
    await crawl.clock.pass(10);
    crawl.release('a1', { result: 'overloaded', retryAfterMs: 30_000 });
    crawl.ask('a', 'a2');
    crawl.ask('b', 'b1');
    expect(crawl.gate.pauseMs('a')).toBe(30_000);
    expect(crawl.gate.pauseMs('b')).toBe(0);
    await crawl.clock.pass(30_000);
    expect(crawl.starts.slice(1)).toEqual([
      ['b1', 10],
      ['a2', 30_010],
    ]);
  });

  const pauses: readonly (readonly [why: string, feedback: HostFeedback[], pausesMs: number[]])[] = [
    [
      'doubles while a host is overloaded, up to a minute',
      Array(6).fill({ result: 'overloaded' }),
      [5_000, 10_000, 20_000, 40_000, 60_000, 60_000],
    ],
    [
      'starts again after a success',
      [{ result: 'failed' }, { result: 'failed' }, { result: 'ok' }, { result: 'failed' }],
      [500, 1_000, 0, 500],
    ],
    ['stays short for broken pages', Array(5).fill({ result: 'broken' }), [500, 1_000, 2_000, 2_000, 2_000]],
    [
      'is what Retry-After says, between 5 s and 10 min',
      [6_000, 0, 1e12].map((retryAfterMs) => ({ result: 'overloaded', retryAfterMs })),
      [6_000, 5_000, 600_000],
    ],
    ['follows Retry-After of a successful response', [{ result: 'ok', retryAfterMs: 3_000 }], [3_000]],
  ];
  for (const [why, feedback, expected] of pauses) {
    it(`has a pause that ${why}`, async () => {
      const crawl = new Crawl();
      const found: number[] = [];
      for (const response of feedback) found.push(await crawl.pauseAfter(response));
      expect(found).toEqual(expected);
    });
  }

  it('counts requests that fail together as one', async () => {
    const crawl = new Crawl({ concurrencyPerHost: 8 });
    const names = ['1', '2', '3', '4', '5', '6', '7', '8'];
    for (const name of names) crawl.ask('a', name);
    await crawl.clock.pass(10);
    for (const name of names) crawl.release(name, { result: 'overloaded' });
    expect(crawl.gate.pauseMs('a')).toBe(5000);
    await crawl.clock.pass(5000);
    expect(await crawl.concurrency()).toBe(4);
  });

  it('sends fewer requests at once to a host in trouble, and recovers slowly', async () => {
    const crawl = new Crawl({ concurrencyPerHost: 4 });
    const concurrencyAfter = async (feedback: HostFeedback, times = 1): Promise<number> => {
      for (let request = 0; request < times; request += 1)
        await crawl.clock.pass(await crawl.pauseAfter(feedback));
      return crawl.concurrency();
    };
    expect(await concurrencyAfter({ result: 'broken' })).toBe(4);
    expect(await concurrencyAfter({ result: 'overloaded' })).toBe(2);
    expect(await concurrencyAfter({ result: 'failed' }, 3)).toBe(1);
    expect(await concurrencyAfter({ result: 'ok' }, 9)).toBe(1);
    expect(await concurrencyAfter({ result: 'ok' })).toBe(2);
    expect(await concurrencyAfter({ result: 'ok' }, 100)).toBe(4);
  });

  it('ends a wait with its signal, and lets the next one go', async () => {
    const crawl = new Crawl({ concurrencyPerHost: 1 });
    const abort = new AbortController();
    crawl.ask('a', '1');
    const abandoned = expect(crawl.gate.acquire('a', { signal: abort.signal })).rejects.toThrow(/enough/);
    crawl.ask('a', '3');
    await crawl.clock.pass(0);
    abort.abort(new Error('enough'));
    await abandoned;
    crawl.release('1');
    await crawl.clock.pass(0);
    expect(crawl.starts).toEqual([
      ['1', 0],
      ['3', 0],
    ]);
    await expect(crawl.gate.acquire('b', { signal: abort.signal })).rejects.toThrow(/enough/);
  });

  it('leaves no timer behind an abandoned wait', async () => {
    const crawl = new Crawl({ delayMs: 1000 });
    const abort = new AbortController();
    crawl.ask('a', '1');
    crawl.ask('a', '2', { signal: abort.signal });
    await crawl.clock.pass(0);
    expect(crawl.clock.pending).toBe(1);
    abort.abort(new Error('enough'));
    expect(crawl.clock.pending).toBe(0);
  });

  it('releases a permit only once', async () => {
    const crawl = new Crawl({ concurrencyPerHost: 1 });
    for (const name of ['1', '2', '3']) crawl.ask('a', name);
    await crawl.clock.pass(0);
    crawl.release('1');
    crawl.release('1');
    await crawl.clock.pass(0);
    expect(crawl.starts.map(([name]) => name)).toEqual(['1', '2']);
  });

  it('forgets the oldest idle hosts, and none that is busy or paused', async () => {
    const crawl = new Crawl({ maxHosts: 3 });
    for (const host of ['idle', 'busy', 'paused']) crawl.ask(host, host, { crawlDelayMs: 1 });
    await crawl.clock.pass(10);
    crawl.release('idle');
    crawl.release('paused', { result: 'overloaded' });
    for (let host = 0; host < 100; host += 1) (await crawl.gate.acquire(`h${host}`)).release();
    crawl.release('busy');
    expect(crawl.gate.pauseMs('paused')).toBeGreaterThan(0);
    expect((await crawl.gate.acquire('busy')).spacingMs).toBe(1);
    expect((await crawl.gate.acquire('idle')).spacingMs).toBe(0);
  });

  it('never exceeds its limits, and serves every request', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.tuple(
            fc.constantFrom('a', 'b', 'c'),
            fc.nat(500),
            fc.constantFrom<HostFeedback['result']>('ok', 'failed', 'overloaded'),
          ),
          { maxLength: 30 },
        ),
        fc.integer({ min: 1, max: 4 }),
        fc.nat(100),
        async (requests, concurrencyPerHost, delayMs) => {
          const crawl = new Crawl({ concurrencyPerHost, delayMs, maxHosts: 2 });
          const open = new Map<string, number>();
          const lastStart = new Map<string, number>();
          let served = 0;
          for (const [host, durationMs, result] of requests) {
            void crawl.gate.acquire(host).then((permit) => {
              const nowMs = crawl.clock.nowMs();
              const count = (open.get(host) ?? 0) + 1;
              open.set(host, count);
              expect(count).toBeLessThanOrEqual(concurrencyPerHost);
              expect(nowMs - (lastStart.get(host) ?? -Infinity)).toBeGreaterThanOrEqual(delayMs);
              lastStart.set(host, nowMs);
              crawl.clock.after(durationMs, () => {
                open.set(host, (open.get(host) ?? 1) - 1);
                served += 1;
                permit.release({ result });
              });
            });
          }
          await crawl.clock.pass(1e9);
          expect(served).toBe(requests.length);
          expect(crawl.clock.pending).toBe(0);
        },
      ),
      { numRuns: 50 },
    );
  });
});
