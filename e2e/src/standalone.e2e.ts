import { createServer } from 'node:net';
import { prepareDataDirectory, startModelServer } from '@citewell/testing';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ApiClient } from './client/api-client.js';
import { Tenant, until } from './client/tenant.js';
import { RunningProcess } from '@citewell/testing/product';
import { ADMIN_KEY, API_KEY, createTemporaryDirectory, waitUntilReady } from './deployments/deployment.js';
import { originOf, spawnStandalone } from './deployments/embedded.deployment.js';
import { descendantsOf } from './deployments/processes.js';

const SECONDS_TO_STOP = 8;

describe('standalone', () => {
  let directory: Awaited<ReturnType<typeof createTemporaryDirectory>>;
  const started: RunningProcess[] = [];

  beforeEach(async () => {
    directory = await createTemporaryDirectory();
  });
  afterEach(async () => {
    await Promise.all(started.splice(0).map((process) => process.stop('SIGTERM')));
    await directory.remove();
  });

  const start = (env: Readonly<Record<string, string>> = {}): RunningProcess => {
    const standalone = spawnStandalone(directory.path, env);
    started.push(standalone);
    return standalone;
  };
  const waitForTenant = async (standalone: RunningProcess): Promise<Tenant> => {
    const origin = await originOf(standalone);
    await waitUntilReady(origin, [standalone]);
    return new Tenant(new ApiClient(`${origin}/api`, API_KEY), '');
  };

  it('keeps its data over SIGINT and SIGKILL', async () => {
    const first = start();
    const before = await waitForTenant(first);
    const store = await before.datastore('Kept');
    const source = await before.text(store.id, 'The keel was laid in March.');
    const agent = await before.agent({ datastoreIds: [store.id] });
    const { conversationId } = await before.ask(agent.id, 'When was the keel laid?');
    expect(await first.stop('SIGINT')).toBe(0);

    const second = start();
    const again = await waitForTenant(second);
    expect((await again.search(store.id, 'keel laid'))[0]?.text).toContain('keel');
    expect(await again.datasource(source.id)).toEqual(source);
    (await again.api.get(`/conversations/${conversationId}`)).assertOk();
    const unfinished = await again.api.upload([
      ['datastoreId', store.id],
      ['file', new Blob(['The mast was stepped in June.']), 'mast.txt'],
    ]);
    await second.kill();

    const after = await waitForTenant(start());
    expect((await after.search(store.id, 'keel laid'))[0]?.text).toContain('keel');
    await after.waitUntilSynched(JSON.parse(unfinished.text).id);
    expect((await after.search(store.id, 'mast stepped'))[0]?.text).toContain('mast');
  });

  it('generates an API key and prints it once, where none is configured', async () => {
    const first = start({ CITEWELL_API_KEY: '', CITEWELL_ADMIN_KEY: '' });
    const key = await first.waitForOutput(/API key, shown only once:\s+(\S+)/);
    const api = new ApiClient(`${await originOf(first)}/api`, key);
    (await api.get('/agents')).assertOk();
    // Without a configured admin key no key is accepted as one.
    for (const other of [ADMIN_KEY, ''])
      (await api.with(other).get('/organizations')).assertError('UNAUTHORIZED');
    (await api.get('/organizations')).assertError('FORBIDDEN');
    expect(await first.stop('SIGINT')).toBe(0);
    // Log lines of requests would scroll the key away.
    expect(first.output).not.toMatch(/^\{/m);
    const second = start({ CITEWELL_API_KEY: '' });
    const origin = await originOf(second);
    expect(second.output).not.toContain(key);
    (await new ApiClient(`${origin}/api`, key).get('/agents')).assertOk();
  });

  it('stops all processes on SIGINT within seconds, despite unfinished work and open connections', async () => {
    await prepareDataDirectory(directory.path);
    const standalone = start({ SHUTDOWN_GRACE_MS: '1000' });
    const tenant = await waitForTenant(standalone);
    const store = await tenant.datastore();
    for (let index = 0; index < 5; index += 1) {
      const text = `Part ${index}. ${'Many words about rigging. '.repeat(4_000)}`;
      const created = await tenant.api.post('/datasources', { type: 'text', datastoreId: store.id, text });
      void tenant.api.get(`/datasources/${JSON.parse(created.text).id}/events`).catch(() => undefined);
    }
    const children = await descendantsOf(standalone.pid);
    // The embedded Postgres is a child.
    expect(children.length).toBeGreaterThan(0);
    const at = performance.now();
    expect(await standalone.stop('SIGINT')).toBe(0);
    const seconds = (performance.now() - at) / 1_000;
    expect(seconds).toBeLessThan(SECONDS_TO_STOP);
    await until(async () => !children.some(isAlive), 'every process to be gone', 2_000);
  });

  it('ends a stream with an error on SIGINT when the model does not answer', async () => {
    const model = await startModelServer();
    await prepareDataDirectory(directory.path);
    const standalone = start({ SHUTDOWN_GRACE_MS: '500', OPENAI_BASE_URL: model.baseUrl, CHAT_MODEL: 'm' });
    const tenant = await waitForTenant(standalone);
    const agent = await tenant.agent();
    model.next({ kind: 'hang' });
    const stream = tenant.api.post(`/agents/${agent.id}/query`, { query: 'Hello?', streaming: true });
    await until(async () => model.requests.length === 1, 'the model to be asked');
    const stopped = standalone.stop('SIGINT');
    expect((await stream).text).toMatch(/^data: \[ERROR\] UPSTREAM_UNAVAILABLE: .+\n\n$/);
    expect(await stopped).toBe(0);
    await model.close();
  });

  it('reports in one sentence that its port is taken', async () => {
    await using other = createServer();
    await new Promise<void>((listening) => other.listen(0, '127.0.0.1', listening));
    const address = other.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const standalone = start({ PORT: String(port) });
    expect(await standalone.exited).toBe(1);
    expect(standalone.output).toMatch(
      new RegExp(`could not start\\. Port ${port} is in use by another program\\.`),
    );
    assertBrief(standalone);
    // The failed start must not leave a process running that prevents the next one.
    await waitForTenant(start());
  });

  it('reports in one sentence that its data directory is in use', async () => {
    await prepareDataDirectory(directory.path);
    const first = start();
    const tenant = await waitForTenant(first);
    const second = start();
    expect(await second.exited).toBe(1);
    expect(second.output).toMatch(/could not start\. The data directory \S+ is in use by another Citewell\./);
    assertBrief(second);
    (await tenant.api.get('/agents')).assertOk();
  });

  it('names all invalid variables at once, without their values', async () => {
    const standalone = start({
      PORT: 'eighty',
      LOG_LEVEL: 'loud',
      REDIS_URL: 'http://secret.example',
      S3_ENDPOINT: 'http://127.0.0.1:1',
    });
    expect(await standalone.exited).toBe(1);
    for (const name of ['PORT', 'LOG_LEVEL', 'REDIS_URL'])
      expect(standalone.output).toMatch(new RegExp(`^ +${name}: .+`, 'm'));
    expect(standalone.output).not.toMatch(/eighty|secret\.example|loud/);
    assertBrief(standalone);
  });

  it('is the only app that starts without configured engines', async () => {
    for (const app of ['api', 'worker-crawler', 'worker-parser', 'worker-indexer']) {
      const process = RunningProcess.start(app, `apps/${app}/dist/main.js`, {
        env: { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none', CITEWELL_DATA_DIR: directory.path },
      });
      started.push(process);
      expect(await process.exited).toBe(1);
      expect(process.output).toMatch(/QDRANT_URL: is required when this app runs in its own process/);
      assertBrief(process);
    }
  });
});

/** Asserts output for a person: at most six lines, without a stack trace or an error class. */
function assertBrief({ output }: RunningProcess): void {
  expect(output).not.toMatch(/\n\s+at |node:internal|Error:/);
  const lines = output.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('{'));
  expect(lines.length).toBeLessThanOrEqual(6);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
