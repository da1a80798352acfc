// The backup of separate processes, as docs/operations.md describes it: `pg_dump` while the service works, then a copy of the
// bucket, then a restore without any vectors. POSTGRES_URL names a server that the `pg_dump` on the PATH can read.
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { createTestDatabase } from '@citewell/testing';
import { expect, it } from '@jest/globals';
import { ApiClient } from '../client/api-client.js';
import { ScaledDeployment } from '../deployments/scaled.deployment.js';
import { MixedLoad } from './faults/mixed-load.js';
import { waitUntilFinished } from './resilience/ingestion.js';
import { report } from '../report.js';

const { POSTGRES_URL: server } = process.env;
const run = promisify(execFile);
const LOAD_MS = 8_000;

if (server === undefined) it.skip('backup of separate processes: set POSTGRES_URL', () => undefined);
else it('restores the database and the bucket, and writes the vectors again', () => backUpAndRestore(server));

async function backUpAndRestore(postgres: string): Promise<void> {
  process.env['TEST_POSTGRES_URL'] = postgres;
  const directory = await mkdtemp(join(tmpdir(), 'citewell-backup-'));
  const dump = join(directory, 'database');
  const first = await start();
  const { tenant } = first.deployment;
  const { id: datastoreId } = await tenant.datastore('Harbours');
  // Larger than a row may be: the bucket has it.
  const large = `The lighthouse of Farsund is white. ${randomBytes(40_000).toString('hex')}`;
  const [kept, deleted] = await tenant.texts(
    datastoreId,
    ['kept', 'deleted'].map((name) => ({ name, text: `${name}: ${large}` })),
  );
  await waitUntilFinished(tenant, datastoreId);
  const apis = [new ApiClient(first.deployment.baseUrl, first.deployment.apiKey)];
  const load = new MixedLoad({ apis, datastoreId, perSecond: { text: 8, search: 2 } });
  await sleep(LOAD_MS);

  const before = load.synched.map(({ word }) => word);
  await run('pg_dump', ['--format=custom', `--file=${dump}`, first.deployment.databaseUrl]);
  await tenant.remove(String(deleted));
  await sleep(LOAD_MS);
  const bucket = new Map<string, Buffer>();
  for await (const { key } of first.deployment.largeBlobs.list(''))
    bucket.set(key, await first.deployment.largeBlobs.read(key));
  await load.stop();
  await first.stop();

  const second = await start(dump);
  for (const [key, content] of bucket) await second.deployment.largeBlobs.put(key, content);
  const repaired = await second.deployment.citewell('doctor', '--repair');
  report(repaired.output.trim());
  const restored = second.deployment.tenant;
  await waitUntilFinished(restored, datastoreId).catch((error: unknown) => report(String(error)));
  for (const word of before) {
    const deadline = Date.now() + 60_000;
    while (!(await finds(word))) {
      if (Date.now() > deadline) throw new Error(`${word} is not found`);
      await sleep(500);
    }
  }
  report(`${before.length} texts of before the backup, all found; ${bucket.size} objects in the bucket`);
  expect(await restored.textOf(String(kept))).toContain(large);
  expect(await second.deployment.citewell('doctor')).toMatchObject({ code: expect.any(Number) });
  await second.stop();
  await rm(directory, { recursive: true });

  async function finds(word: string): Promise<boolean> {
    const [hit] = await restored.search(datastoreId, `Where is ${word}?`, { topK: 1 }).catch(() => []);
    return hit?.text.includes(word) === true;
  }
}

/** @param dump of a database to restore first */
async function start(dump?: string): Promise<{ deployment: ScaledDeployment; stop(): Promise<void> }> {
  const database = await createTestDatabase();
  if (dump !== undefined)
    await run('pg_restore', ['--exit-on-error', '--no-owner', `--dbname=${database.url}`, dump]);
  const deployment = await ScaledDeployment.start({ DATABASE_URL: database.url, RATE_LIMIT_PER_MINUTE: '0' });
  return {
    deployment,
    async stop() {
      await deployment.stop();
      await database.drop();
    },
  };
}
