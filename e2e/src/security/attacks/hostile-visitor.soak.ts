import { setTimeout as sleep } from 'node:timers/promises';
import { apiKeyWithSecretSchema } from '@citewell/contracts/schemas';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Tenant, until } from '../../client/tenant.js';
import { startEmbedded } from '../../deployments/embedded.deployment.js';
import { type DeploymentWithModel, startWithModel } from '../../deployments/model.deployment.js';
import { AttackRun } from './attack-run.js';
import type { Attacker } from './attacker.js';
import { ODD_REQUESTS } from './hostile-texts.js';

const ORIGIN = 'https://shop.example';
const QUESTION = 'When was the harbour of Bergen built?';
/** Longest answer of a model. As frames it is more than the buffers of a connection hold, because each line is one. */
const LONG_ANSWER = Array.from({ length: 390 }, () => 'w\n'.repeat(500));

const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

/** Attacks without a key that is secret. `npm run soak -- hostile-visitor` prints the rows of docs/security.md. */
describe('a hostile visitor', () => {
  let running: DeploymentWithModel;
  let tenant: Tenant;
  let run: AttackRun;
  let agentId: string;
  let key: string;
  let otherKey: string;
  let repetitions = 0;

  beforeAll(async () => {
    running = await startWithModel(startEmbedded, {
      CHAT_MODEL: 'scripted',
      RATE_LIMIT_PER_MINUTE: '0',
      VISITOR_RATE_LIMIT_PER_MINUTE: '0',
      TRUSTED_PROXIES: '127.0.0.1,::1',
    });
    tenant = await Tenant.create(running.deployment);
    const { id: datastoreId } = await tenant.datastore();
    await tenant.text(datastoreId, 'The harbour of Bergen was built in 1070.');
    ({ id: agentId } = await tenant.agent({ datastoreIds: [datastoreId], visibility: 'public' }));
    const createKey = async (): Promise<string> =>
      (
        await tenant.api.post('/api-keys', {
          name: 'page',
          scopes: ['publishable'],
          agentId,
          allowedOrigins: [ORIGIN],
        })
      ).as(apiKeyWithSecretSchema).key;
    [key, otherKey] = [await createKey(), await createKey()];
    await tenant.ask(agentId, QUESTION);
    run = new AttackRun(running.deployment, tenant.api);
  });
  afterAll(async () => {
    await running.stop();
    await run.finish();
  });

  /** The head and the body of a visitor's question. */
  function question(
    attacker: Attacker,
    fields: { key: string; address: string; streaming: boolean },
  ): string {
    const body = JSON.stringify({ query: QUESTION, streaming: fields.streaming });
    const headers = {
      Authorization: `Bearer ${fields.key}`,
      Origin: ORIGIN,
      'X-Forwarded-For': fields.address,
      'Content-Type': 'application/json',
      'Content-Length': body.length,
    };
    return attacker.head('POST', `/agents/${agentId}/query`, headers) + body;
  }

  async function statusOf(visitorKey: string, address: string): Promise<number> {
    const headers = { origin: ORIGIN, 'x-forwarded-for': address };
    const response = await tenant.api
      .with(visitorKey)
      .call('POST', `/agents/${agentId}/query`, { json: { query: QUESTION }, headers });
    return response.status;
  }

  it('has a baseline', () => run.attack('no visitor', () => sleep(5_000)));

  it('does not read its streams, or reads a byte in a second', () =>
    run.attack('18 unread and slow streams', async (attacker) => {
      // The attack may be repeated while the streams of the last time end.
      repetitions += 1;
      const address = `203.0.113.${repetitions}`;
      running.model.next(...times(4, () => ({ kind: 'chat' as const, deltas: LONG_ANSWER })));
      const calls = running.model.requests.length;
      const attack = { key, address, streaming: true };
      const readers: NodeJS.Timeout[] = [];
      for (let n = 0; n < 18; n += 1) {
        const socket = await attacker.connect(question(attacker, attack), { reads: false });
        if (n % 2 === 0) readers.push(setInterval(() => socket.read(1), 1_000));
      }
      await until(async () => running.model.requests.length >= calls + 4, 'the model to be called');
      expect(await statusOf(key, address)).toBe(429);
      expect(await statusOf(key, '192.0.2.2')).toBe(200);
      expect(await statusOf(otherKey, '192.0.2.3')).toBe(200);
      await until(async () => (await statusOf(key, address)) === 200, 'a free slot', 60_000);
      for (const reader of readers) clearInterval(reader);
    }));

  it('asks from many addresses at once', () =>
    run.attack('200 questions of 100 addresses', async (attacker) => {
      await Promise.all(
        times(200, (n) =>
          attacker.connect(question(attacker, { key, address: `2001:db8:${n % 100}::1`, streaming: true })),
        ),
      );
      await sleep(5_000);
      expect(await statusOf(otherKey, '192.0.2.4')).toBe(200);
    }));

  it('pipelines questions, and closes its half of the connection', () =>
    run.attack('pipelined and half-closed questions', async (attacker) => {
      for (let n = 0; n < 20; n += 1) {
        const text = question(attacker, { key, address: '192.0.2.5', streaming: n % 2 === 0 });
        await attacker.connect(text.repeat(10));
        (await attacker.connect(text)).end();
      }
      await sleep(5_000);
      attacker.close();
      await until(async () => (await statusOf(key, '192.0.2.5')) === 200, 'a free slot', 60_000);
    }));

  it('sends odd paths, hosts and headers', () =>
    run.attack('odd paths, hosts and headers', async (attacker) => {
      for (const request of ODD_REQUESTS) {
        const [line = '', ...headers] = request.split('\r\n');
        const host = headers.some((header) => header.startsWith('Host:')) ? [] : ['Host: localhost'];
        const head = [`${line} HTTP/1.1`, ...host, ...headers, 'Connection: close'];
        await attacker.connect(`${head.join('\r\n')}\r\n\r\n`);
      }
      await sleep(2_000);
      expect(running.deployment.processes['standalone']?.output).not.toContain('request failed');
    }));

  it('tries many keys to sign in', () =>
    run.attack('2,000 attempts to sign in', async (attacker) => {
      for (let round = 0; round < 20; round += 1)
        await Promise.all(
          times(100, (n) =>
            attacker.send(
              'POST',
              '/session',
              { key: `cw_${round}_${n}` },
              { headers: { 'x-forwarded-for': `198.51.100.${n}` } },
            ),
          ),
        );
    }));
});
