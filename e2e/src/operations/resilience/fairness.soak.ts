import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import type { Deployment } from '../../deployments/deployment.js';
import { report } from '../../report.js';
import { disturbEmbedded } from './disturbed.js';
import { ProductClient } from '@citewell/testing/product';
import { COMMON_WORD, makeCorpus } from './corpus.js';
import { waitUntilFinished } from './ingestion.js';
import { withDatabase } from './postgres-connections.js';

const BACKLOG = 6_000;
const BATCH = 200;
const TRIALS = 7;

describe('an organization next to one with a backlog', () => {
  it('waits at most three times as long as without the backlog', async () => {
    await disturbEmbedded(async (deployment) => {
      const admin = new ProductClient(deployment.origin, deployment.adminKey);
      const busy = await admin.createOrganization('busy');
      const quiet = await admin.createOrganization('quiet');
      await measureUpload(quiet, 'warm-up');
      const alone = await measureUploads(quiet, 'alone');

      const datastoreId = await busy.createDatastore('backlog');
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
  client: ProductClient,
  datastoreId: string,
): Promise<void> {
  await withDatabase(databaseUrl, async (database) => {
    await database.query(`ALTER TABLE runs ALTER not_before SET DEFAULT now() + interval '1 day'`);
    for (let created = 0; created < BACKLOG; created += BATCH)
      await client.createTexts(datastoreId, batch(created));
    await database.query('ALTER TABLE runs ALTER not_before SET DEFAULT now()');
    await database.query('UPDATE runs SET not_before = now() WHERE not_before > now()');
  });
}

async function measureUploads(client: ProductClient, name: string): Promise<number[]> {
  const times: number[] = [];
  for (let trial = 0; trial < TRIALS; trial += 1) times.push(await measureUpload(client, `${name}-${trial}`));
  return times;
}

/** Time in ms from sending one file until it is `synched`. */
async function measureUpload(client: ProductClient, name: string): Promise<number> {
  const datastoreId = await client.createDatastore(name);
  const [file] = makeCorpus(1);
  assert.ok(file);
  const started = performance.now();
  const { id } = await client.upload(datastoreId, file);
  while ((await client.datasource(id)).status !== 'synched') await sleep(10);
  return performance.now() - started;
}

function batch(first: number): { name: string; text: string }[] {
  return Array.from({ length: BATCH }, (_, index) => ({
    name: `small-${first + index}`,
    text: `${COMMON_WORD} number ${first + index}. A small document among very many others of its kind.`,
  }));
}

async function countUnfinished(client: ProductClient, datastoreId: string): Promise<number> {
  const all = await client.datasources(datastoreId);
  return all.filter(({ status }) => status !== 'synched').length;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

function format(values: readonly number[]): string {
  return `${values.map((value) => value.toFixed(0)).join(', ')}; median ${median(values).toFixed(0)}`;
}
