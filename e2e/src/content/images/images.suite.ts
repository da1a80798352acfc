import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { createTestDatabase, type TestDatabase } from '@citewell/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Tenant } from '../../client/tenant.js';
import { residentBytes } from '../../deployments/processes.js';
import { SCALED_APPS, ScaledDeployment } from '../../deployments/scaled.deployment.js';
import { report } from '../../report.js';

/** An id that no user of the images has. */
const OTHER_USER = '4321';
const IDLE_MS = 10_000;
/** The smallest memory limit of an app in docker-compose.yml. */
const IDLE_MEGABYTES = 512;

// The image runs as its own user, or as another one, as OpenShift chooses.
describe.each(['1000', OTHER_USER])('the images as user %s', (user) => {
  let database: TestDatabase;
  let deployment: ScaledDeployment;
  let tenant: Tenant;

  beforeAll(async () => {
    database = await createTestDatabase();
    deployment = await ScaledDeployment.start({ DATABASE_URL: database.url, IMAGE_USER: user }, []);
    const migrated = await deployment.citewell('migrate');
    expect([migrated.code, migrated.output]).toEqual([0, expect.any(String)]);
    for (const app of SCALED_APPS) {
      const started = performance.now();
      await deployment.startApp(app);
      report(`${app}: ready after ${((performance.now() - started) / 1_000).toFixed(1)} s`);
    }
    tenant = await Tenant.create(deployment);
  });
  afterAll(async () => {
    await deployment.stop();
    await database.drop();
  });

  it('need little memory when idle', async () => {
    await sleep(IDLE_MS);
    for (const app of SCALED_APPS) {
      const megabytes = (await residentBytes(deployment.app(app).pid)) / 1_000_000;
      report(`${app}: ${megabytes.toFixed(0)} MB when idle`);
      expect([app, megabytes < IDLE_MEGABYTES]).toEqual([app, true]);
    }
  });

  it('ingest a text and a file, and answer', async () => {
    const { id } = await tenant.datastore();
    const text = 'The harbour opens at seven.';
    await tenant.text(id, text);
    await tenant.file(id, '# Tides\n\nHigh tide is at noon.', 'tides.md');
    expect((await tenant.search(id, 'harbour'))[0]?.text).toBe(text);
    const agent = await tenant.agent({ datastoreIds: [id] });
    const { answer, sources } = await tenant.ask(agent.id, 'When is high tide?');
    expect([answer.includes('noon'), sources.length]).toEqual([true, 1]);
  });

  it('run as this user, without capabilities, on a read-only root', async () => {
    for (const { name, pid } of Object.values(deployment.processes).filter((one) => one.name !== 'qdrant')) {
      const status = await readFile(`/proc/${pid}/status`, 'utf8');
      expect([name, /^Uid:\s+(\d+)/m.exec(status)?.[1]]).toEqual([name, user]);
      expect([name, /^CapBnd:\s+(\w+)/m.exec(status)?.[1]]).toEqual([name, '0000000000000000']);
      expect([name, /^NoNewPrivs:\s+(\d)/m.exec(status)?.[1]]).toEqual([name, '1']);
      const mounts = await readFile(`/proc/${pid}/mounts`, 'utf8');
      expect([name, mounts.split('\n').some((line) => / \/ \S+ ro[, ]/.test(line))]).toEqual([name, true]);
    }
  });

  it('end with code 0 on SIGTERM', async () => {
    const apps = Object.values(deployment.processes).filter(({ name }) => name !== 'qdrant');
    expect(await Promise.all(apps.map(async (app) => [app.name, await app.stop()]))).toEqual(
      apps.map(({ name }) => [name, 0]),
    );
  });
});
