import { chromiumForTests } from '@citewell/testing';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { until } from '../client/tenant.js';
import { EmbeddedDeployment } from '../deployments/embedded.deployment.js';
import { descendantsOf, isAlive } from '../deployments/processes.js';
import { HarbourSite } from '../ingestion/rendering/harbour-site.js';

describe('a process that ends suddenly', () => {
  let deployment: EmbeddedDeployment;
  beforeEach(async () => {
    deployment = await EmbeddedDeployment.create();
  });
  afterEach(() => deployment.stop());

  it('finishes its requests after an error that nobody catches, and takes its child processes along', async () => {
    await deployment.start({
      CITEWELL_FAULT: 'after-create:2:throw',
      LOG_LEVEL: 'info',
      SHUTDOWN_GRACE_MS: '1000',
    });
    const { process: standalone, tenant } = deployment;
    const { id: datastoreId } = await tenant.datastore();
    const kept = await tenant.text(datastoreId, 'The keel was laid in March.');
    const children = await descendantsOf(standalone.pid);
    expect(children.length).toBeGreaterThan(0);
    // The error is thrown while this request is in progress.
    const text = 'The mast was stepped in June.';
    const created = await tenant.api.post('/datasources', { type: 'text', datastoreId, text });
    created.assertOk();
    expect(await standalone.exited).toBe(1);
    expect(standalone.output).toMatch(
      /"level":"fatal".*"stack":"Error: The fault of a test\..*uncaught error/,
    );
    expect(standalone.output).not.toMatch(/did not stop/);
    await until(async () => !children.some(isAlive), 'every process to be gone');

    await deployment.start();
    const { tenant: again } = deployment;
    expect((await again.search(datastoreId, 'keel laid'))[0]?.text).toContain('keel');
    expect(await again.datasource(kept.id)).toEqual(kept);
    await again.waitUntilSynched(JSON.parse(created.text).id);
    expect((await again.search(datastoreId, 'mast stepped'))[0]?.text).toContain('mast');
  });

  it('takes its child processes along when it is killed, and keeps its data', async () => {
    const chromium = await chromiumForTests();
    const site = new HarbourSite();
    await site.start();
    await deployment.start({
      ALLOW_PRIVATE_NETWORKS: '127.0.0.1/32',
      ...(chromium === null ? {} : { CHROMIUM_PATH: chromium }),
    });
    const { process: standalone, tenant } = deployment;
    const { id: datastoreId } = await tenant.datastore();
    const kept = await tenant.text(datastoreId, 'The keel was laid in March.');
    const file = await tenant.api.upload([
      ['datastoreId', datastoreId],
      ['file', new Blob(['<p>The mast was stepped in June.</p>']), 'mast.html'],
    ]);
    await tenant.waitUntilSynched(JSON.parse(file.text).id);
    if (chromium !== null) {
      const page = { type: 'web_page', datastoreId, config: { source_url: `${site.origin}/pilots` } };
      const created = await tenant.api.post('/datasources', page);
      created.assertOk();
      await tenant.waitUntilFinished(JSON.parse(created.text).id);
    }
    const children = await descendantsOf(standalone.pid);
    // Postgres with its backends, a parser, and Chromium with its processes.
    expect(children.length).toBeGreaterThan(chromium === null ? 6 : 9);
    await standalone.kill();
    await until(async () => !children.some(isAlive), 'every process to be gone');
    site.stop();

    await deployment.start();
    const { tenant: again } = deployment;
    expect((await again.search(datastoreId, 'keel laid'))[0]?.text).toContain('keel');
    expect(await again.datasource(kept.id)).toEqual(kept);
  });
});
