import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Tenant } from '../client/tenant.js';
import type { Deployment } from '../deployments/deployment.js';
import { startScaled } from '../deployments/scaled.deployment.js';

/** An id that no user of the images has. */
const OTHER_USER = '4321';

// The image runs as its own user, or as another one, as OpenShift chooses.
describe.each(['1000', OTHER_USER])('the images as user %s', (user) => {
  let deployment: Deployment;
  let tenant: Tenant;

  beforeAll(async () => {
    // `citewell migrate` of the image creates the schema.
    deployment = await startScaled({ IMAGE_USER: user });
    tenant = await Tenant.create(deployment);
  });
  afterAll(() => deployment.stop());

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
