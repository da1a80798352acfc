import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ApiClient } from './api.client.js';
import type { SourceFile } from './corpus.js';
import { outcomesOf, untilSettled, uploadAll } from './ingestion.js';
import { type Engines, type Inventory, takeInventory } from './inventory.js';
import type { SeededRandom } from './seeded-random.js';

/** Something that can be killed while work goes on, and brought back where it does not come back by itself. */
export interface Victim {
  name: string;
  /** @returns false when there was nothing to kill at this moment */
  kill(): Promise<boolean>;
  restart(): Promise<void>;
}

export interface StormOptions {
  client: ApiClient;
  engines: () => Promise<Engines>;
  files: readonly SourceFile[];
  victims: readonly Victim[];
  kills: number;
  random: SeededRandom;
  /** Between two kills, in milliseconds. */
  pauseMs: readonly [least: number, most: number];
  print: (line: string) => void;
}

/**
 * Ingests the files once in peace and once while processes are killed at random moments, and asserts that both came
 * to the same, with nothing doubled, lost or left over.
 */
export async function compareWithStorm(options: StormOptions): Promise<Inventory> {
  const { client, files, print } = options;
  const calm = await client.createDatastore('calm');
  const calmStarted = performance.now();
  await uploadAll(client, calm, files);
  await untilSettled(client, calm);
  print(`undisturbed: ${files.length} files in ${seconds(calmStarted)} s`);
  const expected = await outcomesOf(client, calm);

  const stormy = await client.createDatastore('stormy');
  const stormStarted = performance.now();
  const uploading = uploadAll(client, stormy, files, { atOnce: 3, pauseMs: 20 });
  const killed = await carryOutKills(options);
  const uploads = await uploading;
  print(`killed: ${killed.join(', ')}; ${uploads.repeated} uploads had no answer and were sent again`);
  const settled = await untilSettled(client, stormy);
  print(`stormy: ${settled.length} datasources settled after ${seconds(stormStarted)} s`);

  const ids = new Set(settled.map((one) => one.id));
  assert.deepEqual(
    uploads.ids.filter((id) => !ids.has(id)),
    [],
    'acknowledged and lost',
  );
  assert.ok(settled.length <= files.length + uploads.repeated, 'more datasources than were sent');
  assert.deepEqual(await outcomesOf(client, stormy), expected);

  const inventory = await takeInventory(await options.engines());
  print(`inventory: ${JSON.stringify(inventory)}`);
  assert.deepEqual(inventory.problems, []);
  return inventory;
}

async function carryOutKills({ victims, kills, random, pauseMs }: StormOptions): Promise<string[]> {
  const killed: string[] = [];
  while (killed.length < kills) {
    await sleep(random.between(...pauseMs));
    // Each victim at least once, where there are as many kills.
    const victim = victims[killed.length] ?? random.pick(victims);
    if (!(await retryKill(victim))) continue;
    killed.push(victim.name);
    await sleep(random.between(0, 300));
    await victim.restart();
  }
  return killed;
}

/** A parser process lives for moments only: it is looked for, for a while. */
async function retryKill(victim: Victim): Promise<boolean> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    if (await victim.kill()) return true;
    await sleep(20);
  }
  return false;
}

function seconds(since: number): string {
  return ((performance.now() - since) / 1_000).toFixed(1);
}
