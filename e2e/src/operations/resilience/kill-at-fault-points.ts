import { setTimeout as sleep } from 'node:timers/promises';
import type { FaultPoint } from '@citewell/observability';
import { expect } from '@jest/globals';
import type { RunningProcess } from '@citewell/testing/product';
import type { Deployment } from '../../deployments/deployment.js';
import { report } from '../../report.js';
import { MixedWorkload, startPageServer } from './mixed-workload.js';
import { makeCorpus } from './corpus.js';
import { takeInventory } from './inventory.js';

/** Environment that a deployment needs to fetch the pages of this test. */
export const ALLOW_LOCAL_PAGES = { ALLOW_PRIVATE_NETWORKS: '127.0.0.0/8' };

/** Longest time in which the process reaches its fault point. */
const LONGEST_MS = 120_000;

/** @typeParam Fault the fault points of the deployment */
export interface FaultPointOptions<Fault extends FaultPoint> {
  readonly deployment: Deployment;
  readonly faults: readonly Fault[];
  /** Replaces the running process by one that kills itself at the fault point. */
  readonly launch: (fault: Fault) => Promise<RunningProcess>;
  /** Called after each kill. */
  readonly restart?: (fault: Fault) => Promise<void>;
  /** Called after the last kill. The complete deployment must run when it resolves. */
  readonly finish?: () => Promise<void>;
}

/**
 * Lets a process kill itself at each fault point under a mixed workload. Asserts that every acknowledged
 * request has had its effect at the end, and that nothing is left over.
 */
export async function killAtEachFaultPoint<Fault extends FaultPoint>(
  options: FaultPointOptions<Fault>,
): Promise<void> {
  const { deployment, faults } = options;
  const { tenant } = deployment;
  const pages = await startPageServer();
  try {
    const { id: datastoreId } = await tenant.datastore('faults');
    const workload = new MixedWorkload(tenant, datastoreId, makeCorpus(6), pages.url);
    await workload.runRound();
    for (const fault of faults) {
      const started = performance.now();
      const launched = await options.launch(fault);
      while (launched.isRunning && performance.now() - started < LONGEST_MS) {
        await workload.runRound();
        await sleep(50);
      }
      if (launched.isRunning) throw new Error(`${fault} was not reached`);
      expect((await launched.ended).signal).toBe('SIGKILL');
      report(`${fault}: killed after ${Math.round(performance.now() - started)} ms`);
      await options.restart?.(fault);
    }
    await options.finish?.();
    report(`${await workload.assertKept()} datasources at the end`);
    const inventory = await takeInventory(deployment);
    report(JSON.stringify(inventory));
    expect(inventory.problems).toEqual([]);
  } finally {
    await pages.close();
  }
}
