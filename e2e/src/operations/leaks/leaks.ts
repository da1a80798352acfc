import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from '@jest/globals';
import { until } from '../../client/tenant.js';
import { startEmbedded } from '../../deployments/embedded.deployment.js';
import { report } from '../../report.js';
import { INSPECTABLE, InspectedProcess } from './inspected-process.js';

const CONCURRENCY = 8;
/** Connections that stay open, and timers of the service, have some. A leak has one for each request. */
const LISTENER_TOLERANCE = 75;
/** Node warns above ten listeners for one event. */
const MOST_OF_ONE = 10;
/** Of all kinds together; caches of the service fill up in the first requests. */
const HEAP_BYTES_PER_REQUEST = 300;
const HEAP_TOLERANCE_BYTES = 2 * 1_024 * 1_024;

type Kind = (n: number) => Promise<unknown>;

/**
 * Sends requests of each kind, and compares the listeners and the heap of the service before and after. A first round fills
 * caches.
 *
 * @param requests of each kind
 * @param uploads each of them is parsed and indexed, too
 */
export async function expectNoLeaks(requests: number, uploads = requests): Promise<void> {
  const deployment = await startEmbedded({
    NODE_OPTIONS: INSPECTABLE,
    RATE_LIMIT_PER_MINUTE: '10000000',
    MAX_CONCURRENT_ANSWERS: '64',
  });
  const inspected = await InspectedProcess.of(deployment);
  try {
    const { tenant, origin } = deployment;
    const { id: datastoreId } = await tenant.datastore('Leaks');
    const text = 'The keel was laid in March. The mast was stepped in June.';
    const document = await tenant.file(datastoreId, text, 'ship.txt');
    const agent = await tenant.agent({ datastoreIds: [datastoreId] });
    const query = { query: 'When was the keel laid?', streaming: true };
    const key = { authorization: `Bearer ${tenant.api.key}`, 'content-type': 'application/json' };
    const mcp = { ...key, accept: 'application/json, text/event-stream' };
    const post = async (path: string, body: object, headers: Record<string, string>): Promise<number> => {
      const response = await fetch(`${origin}${path}`, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
      });
      await response.text();
      return response.status;
    };
    const expectStatus = async (answer: Promise<number>, status: number): Promise<void> =>
      expect(await answer).toBe(status);
    const kinds: Record<string, Kind> = {
      page: async () => (await fetch(`${origin}/`)).text(),
      widget: async () => (await fetch(`${origin}/widget.js`)).text(),
      original: async () => (await tenant.api.get(`/datasources/${document.id}/file`)).assertOk(),
      call: async () => (await tenant.api.get('/datastores')).assertOk(),
      upload: async (n) => {
        const file = new Blob([`Text ${n} of ${performance.now()}`]);
        (
          await tenant.api.upload([
            ['datastoreId', datastoreId],
            ['file', file, `${n}.txt`],
          ])
        ).assertOk();
      },
      stream: () => expectStatus(post(`/api/agents/${agent.id}/query`, query, key), 200),
      mcp: () => expectStatus(post('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list' }, mcp), 200),
      openai: () =>
        expectStatus(
          post(
            '/v1/chat/completions',
            { model: agent.id, messages: [{ role: 'user', content: 'keel?' }] },
            key,
          ),
          200,
        ),
      refused: async () => (await tenant.api.with('cw_wrong').get('/datastores')).assertError('UNAUTHORIZED'),
      aborted: async (n) => {
        const path = `/agents/${agent.id}/query`;
        const signal = AbortSignal.timeout(1 + (n % 20));
        await tenant.api
          .open('POST', path, { json: query, signal })
          .then((response) => response.text())
          .catch(() => undefined);
      },
    };
    const round = async (): Promise<void> => {
      for (const [kind, send] of Object.entries(kinds))
        await repeat(kind === 'upload' ? uploads : requests, send);
      const progress = async () =>
        (await tenant.api.get('/datasources?status=running&limit=1')).text === '[]' &&
        (await tenant.api.get('/datasources?status=unsynched&limit=1')).text === '[]';
      await until(progress, 'the uploads to be ingested', 30 * 60_000);
      // Connections and timers of the last requests end.
      await sleep(2_000);
    };
    await round();
    const before = await inspected.kept();
    await round();
    let after = await inspected.kept();
    // Connections that clients keep open end later on a busy machine.
    for (let tries = 0; tries < 20 && after.listeners - before.listeners >= LISTENER_TOLERANCE; tries += 1) {
      await sleep(3_000);
      after = await inspected.kept();
    }
    report(`${requests} requests of each kind: ${JSON.stringify({ before, after })}`);
    expect(after.listeners - before.listeners).toBeLessThan(LISTENER_TOLERANCE);
    expect(after.mostOfOne).toBeLessThanOrEqual(MOST_OF_ONE);
    const allowed = HEAP_TOLERANCE_BYTES + requests * Object.keys(kinds).length * HEAP_BYTES_PER_REQUEST;
    expect(after.heapBytes - before.heapBytes).toBeLessThan(allowed);
    expect(deployment.process.output).not.toContain('MaxListenersExceededWarning');
  } finally {
    inspected.close();
    await deployment.stop();
  }
}

async function repeat(times: number, send: Kind): Promise<void> {
  let next = 0;
  const one = async (): Promise<void> => {
    while (next < times) await send((next += 1));
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, one));
}
