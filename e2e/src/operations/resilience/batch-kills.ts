import { setTimeout as sleep } from 'node:timers/promises';
import { createDataSource, type DataSource } from '@citewell/database';
import { type Tenant, untilRecovered } from '../../client/tenant.js';
import { expect } from '@jest/globals';
import type { Deployment } from '../../deployments/deployment.js';
import { report } from '../../report.js';
import { COMMON_WORD } from './corpus.js';
import { outcomesOf } from './ingestion.js';
import { takeInventory } from './inventory.js';
import type { SeededRandom } from './seeded-random.js';

const BATCH = 32;
const POISON = 'poison';
/** The environment of processes that a document kills whenever its points are written. */
export const KILLED_BY_POISON = { CITEWELL_FAULT: `after-write@${POISON}` };
/** Deliveries to a parser and to an indexer without any crash. */
const DELIVERIES = 2;

/** A process that may end at any moment. */
export interface Mortal {
  readonly name: string;
  isRunning(): boolean;
  kill(): Promise<void>;
  /** Starts the process. Rejects if the process ends before it is ready. */
  start(): Promise<void>;
}

export interface BatchKillOptions {
  readonly deployment: Deployment;
  readonly processes: readonly Mortal[];
  readonly batches: number;
  readonly kills: number;
  readonly random: SeededRandom;
  readonly pauseMs: readonly [min: number, max: number];
}

/**
 * Ingests small texts in batches of 32. One of the first batch kills its process each time. First without other kills:
 * the texts of its batch end within two deliveries to the indexer. Then with kills at random moments. Asserts that
 * nothing is lost, doubled or left over.
 */
export async function killInBatches(options: BatchKillOptions): Promise<void> {
  const { tenant } = options.deployment;
  const { id: siblingsId } = await tenant.datastore('siblings');
  const { id: poisonId } = await tenant.datastore('poison');
  const { id: othersId } = await tenant.datastore('others');
  await withDatabase(options, async (database) => {
    await database.query(`ALTER TABLE runs ALTER not_before SET DEFAULT now() + interval '1 day'`);
    await tenant.texts(siblingsId, textsOf('sibling', BATCH - 1));
    await tenant.texts(poisonId, [{ name: POISON, text: `${COMMON_WORD} that is never indexed.` }]);
    for (let n = 0; n < options.batches; n += 1) await tenant.texts(othersId, textsOf(`other-${n}`, BATCH));
    await database.query('ALTER TABLE runs ALTER not_before SET DEFAULT now()');
    await release(database, [siblingsId, poisonId]);
  });
  await keepRunning(options, 0, [siblingsId]);
  const deliveries = await withDatabase(options, (database) => deliveriesOf(database, siblingsId));
  report(`deliveries of the siblings of a text that kills its process: ${deliveries.join(', ')}`);

  await withDatabase(options, (database) => release(database, [othersId]));
  const killed = await keepRunning(options, options.kills, [othersId, poisonId]);
  report(`killed: ${[...killed].map(([name, times]) => `${name} ${times}`).join(', ')}`);

  expect((await outcomesOf(tenant, siblingsId)).size).toBe(BATCH - 1);
  expect((await outcomesOf(tenant, othersId)).size).toBe(options.batches * BATCH);
  const [poison, ...others] = await tenant.datasources(poisonId);
  expect(others).toEqual([]);
  expect([poison?.status, poison?.error?.code]).toEqual(['error', 'WORKER_CRASHED']);
  const inventory = await takeInventory(options.deployment);
  report(`inventory: ${JSON.stringify(inventory)}`);
  expect(inventory.problems).toEqual([]);
  expect(Math.max(...deliveries)).toBeLessThanOrEqual(DELIVERIES + 1);
}

/** Starts what has ended, and connects to the database, until `work` has succeeded. */
async function withDatabase<Result>(
  { deployment, processes }: BatchKillOptions,
  work: (database: DataSource) => Promise<Result>,
): Promise<Result> {
  const { result } = await untilRecovered(async () => {
    await startEnded(processes);
    const { databaseUrl: url, vectorStore, largeBlobs } = await deployment.engines();
    await Promise.all([vectorStore.close(), largeBlobs.close()]);
    const database = createDataSource({ url, poolSize: 1, applicationName: 'citewell-test' });
    try {
      return { result: await work(await database.initialize()) };
    } finally {
      if (database.isInitialized) await database.destroy();
    }
  }, 'the database');
  return result;
}

/** Makes the texts of datastores due together, so that batches are full. */
async function release(database: DataSource, datastoreIds: readonly string[]): Promise<void> {
  await database.query(
    `UPDATE runs SET not_before = now() FROM datasources d
      WHERE d.id = runs.datasource_id AND d.datastore_id = ANY($1) AND runs.not_before > now()`,
    [datastoreIds],
  );
}

/** A process may be killed again while it starts. @returns how many had ended */
async function startEnded(processes: readonly Mortal[]): Promise<number> {
  const ended = processes.filter((one) => !one.isRunning());
  for (const one of ended) await one.start().catch(() => undefined);
  return ended.length;
}

/**
 * Starts processes that have ended again, and kills some at random moments, until the texts have ended.
 *
 * @returns the kills by name
 */
async function keepRunning(
  { deployment, processes, random, pauseMs }: BatchKillOptions,
  kills: number,
  datastoreIds: readonly string[],
): Promise<Map<string, number>> {
  const killed = new Map<string, number>();
  for (let left = kills; ;) {
    const ended = await startEnded(processes);
    if (left > 0) {
      const target = random.pick(processes);
      await sleep(random.between(...pauseMs));
      if (!target.isRunning()) continue;
      await target.kill();
      killed.set(target.name, (killed.get(target.name) ?? 0) + 1);
      left -= 1;
    } else {
      const isFinished =
        ended === 0 && (await areFinished(deployment.tenant, datastoreIds).catch(() => false));
      if (isFinished) return killed;
      await sleep(100);
    }
  }
}

async function areFinished(tenant: Tenant, datastoreIds: readonly string[]): Promise<boolean> {
  const all = await Promise.all(datastoreIds.map((id) => tenant.datasources(id)));
  return all.flat().every(({ status }) => status !== 'unsynched' && status !== 'running');
}

async function deliveriesOf(dataSource: DataSource, datastoreId: string): Promise<number[]> {
  const rows = await dataSource.query<{ delivery: number }[]>(
    `SELECT r.delivery FROM datasources d JOIN runs r ON r.id = d.serving_run_id
      WHERE d.datastore_id = $1 ORDER BY r.delivery DESC`,
    [datastoreId],
  );
  return rows.map(({ delivery }) => delivery);
}

function textsOf(name: string, count: number): { name: string; text: string }[] {
  return Array.from({ length: count }, (_, n) => ({
    name: `${name}-${n}`,
    text: `${COMMON_WORD} of ${name}, number ${n}. A small text among others of its batch.`,
  }));
}
