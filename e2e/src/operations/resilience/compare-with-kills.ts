import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from '@jest/globals';
import type { Deployment } from '../../deployments/deployment.js';
import { report } from '../../report.js';
import type { SourceFile } from '../../client/tenant.js';
import { outcomesOf, waitUntilFinished, uploadAll } from './ingestion.js';
import { takeInventory } from './inventory.js';
import type { SeededRandom } from './seeded-random.js';

/** A process that can be killed while files are ingested. */
export interface KillTarget {
  name: string;
  /** @returns false when no such process was running */
  kill(): Promise<boolean>;
  /** Starts the process again, or waits while the deployment does so itself. */
  restart(): Promise<void>;
}

export interface KillOptions {
  deployment: Deployment;
  files: readonly SourceFile[];
  targets: readonly KillTarget[];
  kills: number;
  random: SeededRandom;
  /** Random pause between two kills. */
  pauseMs: readonly [min: number, max: number];
}

/**
 * Ingests the files twice: undisturbed, and while processes are killed at random moments. Asserts that both
 * have the same outcome and that nothing is duplicated, lost or left over.
 */
export async function compareWithKills(options: KillOptions): Promise<void> {
  const { deployment, files } = options;
  const { tenant } = deployment;
  const { id: undisturbedId } = await tenant.datastore('undisturbed');
  const undisturbedStarted = performance.now();
  await uploadAll(tenant, undisturbedId, files);
  await waitUntilFinished(tenant, undisturbedId);
  report(`undisturbed: ${files.length} files in ${seconds(undisturbedStarted)} s`);
  const expected = await outcomesOf(tenant, undisturbedId);

  const { id: disturbedId } = await tenant.datastore('disturbed');
  const disturbedStarted = performance.now();
  const uploading = uploadAll(tenant, disturbedId, files, { concurrency: 3, pauseMs: 20 });
  const killed = await carryOutKills(options);
  const uploads = await uploading;
  report(`killed: ${killed.join(', ')}; ${uploads.repeated} uploads failed and were sent again`);
  const finished = await waitUntilFinished(tenant, disturbedId);
  report(`disturbed: ${finished.length} datasources finished after ${seconds(disturbedStarted)} s`);

  const ids = new Set(finished.map(({ id }) => id));
  expect(uploads.ids.filter((id) => !ids.has(id))).toEqual([]);
  expect(finished.length).toBeLessThanOrEqual(files.length + uploads.repeated);
  expect(await outcomesOf(tenant, disturbedId)).toEqual(expected);

  const inventory = await takeInventory(deployment);
  report(`inventory: ${JSON.stringify(inventory)}`);
  expect(inventory.problems).toEqual([]);
}

async function carryOutKills({ targets, kills, random, pauseMs }: KillOptions): Promise<string[]> {
  const killed: string[] = [];
  while (killed.length < kills) {
    await sleep(random.between(...pauseMs));
    // Each target at least once, if there are enough kills.
    const target = targets[killed.length] ?? random.pick(targets);
    if (!(await retryKill(target))) continue;
    killed.push(target.name);
    await sleep(random.between(0, 300));
    await target.restart();
  }
  return killed;
}

/** Some targets, such as parser processes, exist only for moments. Retries for two seconds. */
async function retryKill(target: KillTarget): Promise<boolean> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    if (await target.kill()) return true;
    await sleep(20);
  }
  return false;
}

function seconds(since: number): string {
  return ((performance.now() - since) / 1_000).toFixed(1);
}
