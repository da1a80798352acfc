import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { Clock } from './clock.js';
import { type AcquireOptions, HostGate, type HostGateOptions, type HostTurn } from './host-gate.js';

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

  /** Lets time pass, timer by timer, and what waits for it go on. */
  async pass(ms: number): Promise<void> {
    const untilMs = this.now + ms;
    await settled();
    for (;;) {
      const due = [...this.timers].filter(([, { atMs }]) => atMs <= untilMs);
      const [next] = due.sort(([, a], [, b]) => a.atMs - b.atMs);
      if (!next) break;
      this.now = next[1].atMs;
      this.timers.delete(next[0]);
      next[1].callback();
      await settled();
    }
    this.now = untilMs;
    await settled();
  }
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

class Crawl {
  readonly clock = new FakeClock();
  readonly gate: HostGate;
  /** When each turn began. */
  readonly starts: [name: string, atMs: number][] = [];
  readonly turns = new Map<string, HostTurn>();

  constructor(options: Partial<HostGateOptions> = {}) {
    this.gate = new HostGate({ concurrencyPerHost: 2, delayMs: 0, clock: this.clock, ...options });
  }

  ask(host: string, name: string, options: AcquireOptions = {}): void {
    void this.gate.acquire(host, options).then(
      (turn) => {
        this.starts.push([name, this.clock.nowMs()]);
        this.turns.set(name, turn);
      },
      () => undefined,
    );
  }

  release(name: string, feedback?: Parameters<HostTurn['release']>[0]): void {
    const turn = this.turns.get(name);
    assert.ok(turn, `${name} has no turn`);
    turn.release(feedback);
  }

  /** One request after the other, each of so many milliseconds; when they began. */
  async run(
    host: string,
    durationsMs: readonly number[],
    feedback: Parameters<HostTurn['release']>[0],
  ): Promise<number[]> {
    const starts: number[] = [];
    for (const durationMs of durationsMs) {
      const turn = this.gate.acquire(host);
      void turn.then(() => starts.push(this.clock.nowMs()));
      const known = starts.length;
      for (let step = 0; starts.length === known; step += 1) {
        assert.ok(step < 10_000);
        await this.clock.pass(100);
      }
      await this.clock.pass(durationMs);
      (await turn).release(feedback);
    }
    return starts;
  }
}

describe('HostGate', () => {
  it('lets so many requests through at once, in their order', async () => {
    const crawl = new Crawl();
    for (const name of ['1', '2', '3', '4']) crawl.ask('a', name);
    await crawl.clock.pass(100);
    assert.deepEqual(crawl.starts, [
      ['1', 0],
      ['2', 0],
    ]);
    crawl.release('2');
    await crawl.clock.pass(0);
    crawl.release('1');
    await crawl.clock.pass(0);
    assert.deepEqual(crawl.starts.slice(2), [
      ['3', 100],
      ['4', 100],
    ]);
  });

  it('keeps a floor between two starts', async () => {
    const crawl = new Crawl({ delayMs: 50 });
    for (const name of ['1', '2', '3']) crawl.ask('a', name);
    await crawl.clock.pass(60);
    crawl.release('1');
    await crawl.clock.pass(200);
    assert.deepEqual(crawl.starts, [
      ['1', 0],
      ['2', 50],
      ['3', 100],
    ]);
  });

  it('has no floor of 0', async () => {
    const crawl = new Crawl({ concurrencyPerHost: 100 });
    for (let name = 0; name < 100; name += 1) crawl.ask('a', String(name));
    await crawl.clock.pass(0);
    assert.equal(crawl.starts.length, 100);
    assert.equal(crawl.clock.pending, 0);
  });

  it('obeys a Crawl-delay, one request at a time', async () => {
    const crawl = new Crawl({ delayMs: 50 });
    for (const name of ['1', '2', '3']) crawl.ask('a', name, { crawlDelayMs: 1000 });
    await crawl.clock.pass(1500);
    assert.deepEqual(crawl.starts, [['1', 0]]);
    crawl.release('1');
    await crawl.clock.pass(100);
    crawl.release('2');
    await crawl.clock.pass(3000);
    assert.deepEqual(crawl.starts, [
      ['1', 0],
      ['2', 1500],
      ['3', 2500],
    ]);
  });

  it('does not let one host wait for another', async () => {
    const crawl = new Crawl({ delayMs: 1000, concurrencyPerHost: 1 });
    for (const name of ['a1', 'a2', 'a3']) crawl.ask('a', name);
    crawl.ask('b', 'b1');
    await crawl.clock.pass(0);
    assert.deepEqual(crawl.starts, [
      ['a1', 0],
      ['b1', 0],
    ]);
  });

  it('slows down for a slow host, within bounds, and speeds up again', async () => {
    const crawl = new Crawl({ slowAnswerMs: 1000, maxAdaptiveDelayMs: 4000 });
    const ok = { result: 'ok' } as const;
    await crawl.run(
      'a',
      Array.from({ length: 20 }, () => 20_000),
      ok,
    );
    for (const name of ['1', '2', '3']) crawl.ask('a', name);
    await crawl.clock.pass(12_000);
    const slow = crawl.starts.map(([, atMs]) => atMs);
    assert.equal((slow[1] ?? 0) - (slow[0] ?? 0), 4000);
    for (const name of ['1', '2']) crawl.release(name, ok);
    await crawl.clock.pass(10_000);
    crawl.release('3');

    await crawl.run(
      'a',
      Array.from({ length: 20 }, () => 5),
      ok,
    );
    for (const name of ['4', '5']) crawl.ask('a', name);
    await crawl.clock.pass(0);
    assert.equal(crawl.starts.length, 5);
  });

  it('is not slowed down by answers that are quick enough', async () => {
    const crawl = new Crawl();
    await crawl.run('a', [900, 900, 900], { result: 'ok' });
    for (const name of ['1', '2']) crawl.ask('a', name);
    await crawl.clock.pass(0);
    assert.equal(crawl.starts.length, 2);
  });

  it('knows a host as slow by its answers, by one that is long in coming, and by what it asks for', async () => {
    const crawl = new Crawl();
    const { gate, clock } = crawl;
    assert.equal(gate.isSlow('unknown'), false);
    crawl.ask('a', '1');
    await clock.pass(1_999);
    assert.equal(gate.isSlow('a'), false);
    await clock.pass(1);
    assert.equal(gate.isSlow('a'), true, 'it has been asked for two seconds');
    await clock.pass(3_000);
    crawl.release('1', { result: 'ok' });
    assert.equal(gate.isSlow('a'), true, 'it takes 1.5 s on average');
    await crawl.run('a', [5, 5, 5], { result: 'ok' });
    assert.equal(gate.isSlow('a'), false);
    crawl.ask('b', '2', { crawlDelayMs: 1_000 });
    assert.equal(gate.isSlow('b'), true, 'a second is between two requests');
    assert.equal(gate.isSlow('c'), false);
  });

  it('goes by requests without a turn as well, as far as time goes', async () => {
    const { gate, clock, ...crawl } = new Crawl({ maxHosts: 1 });
    const ended = gate.watch('a');
    await clock.pass(2_000);
    await gate.acquire('b').then((turn) => turn.release());
    assert.equal(gate.isSlow('a'), true, 'it is not forgotten');
    await clock.pass(2_000);
    ended();
    ended();
    assert.equal(gate.isSlow('a'), true);
    await gate.acquire('a').then((turn) => turn.release({ result: 'ok' }));
    assert.equal(gate.isSlow('a'), false, 'it counted once');
    assert.equal(crawl.starts.length, 0);
  });

  it('waits as long as Retry-After says, for that host only', async () => {
    const crawl = new Crawl();
    crawl.ask('a', 'a1');
    await crawl.clock.pass(10);
    crawl.release('a1', { result: 'overloaded', retryAfterMs: 30_000 });
    crawl.ask('a', 'a2');
    crawl.ask('b', 'b1');
    assert.equal(crawl.gate.pauseMs('a'), 30_000);
    assert.equal(crawl.gate.pauseMs('b'), 0);
    await crawl.clock.pass(29_990);
    assert.deepEqual(crawl.starts.slice(1), [['b1', 10]]);
    await crawl.clock.pass(10);
    assert.deepEqual(crawl.starts.at(-1), ['a2', 30_010]);
  });

  it('bounds what a host may ask for', async () => {
    const crawl = new Crawl({ maxBackoffMs: 60_000 });
    crawl.ask('a', '1');
    await crawl.clock.pass(0);
    crawl.release('1', { result: 'overloaded', retryAfterMs: 1e12 });
    assert.equal(crawl.gate.pauseMs('a'), 60_000);
  });

  it('doubles its pauses while a host is overloaded, and forgets them after a success', async () => {
    const crawl = new Crawl();
    const pauses: number[] = [];
    for (const result of [
      'overloaded',
      'overloaded',
      'overloaded',
      'ok',
      'overloaded',
      'ok',
      'failed',
    ] as const) {
      await crawl.run('a', [0], { result });
      pauses.push(crawl.gate.pauseMs('a'));
    }
    assert.deepEqual(pauses, [5000, 10_000, 20_000, 0, 5000, 0, 500]);
  });

  it('makes no pause of hours where some pages are always refused, and goes by Retry-After where there is one', async () => {
    const crawl = new Crawl();
    for (let page = 0; page < 8; page += 1) await crawl.run('a', [0], { result: 'overloaded' });
    assert.equal(crawl.gate.pauseMs('a'), 60_000);
    await crawl.run('a', [0], { result: 'overloaded', retryAfterMs: 6000 });
    assert.equal(crawl.gate.pauseMs('a'), 6000);
  });

  it('makes no long pause where pages are broken and the host answers', async () => {
    const crawl = new Crawl();
    const pauses: number[] = [];
    for (let page = 0; page < 5; page += 1) {
      await crawl.run('a', [0], { result: 'broken' });
      pauses.push(crawl.gate.pauseMs('a'));
    }
    assert.deepEqual(pauses, [500, 1000, 2000, 2000, 2000]);
    await crawl.run('a', [0], { result: 'broken', retryAfterMs: 30_000 });
    assert.equal(crawl.gate.pauseMs('a'), 30_000);
    await crawl.run('a', [0], { result: 'failed' });
    assert.equal(crawl.gate.pauseMs('a'), 4000, 'it counts as the fourth');
  });

  it('counts requests that fail together as one', async () => {
    const crawl = new Crawl({ concurrencyPerHost: 8 });
    const names = ['1', '2', '3', '4', '5', '6', '7', '8'];
    for (const name of names) crawl.ask('a', name);
    await crawl.clock.pass(10);
    for (const name of names) crawl.release(name, { result: 'overloaded' });
    assert.equal(crawl.gate.pauseMs('a'), 5000);
  });

  it('ends a wait with its signal, and lets the next one go', async () => {
    const crawl = new Crawl({ concurrencyPerHost: 1 });
    const stop = new AbortController();
    crawl.ask('a', '1');
    const abandoned = assert.rejects(crawl.gate.acquire('a', { signal: stop.signal }), /enough/);
    crawl.ask('a', '3');
    await crawl.clock.pass(0);
    stop.abort(new Error('enough'));
    await abandoned;
    crawl.release('1');
    await crawl.clock.pass(0);
    assert.deepEqual(crawl.starts, [
      ['1', 0],
      ['3', 0],
    ]);
    await assert.rejects(crawl.gate.acquire('b', { signal: stop.signal }), /enough/);
    assert.equal(crawl.gate.size, 1);
  });

  it('leaves no timer behind an abandoned wait', async () => {
    const crawl = new Crawl({ delayMs: 1000 });
    const stop = new AbortController();
    crawl.ask('a', '1');
    crawl.ask('a', '2', { signal: stop.signal });
    await crawl.clock.pass(0);
    assert.equal(crawl.clock.pending, 1);
    stop.abort(new Error('enough'));
    assert.equal(crawl.clock.pending, 0);
  });

  it('takes a turn back once', async () => {
    const crawl = new Crawl({ concurrencyPerHost: 1 });
    for (const name of ['1', '2', '3']) crawl.ask('a', name);
    await crawl.clock.pass(0);
    crawl.release('1');
    crawl.release('1');
    await crawl.clock.pass(0);
    assert.deepEqual(
      crawl.starts.map(([name]) => name),
      ['1', '2'],
    );
  });

  it('forgets hosts at rest, the oldest first, and none that is busy or paused while there are others', async () => {
    const crawl = new Crawl({ maxHosts: 3 });
    crawl.ask('busy', 'busy');
    crawl.ask('paused', 'paused');
    await crawl.clock.pass(0);
    crawl.release('paused', { result: 'overloaded' });
    for (let host = 0; host < 100; host += 1) {
      crawl.ask(`h${host}`, `h${host}`);
      await crawl.clock.pass(0);
      crawl.release(`h${host}`, { result: 'ok' });
    }
    assert.equal(crawl.gate.size, 3);
    assert.ok(crawl.gate.pauseMs('paused') > 0);
    crawl.release('busy');
  });

  it('never exceeds concurrency, never goes below the floor, and serves everyone', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.tuple(
            fc.constantFrom('a', 'b', 'c'),
            fc.nat(500),
            fc.constantFrom('ok', 'failed', 'overloaded'),
          ),
          { maxLength: 30 },
        ),
        fc.integer({ min: 1, max: 4 }),
        fc.nat(100),
        async (requests, concurrencyPerHost, delayMs) => {
          const crawl = new Crawl({ concurrencyPerHost, delayMs, maxHosts: 2 });
          const underWay = new Map<string, number>();
          const lastStart = new Map<string, number>();
          let served = 0;
          for (const [host, durationMs, result] of requests) {
            void crawl.gate.acquire(host).then((turn) => {
              const nowMs = crawl.clock.nowMs();
              const count = (underWay.get(host) ?? 0) + 1;
              underWay.set(host, count);
              assert.ok(count <= concurrencyPerHost);
              assert.ok(nowMs - (lastStart.get(host) ?? -Infinity) >= delayMs);
              lastStart.set(host, nowMs);
              crawl.clock.after(durationMs, () => {
                underWay.set(host, (underWay.get(host) ?? 1) - 1);
                served += 1;
                turn.release({ result: result as 'ok' });
              });
            });
          }
          await crawl.clock.pass(1e9);
          assert.equal(served, requests.length);
          assert.equal(crawl.clock.pending, 0);
        },
      ),
      { numRuns: 50 },
    );
  });
});
