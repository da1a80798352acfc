import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import type { Deployment } from '../../deployments/deployment.js';
import { report } from '../../report.js';
import { disturbEmbedded } from '../../deployments/disturbed.js';
import { Tenant } from '../../client/tenant.js';
import { COMMON_WORD, makeCorpus } from './corpus.js';
import { waitUntilFinished } from './ingestion.js';
import { withDatabase } from './postgres-connections.js';

const BACKLOG = 6_000;
const BATCH = 200;
const TRIALS = 7;

describe('an organization next to one with a backlog', () => {
  it('waits at most three times as long as without the backlog', async () => {
    await disturbEmbedded(async (deployment) => {
      const busy = await Tenant.create(deployment, 'busy');
      const quiet = await Tenant.create(deployment, 'quiet');
      await measureUpload(quiet, 'warm-up');
      const alone = await measureUploads(quiet, 'alone');

      const { id: datastoreId } = await busy.datastore('backlog');
      await createBacklog(deployment, busy, datastoreId);
      const started = performance.now();
      const withBacklog: number[] = [];
      const pending: number[] = [];
      for (let trial = 0; trial < TRIALS; trial += 1) {
        withBacklog.push(await measureUpload(quiet, `backlog-${trial}`));
        pending.push(await countUnfinished(busy, datastoreId));
        await sleep(250);
      }
      expect(pending.at(-1) ?? 0).toBeGreaterThan(0);
      const finished = await waitUntilFinished(busy, datastoreId, 600_000);
      report(`the backlog took ${((performance.now() - started) / 1_000).toFixed(1)} s`);
      expect(finished.filter((item) => item.status === 'synched')).toHaveLength(BACKLOG);

      // Measured before and after the backlog, so that other load on the machine affects both sides.
      alone.push(...(await measureUploads(quiet, 'alone-again')));
      report(`alone: ${format(alone)} ms`);
      report(`with a backlog of ${pending.join(', ')} documents: ${format(withBacklog)} ms`);
      report(`ratio of the medians ${(median(withBacklog) / median(alone)).toFixed(2)}`);
      expect(median(withBacklog)).toBeLessThanOrEqual(3 * median(alone));
    });
  }, 900_000);
});

/**
 * Creates documents that become due together. Otherwise the product would ingest them as fast as they are
 * created, and there would be no backlog.
 */
async function createBacklog(
  { databaseUrl }: Deployment,
  tenant: Tenant,
  datastoreId: string,
): Promise<void> {
  await withDatabase(databaseUrl, async (database) => {
    await database.query(`ALTER TABLE runs ALTER not_before SET DEFAULT now() + interval '1 day'`);
    for (let created = 0; created < BACKLOG; created += BATCH)
      await tenant.texts(datastoreId, batch(created));
    await database.query('ALTER TABLE runs ALTER not_before SET DEFAULT now()');
    await database.query('UPDATE runs SET not_before = now() WHERE not_before > now()');
  });
}

async function measureUploads(tenant: Tenant, name: string): Promise<number[]> {
  const times: number[] = [];
  for (let trial = 0; trial < TRIALS; trial += 1) times.push(await measureUpload(tenant, `${name}-${trial}`));
  return times;
}

/** Time in ms from sending one file until it is `synched`. */
async function measureUpload(tenant: Tenant, name: string): Promise<number> {
  const { id: datastoreId } = await tenant.datastore(name);
  const [file] = makeCorpus(1);
  assert.ok(file);
  const started = performance.now();
  const { id } = await tenant.upload(datastoreId, file);
  while ((await tenant.datasource(id)).status !== 'synched') await sleep(10);
  return performance.now() - started;
}

function batch(first: number): { name: string; text: string }[] {
  return Array.from({ length: BATCH }, (_, index) => ({
    name: `small-${first + index}`,
    text: `${COMMON_WORD} number ${first + index}. A small document among very many others of its kind.`,
  }));
}

async function countUnfinished(tenant: Tenant, datastoreId: string): Promise<number> {
  const all = await tenant.datasources(datastoreId);
  return all.filter(({ status }) => status !== 'synched').length;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

function format(values: readonly number[]): string {
  return `${values.map((value) => value.toFixed(0)).join(', ')}; median ${median(values).toFixed(0)}`;
}
