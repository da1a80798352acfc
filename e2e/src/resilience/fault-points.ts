import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FaultPoint } from '@citewell/observability';
import type { ApiClient } from './api.client.js';
import { Commotion, startPages } from './commotion.js';
import { makeCorpus } from './corpus.js';
import { type Engines, takeInventory } from './inventory.js';
import type { ManagedProcess } from './managed-process.js';

/** A deployment needs this, or it cannot fetch the pages. */
export const WITH_PAGES = { ALLOW_PRIVATE_NETWORKS: '127.0.0.0/8' };

/** @typeParam Fault a fault point that there is a process for */
export interface FaultPlay<Fault extends FaultPoint> {
  readonly client: ApiClient;
  readonly engines: () => Promise<Engines>;
  readonly faults: readonly Fault[];
  /** Starts, instead of what runs, the process that is to die there. */
  readonly launch: (fault: Fault) => Promise<ManagedProcess>;
  /** Called after each death. */
  readonly revive?: (fault: Fault) => Promise<void>;
  /** Called after the last one: all is to run again. */
  readonly finish?: () => Promise<void>;
  readonly deathLimitMs: number;
  readonly print: (line: string) => void;
}

/**
 * Has a process die at each fault point, while a little of everything is asked of it, and asserts that what was
 * acknowledged holds in the end, with nothing left over.
 */
export async function dieAtEachFault<Fault extends FaultPoint>(play: FaultPlay<Fault>): Promise<void> {
  const { client, faults, deathLimitMs, print } = play;
  const pages = await startPages();
  try {
    const datastoreId = await client.createDatastore('faults');
    const commotion = new Commotion(client, datastoreId, makeCorpus(6), pages.url);
    await commotion.stir();
    for (const fault of faults) {
      const started = performance.now();
      const doomed = await play.launch(fault);
      while (doomed.isRunning && performance.now() - started < deathLimitMs) {
        await commotion.stir();
        await sleep(50);
      }
      assert.ok(!doomed.isRunning, `${fault} was not reached`);
      assert.equal((await doomed.ended).signal, 'SIGKILL');
      print(`${fault}: died after ${Math.round(performance.now() - started)} ms`);
      await play.revive?.(fault);
    }
    await play.finish?.();
    print(`${await commotion.assertKept()} datasources at the end`);
    const inventory = await takeInventory(await play.engines());
    print(JSON.stringify(inventory));
    assert.deepEqual(inventory.problems, []);
  } finally {
    await pages.close();
  }
}
