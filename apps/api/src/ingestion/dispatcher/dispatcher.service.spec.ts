import { describe, expect, it } from '@jest/globals';
import type { GroupRunRepository, RunDispatchRepository } from '@citewell/database';
import { DueWork, type PurgeDelivery, type RunDelivery, type ScheduledSyncs } from './dispatcher.service.js';

type Backlog = Awaited<ReturnType<RunDispatchRepository['backlog']>>;

const NOTHING: Backlog = {
  capacity: new Map(),
  purgesAreDue: false,
  groupsAreWaiting: false,
  syncsAreDue: false,
};

/** @param started what is started of each kind of work */
async function dispatch(
  backlog: Partial<Backlog>,
  started: { runs?: number; groups?: number; purges?: number } = {},
  isLow = false,
): Promise<boolean> {
  const { runs = 0, groups = 0, purges = 0 } = started;
  const dueWork = new DueWork(
    { backlog: async () => ({ ...NOTHING, ...backlog }) } as unknown as RunDispatchRepository,
    { finishWaitingGroups: async () => groups } as unknown as GroupRunRepository,
    { deliverPending: async () => runs } as unknown as RunDelivery,
    { deliverDue: async () => purges } as unknown as PurgeDelivery,
    { startDue: async () => undefined } as unknown as ScheduledSyncs,
    { isLow, makeRoom: () => undefined },
  );
  return dueWork.dispatch();
}

describe('the search for due work', () => {
  const capacity = new Map([['parsing', { slots: 1, free: 2 }] as const]);

  it('has found some when it has started some', async () => {
    expect(await dispatch({ capacity }, { runs: 1 })).toBe(true);
    expect(await dispatch({ groupsAreWaiting: true }, { groups: 1 })).toBe(true);
    expect(await dispatch({ purgesAreDue: true }, { purges: 1 })).toBe(true);
    expect(await dispatch({ purgesAreDue: true }, { purges: 1 }, true)).toBe(true);
    expect(await dispatch({ syncsAreDue: true })).toBe(true);
  });

  it('has found none while all of it waits for something else', async () => {
    expect(await dispatch({})).toBe(false);
    expect(await dispatch({ capacity })).toBe(false);
    expect(await dispatch({ groupsAreWaiting: true, purgesAreDue: true })).toBe(false);
    expect(await dispatch({ purgesAreDue: true }, {}, true)).toBe(false);
  });
});
