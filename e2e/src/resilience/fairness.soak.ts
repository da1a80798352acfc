import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createDataSource } from '@citewell/database';
import type { ApiClient } from './api.client.js';
import { EVERYWHERE, makeCorpus } from './corpus.js';
import { StandaloneDeployment } from './standalone.deployment.js';
import { untilSettled } from './ingestion.js';

const BACKLOG = 2_000;
const BATCH = 200;
const TRIALS = 7;

describe('an organization beside one with a backlog', () => {
  it('is served within three times its lone time', { timeout: 900_000 }, async (t) => {
    const deployment = await StandaloneDeployment.create();
    try {
      await deployment.start();
      const one = await deployment.admin.createOrganization('one');
      const other = await deployment.admin.createOrganization('other');
      await time(other, 'warm-up');
      const alone = await trials(other, 'alone');

      const datastoreId = await one.createDatastore('backlog');
      await makeBacklog(deployment, one, datastoreId);
      const started = performance.now();
      const beside: number[] = [];
      const pending: number[] = [];
      for (let trial = 0; trial < TRIALS; trial += 1) {
        beside.push(await time(other, `beside-${trial}`));
        pending.push(await countOpen(one, datastoreId));
        await sleep(250);
      }
      assert.ok((pending.at(-1) ?? 0) > 0, 'the backlog was gone before the last trial');
      const settled = await untilSettled(one, datastoreId, 600_000);
      t.diagnostic(`the backlog took ${((performance.now() - started) / 1_000).toFixed(1)} s`);
      assert.equal(settled.filter((item) => item.status === 'synched').length, BACKLOG);

      // Before and after: what else the machine does in the meantime would otherwise count against one side only.
      alone.push(...(await trials(other, 'alone-again')));
      t.diagnostic(`alone: ${shown(alone)} ms`);
      t.diagnostic(`beside a backlog of ${pending.join(', ')} documents: ${shown(beside)} ms`);
      t.diagnostic(`ratio of the medians ${(median(beside) / median(alone)).toFixed(2)}`);
      assert.ok(median(beside) <= 3 * median(alone));
    } finally {
      await deployment.dispose();
    }
  });
});

/** As many documents as are worked off while they are made would be no backlog: none is begun before all are there. */
async function makeBacklog(
  deployment: StandaloneDeployment,
  client: ApiClient,
  datastoreId: string,
): Promise<void> {
  const { databaseUrl } = await deployment.engines();
  const options = { url: databaseUrl, poolSize: 1, applicationName: 'citewell-test' };
  const database = await createDataSource(options).initialize();
  try {
    await database.query(`ALTER TABLE runs ALTER not_before SET DEFAULT now() + interval '1 day'`);
    for (let made = 0; made < BACKLOG; made += BATCH) await client.createTexts(datastoreId, batch(made));
    await database.query('ALTER TABLE runs ALTER not_before SET DEFAULT now()');
    await database.query('UPDATE runs SET not_before = now() WHERE not_before > now()');
  } finally {
    await database.destroy();
  }
}

async function trials(client: ApiClient, name: string): Promise<number[]> {
  const times: number[] = [];
  for (let trial = 0; trial < TRIALS; trial += 1) times.push(await time(client, `${name}-${trial}`));
  return times;
}

/** From sending one file until it is `synched`, in milliseconds. */
async function time(client: ApiClient, name: string): Promise<number> {
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
    text: `${EVERYWHERE} number ${first + index}. A small document among very many others of its kind.`,
  }));
}

async function countOpen(client: ApiClient, datastoreId: string): Promise<number> {
  const all = await client.datasources(datastoreId);
  return all.filter((one) => one.status !== 'synched').length;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

function shown(values: readonly number[]): string {
  return `${values.map((value) => value.toFixed(0)).join(', ')}; median ${median(values).toFixed(0)}`;
}
