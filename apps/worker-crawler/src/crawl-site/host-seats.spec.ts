import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { RetryLaterError } from '@citewell/ingestion';
import type { Clock } from '@citewell/web';
import { HostBusyError } from './host-busy.error.js';
import { HostSeats, type Seat, seatLimits } from './host-seats.js';

/** A crawler whose runs are worked on until the test says otherwise. */
class Crawler implements Clock {
  readonly slow = new Set<string>();
  readonly seats: HostSeats;
  /** Runs that are worked on, in the order in which they began. */
  readonly atWork = new Map<string, { seat: Seat; end: () => void }>();
  private now = 0;
  private timers: { atMs: number; callback: () => void }[] = [];

  constructor(perHost: number, inAll = 100) {
    this.seats = new HostSeats({ isSlow: (host) => this.slow.has(host) }, { perHost, inAll }, this);
  }

  nowMs(): number {
    return this.now;
  }

  after(delayMs: number, callback: () => void): () => void {
    const timer = { atMs: this.now + delayMs, callback };
    this.timers.push(timer);
    return () => (this.timers = this.timers.filter((one) => one !== timer));
  }

  get pending(): number {
    return this.timers.length;
  }

  pass(ms: number): void {
    for (let left = ms; left > 0; left -= 100) {
      this.now += 100;
      const due = this.timers.filter(({ atMs }) => atMs <= this.now);
      this.timers = this.timers.filter(({ atMs }) => atMs > this.now);
      for (const { callback } of due) callback();
    }
  }

  /** A run comes and wants something of hosts, one after the other. @returns for how long it is sent away; 0: it stays */
  async comes(runId: string, ...hosts: readonly string[]): Promise<number> {
    const { promise: over, resolve: end } = Promise.withResolvers<void>();
    const entered = Promise.withResolvers<number>();
    const held = this.seats.hold(runId, async (seat) => {
      for (const host of hosts) seat.enter(host);
      this.atWork.set(runId, { seat, end });
      entered.resolve(0);
      await over;
    });
    held.catch((error: unknown) => {
      assert.ok(error instanceof RetryLaterError && !(error instanceof HostBusyError));
      entered.resolve(error.retryAfterMs);
    });
    return entered.promise;
  }

  async ends(runId: string): Promise<void> {
    this.atWork.get(runId)?.end();
    this.atWork.delete(runId);
    await new Promise((resolve) => setImmediate(resolve));
  }

  /** Runs that have been told to make room. */
  get leaving(): string[] {
    return [...this.atWork].filter(([, { seat }]) => seat.patience.aborted).map(([runId]) => runId);
  }
}

describe('seats at hosts', () => {
  it('are without number at a fast host', async () => {
    const crawler = new Crawler(1, 1);
    for (const run of ['1', '2', '3']) assert.equal(await crawler.comes(run, 'a'), 0);
    crawler.pass(10_000);
    assert.deepEqual(crawler.leaving, []);
  });

  it('are few at a slow one, which holds no other', async () => {
    const crawler = new Crawler(2);
    crawler.slow.add('a');
    assert.equal(await crawler.comes('1', 'a'), 0);
    assert.equal(await crawler.comes('2', 'a'), 0);
    assert.equal(await crawler.comes('3', 'a'), 3_000);
    assert.equal(await crawler.comes('4', 'a'), 3_250, 'one is before it');
    assert.equal(await crawler.comes('5', 'b'), 0);
    crawler.slow.add('b');
    assert.equal(await crawler.comes('6', 'b'), 0, 'a line at one host is none at another');
    crawler.slow.delete('a');
    assert.equal(await crawler.comes('4', 'a'), 0);
  });

  it('go to who has waited longest; a run that has had its turn comes after those that wait', async () => {
    const crawler = new Crawler(1);
    crawler.slow.add('a');
    const turns: string[] = [];
    await crawler.comes('1', 'a');
    for (const run of ['2', '3']) await crawler.comes(run, 'a');
    for (let turn = 0; turn < 7; turn += 1) {
      const [atWork = ''] = crawler.atWork.keys();
      turns.push(atWork);
      await crawler.ends(atWork);
      // It is back at once; the others come whenever they do.
      for (const run of [atWork, '3', '2', '1']) {
        if (!crawler.atWork.has(run)) await crawler.comes(run, 'a');
      }
      crawler.pass(5_000);
    }
    assert.deepEqual(turns, ['1', '2', '3', '1', '2', '3', '1']);
  });

  it('are kept for nobody who does not come again', async () => {
    const crawler = new Crawler(1);
    crawler.slow.add('a');
    await crawler.comes('1', 'a');
    await crawler.comes('cancelled', 'a');
    await crawler.ends('1');
    crawler.pass(10_000);
    assert.notEqual(await crawler.comes('2', 'a'), 0);
    crawler.pass(10_000);
    assert.equal(await crawler.comes('2', 'a'), 0);
  });

  it('are left when a host turns out to be slow, by those who came last', async () => {
    const crawler = new Crawler(2);
    for (const run of ['1', '2', '3', '4']) await crawler.comes(run, 'a');
    await crawler.comes('5', 'b');
    crawler.slow.add('a');
    crawler.pass(1_000);
    assert.deepEqual(crawler.leaving, ['3', '4']);
    const reason: unknown = crawler.atWork.get('3')?.seat.patience.reason;
    assert.ok(reason instanceof HostBusyError && reason.retryAfterMs === 3_000);
    assert.notEqual(await crawler.comes('6', 'a'), 0, 'their slots are not free yet');
  });

  it('at all slow hosts together leave some slots to others', async () => {
    const crawler = new Crawler(2, 3);
    for (const host of ['a', 'b', 'c', 'd']) crawler.slow.add(host);
    for (const host of ['a', 'b', 'c']) assert.equal(await crawler.comes(host, host), 0);
    assert.notEqual(await crawler.comes('d', 'd'), 0);
    assert.equal(await crawler.comes('e', 'fast'), 0);
    await crawler.ends('a');
    assert.notEqual(await crawler.comes('a', 'a'), 0, 'its turn was before');
    assert.equal(await crawler.comes('d', 'd'), 0);
    crawler.slow.add('fast');
    crawler.pass(1_000);
    assert.deepEqual(crawler.leaving, ['d']);
  });

  it('are taken at each host that a run comes to, and its place in line is the same everywhere', async () => {
    const crawler = new Crawler(1);
    for (const host of ['a', 'www.a']) crawler.slow.add(host);
    await crawler.comes('1', 'a', 'www.a');
    await crawler.comes('2', 'a', 'www.a');
    await crawler.comes('3', 'www.a');
    await crawler.ends('1');
    await crawler.comes('4', 'www.a');
    assert.deepEqual([...crawler.atWork.keys()], [], 'the second was there first');
    assert.equal(await crawler.comes('2', 'a', 'www.a', 'a'), 0);
  });

  it('are waited for before anything else is asked', async () => {
    const crawler = new Crawler(1);
    crawler.slow.add('slow');
    await crawler.comes('1', 'slow');
    await crawler.comes('2', 'fast', 'slow');
    let begun = 0;
    const again = (): Promise<unknown> => crawler.seats.hold('2', async () => (begun += 1));
    await assert.rejects(again, RetryLaterError);
    assert.equal(begun, 0);
    await crawler.ends('1');
    await again();
    assert.equal(begun, 1);
  });

  it('need no timer while nobody has one', async () => {
    const crawler = new Crawler(1);
    await crawler.comes('1', 'a');
    await crawler.comes('2', 'a');
    crawler.pass(5_000);
    assert.equal(crawler.pending, 1);
    await crawler.ends('1');
    await crawler.ends('2');
    assert.equal(crawler.pending, 0);
  });

  it('are a quarter of the slots at one host, three at all', () => {
    assert.deepEqual([1, 2, 8, 16].map(seatLimits), [
      { perHost: 1, inAll: 1 },
      { perHost: 1, inAll: 1 },
      { perHost: 2, inAll: 6 },
      { perHost: 4, inAll: 12 },
    ]);
  });
});
