import { createServer } from 'node:net';
import { startModelServer } from '@citewell/testing';
import { RunningProcess } from '@citewell/testing/product';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Tenant, until } from '../client/tenant.js';
import { ADMIN_KEY } from '../deployments/deployment.js';
import { EmbeddedDeployment } from '../deployments/embedded.deployment.js';
import { descendantsOf, isAlive } from '../deployments/processes.js';

const SECONDS_TO_STOP = 8;

describe('the first start', () => {
  it('prints a generated API key once, and its data outlives SIGINT and SIGKILL', async () => {
    const deployment = await EmbeddedDeployment.create(
      { CITEWELL_API_KEY: '', CITEWELL_ADMIN_KEY: '' },
      { isFirstStart: true },
    );
    try {
      await deployment.start();
      const first = deployment.process;
      const key = await first.waitForOutput(/API key, shown only once:\s+(\S+)/);
      const tenant = Tenant.withKey(deployment.baseUrl, key);
      // Without a configured admin key no key is accepted as one.
      for (const other of [ADMIN_KEY, ''])
        (await tenant.api.with(other).get('/organizations')).assertError('UNAUTHORIZED');
      (await tenant.api.get('/organizations')).assertError('FORBIDDEN');
      const store = await tenant.datastore('Kept');
      const source = await tenant.text(store.id, 'The keel was laid in March.');
      const agent = await tenant.agent({ datastoreIds: [store.id] });
      const { conversationId } = await tenant.ask(agent.id, 'When was the keel laid?');
      expect(await first.stop('SIGINT')).toBe(0);
      // Log lines of requests would scroll the key away.
      expect(first.output).not.toMatch(/^\{/m);

      await deployment.start();
      expect(deployment.process.output).not.toContain(key);
      expect((await tenant.search(store.id, 'keel laid'))[0]?.text).toContain('keel');
      expect(await tenant.datasource(source.id)).toEqual(source);
      (await tenant.api.get(`/conversations/${conversationId}`)).assertOk();
      const unfinished = await tenant.api.upload([
        ['datastoreId', store.id],
        ['file', new Blob(['The mast was stepped in June.']), 'mast.txt'],
      ]);
      await deployment.kill();

      await deployment.start();
      expect((await tenant.search(store.id, 'keel laid'))[0]?.text).toContain('keel');
      await tenant.waitUntilSynched(JSON.parse(unfinished.text).id);
      expect((await tenant.search(store.id, 'mast stepped'))[0]?.text).toContain('mast');
    } finally {
      await deployment.stop();
    }
  });
});

describe('standalone', () => {
  let deployment: EmbeddedDeployment;
  beforeEach(async () => {
    deployment = await EmbeddedDeployment.create();
  });
  afterEach(() => deployment.stop());

  it('gives a chat a title without a model, and never a quote of a document', async () => {
    await deployment.start();
    const { tenant } = deployment;
    const store = await tenant.datastore();
    await tenant.text(store.id, 'The keel was laid in March.');
    const { id: model } = await tenant.agent({ datastoreIds: [store.id] });
    const ask = async (content: string): Promise<unknown> => {
      const response = await fetch(`${deployment.origin}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${tenant.api.key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model, messages: [{ role: 'user', content }] }),
      });
      return response.json();
    };
    const chat = '<chat_history>\nUSER: When was the keel laid?\nASSISTANT: In March.\n</chat_history>';
    expect(await ask(`Generate a title as JSON.\n${chat}`)).toMatchObject({
      choices: [{ message: { content: '{"title":"When was the keel laid?"}' } }],
      citewell: { abstained: false, sources: [] },
    });
    const tags = await ask(`Generate tags as JSON: { "tags": ["a"] }\n${chat}`);
    expect(tags).toMatchObject({ citewell: { abstained: true, sources: [] } });
    expect(JSON.stringify(tags)).not.toContain('March');
    expect(await ask(`Is this right?\n${chat}`)).toMatchObject({
      choices: [{ message: { content: expect.stringContaining('The keel was laid in March.') } }],
    });
  });

  it('stops all processes on SIGINT within seconds, despite unfinished work and open connections', async () => {
    await deployment.start({ SHUTDOWN_GRACE_MS: '1000' });
    const { tenant, process: standalone } = deployment;
    const store = await tenant.datastore();
    for (let index = 0; index < 5; index += 1) {
      const text = `Part ${index}. ${'Many words about rigging. '.repeat(4_000)}`;
      const created = await tenant.api.post('/datasources', { type: 'text', datastoreId: store.id, text });
      void tenant.api.get(`/datasources/${JSON.parse(created.text).id}/events`).catch(() => undefined);
    }
    const children = await descendantsOf(standalone.pid);
    // The embedded Postgres is a child.
    expect(children.length).toBeGreaterThan(0);
    const { code, ms } = await standalone.terminate('SIGINT');
    expect(code).toBe(0);
    expect(ms / 1_000).toBeLessThan(SECONDS_TO_STOP);
    await until(async () => !children.some(isAlive), 'every process to be gone', 2_000);
  });

  it('reports in one sentence that its port is taken, or its data directory in use, and ends streams with an error', async () => {
    await using other = createServer();
    await new Promise<void>((listening) => other.listen(0, '127.0.0.1', listening));
    const address = other.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const refused = deployment.launch({ PORT: String(port) });
    expect(await refused.exited).toBe(1);
    expect(refused.output).toMatch(
      new RegExp(`could not start\\. Port ${port} is in use by another program\\.`),
    );
    assertBrief(refused);
    // The failed start must not leave a process running that prevents the next one.
    const model = await startModelServer();
    await deployment.start({ SHUTDOWN_GRACE_MS: '500', OPENAI_BASE_URL: model.baseUrl, CHAT_MODEL: 'm' });
    const first = deployment.process;
    const second = deployment.launch({ PORT: '0' });
    expect(await second.exited).toBe(1);
    expect(second.output).toMatch(/could not start\. The data directory \S+ is in use by another Citewell\./);
    assertBrief(second);
    const { tenant } = deployment;
    const agent = await tenant.agent();
    model.next({ kind: 'hang' });
    const stream = tenant.api.post(`/agents/${agent.id}/query`, { query: 'Hello?', streaming: true });
    await until(async () => model.requests.length === 1, 'the model to be asked');
    const stopped = first.stop('SIGINT');
    expect((await stream).text).toMatch(/^data: \[ERROR\] UPSTREAM_UNAVAILABLE: .+\n\n$/);
    expect(await stopped).toBe(0);
    await model.close();
  });

  it('names all invalid variables at once, without their values', async () => {
    const standalone = deployment.launch({
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
});

it('no other app starts without configured engines', async () => {
  const env = { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' };
  for (const app of ['api', 'worker-crawler', 'worker-parser', 'worker-indexer']) {
    const started = RunningProcess.start(app, `apps/${app}/dist/main.js`, { env });
    expect(await started.exited).toBe(1);
    expect(started.output).toMatch(/QDRANT_URL: is required when this app runs in its own process/);
    assertBrief(started);
  }
});

/** Asserts output for a person: at most six lines, without a stack trace or an error class. */
function assertBrief({ output }: RunningProcess): void {
  expect(output).not.toMatch(/\n\s+at |node:internal|Error:/);
  const lines = output.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('{'));
  expect(lines.length).toBeLessThanOrEqual(6);
}
