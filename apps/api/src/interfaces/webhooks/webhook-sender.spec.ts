import type { AttemptOutcome, ClaimedDelivery } from '@citewell/database';
import { Metrics } from '@citewell/observability';
import { describe, expect, it, jest } from '@jest/globals';
import type { Attempt } from './attempt-outcome.js';
import { WebhookSender } from './webhook-sender.service.js';

/** An endpoint and the database, as a sender sees them. */
class World {
  readonly due: ClaimedDelivery[] = [];
  readonly limits: { total: number; failing: number }[] = [];
  readonly recorded: [id: string, outcome: AttemptOutcome][] = [];
  readonly released: string[] = [];
  /** What answers the attempts in progress, by id. */
  readonly open = new Map<string, PromiseWithResolvers<Attempt | null>>();
  isDatabaseLost = false;
  private waiting: (() => void)[] = [];

  readonly sender = new WebhookSender(
    {
      claim: async (limits: { total: number; failing: number }) => {
        this.limits.push(limits);
        return this.due.splice(0, limits.total);
      },
      record: async ({ id }: ClaimedDelivery, outcome: AttemptOutcome) => {
        if (this.isDatabaseLost) throw new Error('no database');
        this.recorded.push([id, outcome]);
      },
      release: async ({ id }: ClaimedDelivery) => void this.released.push(id),
    } as never,
    {
      send: (delivery: ClaimedDelivery, shutdown: AbortSignal) => {
        const attempt = Promise.withResolvers<Attempt | null>();
        this.open.set(delivery.id, attempt);
        shutdown.addEventListener('abort', () => attempt.resolve(null));
        for (const resolve of this.waiting.splice(0)) resolve();
        return attempt.promise;
      },
    } as never,
    new Metrics('test'),
    { info: () => undefined, warn: () => undefined } as never,
  );

  add(count: number, isFailing = false): void {
    for (let n = 0; n < count; n += 1)
      this.due.push({
        id: `${isFailing ? 'failing' : 'message'} ${n}`,
        attempts: 1,
        isFailing,
      } as ClaimedDelivery);
  }

  async untilOpen(count: number): Promise<void> {
    while (this.open.size < count) await new Promise<void>((resolve) => this.waiting.push(resolve));
  }
}

describe('WebhookSender', () => {
  it('makes 32 attempts at once, of these at most 16 to failing endpoints', async () => {
    const world = new World();
    world.add(10, true);
    world.sender.onApplicationBootstrap();
    await world.untilOpen(10);
    world.add(30);
    world.sender.wake();
    await world.untilOpen(32);
    expect(world.limits.at(0)).toEqual({ total: 32, failing: 16 });
    expect(world.limits.at(-1)).toEqual({ total: 22, failing: 6 });
    for (const attempt of world.open.values()) attempt.resolve({ responseStatus: 204 });
    await world.untilOpen(40);
    for (const attempt of world.open.values()) attempt.resolve({ responseStatus: 204 });
    await world.sender.beforeApplicationShutdown();
    expect(world.recorded).toHaveLength(40);
    expect(world.released).toEqual([]);
  });

  it('lets attempts end when it stops, and gives the others back', async () => {
    jest.useFakeTimers();
    try {
      const world = new World();
      world.add(2);
      world.sender.onApplicationBootstrap();
      await world.untilOpen(2);
      const stopped = world.sender.beforeApplicationShutdown();
      world.open.get('message 0')?.resolve({ error: 'TIMEOUT' });
      await jest.advanceTimersByTimeAsync(3_000);
      await stopped;
      expect(world.recorded).toEqual([
        ['message 0', expect.objectContaining({ error: 'TIMEOUT', retryAfterSeconds: expect.any(Number) })],
      ]);
      expect(world.released).toEqual(['message 1']);
    } finally {
      jest.useRealTimers();
    }
  });

  it('goes on after a result that could not be recorded', async () => {
    const world = new World();
    world.add(1);
    world.isDatabaseLost = true;
    world.sender.onApplicationBootstrap();
    await world.untilOpen(1);
    world.open.get('message 0')?.resolve({ responseStatus: 204 });
    world.add(1, true);
    world.sender.wake();
    await world.untilOpen(2);
    world.open.get('failing 0')?.resolve({ responseStatus: 204 });
    await world.sender.beforeApplicationShutdown();
    expect(world.recorded).toEqual([]);
  });
});
