import { chromiumForTests, prepareDataDirectory } from '@citewell/testing';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ApiClient } from './client/api-client.js';
import { Tenant, until } from './client/tenant.js';
import { API_KEY, createTemporaryDirectory, waitUntilReady } from './deployments/deployment.js';
import { originOf, spawnStandalone } from './deployments/embedded.deployment.js';
import { descendantsOf } from './deployments/processes.js';
import type { RunningProcess } from '@citewell/testing/product';
import { HarbourSite } from './rendering/harbour-site.js';

describe('a process that ends suddenly', () => {
  let directory: Awaited<ReturnType<typeof createTemporaryDirectory>>;
  const started: RunningProcess[] = [];

  beforeEach(async () => {
    directory = await createTemporaryDirectory();
    await prepareDataDirectory(directory.path);
  });
  afterEach(async () => {
    await Promise.all(started.splice(0).map((process) => process.stop('SIGTERM')));
    await directory.remove();
  });

  const start = async (
    env: Readonly<Record<string, string>> = {},
  ): Promise<{ standalone: RunningProcess; tenant: Tenant }> => {
    const standalone = spawnStandalone(directory.path, env);
    started.push(standalone);
    const origin = await originOf(standalone);
    await waitUntilReady(origin, [standalone]);
    return { standalone, tenant: new Tenant(new ApiClient(`${origin}/api`, API_KEY), '') };
  };

  it('finishes its requests after an error that nobody catches, and takes its child processes along', async () => {
    const { standalone, tenant } = await start({
      CITEWELL_FAULT: 'after-create:2:throw',
      LOG_LEVEL: 'info',
      SHUTDOWN_GRACE_MS: '1000',
    });
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
    await until(async () => !children.some(isAlive), 'every process to be gone', 10_000);

    const { tenant: again } = await start();
    expect((await again.search(datastoreId, 'keel laid'))[0]?.text).toContain('keel');
    expect(await again.datasource(kept.id)).toEqual(kept);
    await again.waitUntilSynched(JSON.parse(created.text).id);
    expect((await again.search(datastoreId, 'mast stepped'))[0]?.text).toContain('mast');
  });

  it('takes its child processes along when it is killed, and keeps its data', async () => {
    const chromium = await chromiumForTests();
    const site = new HarbourSite();
    await site.start();
    const { standalone, tenant } = await start({
      ALLOW_PRIVATE_NETWORKS: '127.0.0.1/32',
      ...(chromium === null ? {} : { CHROMIUM_PATH: chromium }),
    });
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
    await until(async () => !children.some(isAlive), 'every process to be gone', 10_000);
    site.stop();

    const { tenant: again } = await start();
    expect((await again.search(datastoreId, 'keel laid'))[0]?.text).toContain('keel');
    expect(await again.datasource(kept.id)).toEqual(kept);
  });
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
