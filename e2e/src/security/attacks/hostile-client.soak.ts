import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { datasourceSchema } from '@citewell/contracts/schemas';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Tenant } from '../../client/tenant.js';
import { startEmbedded } from '../../deployments/embedded.deployment.js';
import { type DeploymentWithModel, startWithModel } from '../../deployments/model.deployment.js';
import { ROUTES } from '../../specification/routes.js';
import { AttackRun } from './attack-run.js';
import { EXPENSIVE_QUESTIONS, ODD_PARAMETERS, ODD_TEXTS } from './hostile-texts.js';

const MEGABYTE = 1024 * 1024;
const QUESTION = 'When was the harbour of Bergen built?';
const SENTENCES = 'The harbour of Bergen, the "old" one 中, was built in 1070.\n'.repeat(20);

const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

/** Attacks with an API key. `npm run soak -- hostile-client` prints the rows of docs/security.md. */
describe('a hostile client', () => {
  let running: DeploymentWithModel;
  let tenant: Tenant;
  let run: AttackRun;
  let datastoreId: string;
  let agentId: string;
  let textId: string;

  beforeAll(async () => {
    running = await startWithModel(startEmbedded, {
      CHAT_MODEL: 'scripted',
      RATE_LIMIT_PER_MINUTE: '0',
      ALLOW_PRIVATE_NETWORKS: '127.0.0.1/32',
    });
    tenant = await Tenant.create(running.deployment);
    ({ id: datastoreId } = await tenant.datastore());
    const others = await Promise.all(times(99, () => tenant.datastore()));
    const datastoreIds = [datastoreId, ...others.map(({ id }) => id)];
    ({ id: agentId } = await tenant.agent({ datastoreIds }));
    ({ id: textId } = await tenant.text(datastoreId, `${SENTENCES}\n`.repeat(100)));
    // The first answer loads the client of the model and the tokenizer, once.
    await tenant.ask(agentId, QUESTION);
    run = new AttackRun(running.deployment, tenant.api);
  });
  afterAll(async () => {
    await running.stop();
    await run.finish();
  });

  it('has a baseline', () => run.attack('none', () => sleep(5_000)));

  it('pipelines requests', () =>
    run.attack('10,000 pipelined requests', async (attacker) => {
      for (const path of ['/health/live', '/health/ready', '/api/openapi.json', '/api/agents']) {
        const head = attacker.head('GET', '').replace('/api ', `${path} `);
        await Promise.all(times(5, () => attacker.connect(head.repeat(500))));
        await sleep(1_000);
      }
    }));

  it('sends odd ids and parameters', () =>
    run.attack('odd ids and parameters', async (attacker) => {
      const lists = ['datastoreId', 'groupId', 'cursor', 'limit', 'status', 'agentId', 'visitorId'];
      const ranges = ['start', 'end', 'revision'].map((name) => `/datasources/${textId}/text?${name}=:id`);
      const targets = [
        ...ROUTES.filter(({ path, form }) => path.includes(':') && !form),
        ...['/datasources', '/conversations', '/conversations/x', `/datasources/${textId}/chunks`].flatMap(
          (path) => lists.map((name) => ({ method: 'GET', path: `${path}?${name}=:id`, json: undefined })),
        ),
        ...ranges.map((path) => ({ method: 'GET', path, json: undefined })),
      ];
      const ids = {
        agent: 'x',
        datastore: 'x',
        datasource: 'x',
        conversation: 'x',
        share: 'x',
        message: 'x',
      };
      for (const { method, path, json } of targets)
        await Promise.all(
          ODD_PARAMETERS.map((odd) =>
            attacker.send(
              method,
              path.replace(/:\w+/g, () => odd),
              json?.({
                ...ids,
                visitor: 'x',
                key: 'x',
                person: 'x',
                group: 'x',
                identityProvider: 'x',
                evaluation: 'x',
                webhook: 'x',
                gap: 'x',
              }),
            ),
          ),
        );
    }));

  it('sends odd texts', () =>
    run.attack('odd texts in fields', async (attacker) => {
      for (const odd of ODD_TEXTS) {
        const create = {
          type: 'text',
          datastoreId,
          text: `x${odd}`,
          custom_id: odd,
          metadata: { [odd]: odd },
        };
        await attacker.send('POST', '/agents', { name: odd, description: odd, datastoreIds: [odd] });
        await attacker.send('POST', '/api-keys', { name: odd, scopes: ['read'] });
        await attacker.send('POST', '/datasources', create, { headers: { 'idempotency-key': 'k%00' } });
        await attacker.send('POST', '/datasources', { ...create, datastoreId: odd, custom_id: 'x' });
        await attacker.send('PATCH', `/datasources/${textId}`, { customId: odd });
        await attacker.send('POST', `/datastores/update/${datastoreId}`, { id: odd, text: 'x' });
        const filters = { custom_ids: [odd], datasource_ids: [odd] };
        await attacker.send('POST', `/datastores/${datastoreId}/query`, { query: `x${odd}`, filters });
        const query = { query: 'qqq', conversationId: odd, visitorId: odd, systemPrompt: odd };
        await attacker.send('POST', `/agents/${agentId}/query`, query);
        const config = {
          include: [odd],
          exclude: [odd],
          schedule: odd,
          sitemap: `http://127.0.0.1:9/${odd}`,
        };
        await attacker.send('POST', '/datasources', { type: 'web_site', datastoreId, config });
      }
      const headers = { 'content-encoding': 'gzip', 'content-type': 'application/json' };
      const body = Uint8Array.from(gzipSync(JSON.stringify({ name: 'x' })));
      await attacker.send('POST', '/datastores', undefined, { body, headers });
    }));

  it('names objects of another organization', () =>
    run.attack('ids of another organization', async (attacker) => {
      const other = await Tenant.create(running.deployment);
      const { id: theirStore } = await other.datastore();
      const { id: theirText } = await other.text(theirStore, 'The secret word is halibut.');
      const theirAgent = await other.agent({ datastoreIds: [theirStore] });
      await other.ask(theirAgent.id, 'What is the secret word?', { conversationId: 'theirs' });
      const filters = { datasource_ids: [theirText] };
      const query = { query: 'What is the secret word halibut?', filters };
      const answers = [
        await attacker.send('POST', '/agents', { name: 'x', datastoreIds: [theirStore] }),
        await attacker.send('PATCH', `/agents/${agentId}`, { datastoreIds: [datastoreId, theirStore] }),
        await attacker.send('POST', `/datastores/${datastoreId}/query`, query),
        await attacker.send('POST', `/agents/${agentId}/query`, { ...query, conversationId: 'theirs' }),
        await attacker.send('POST', `/agents/${theirAgent.id}/query`, query),
        await attacker.send('GET', `/conversations/theirs?agentId=${theirAgent.id}`),
        await attacker.send('GET', `/datasources?datastoreId=${theirStore}`),
        await attacker.send('GET', `/datasources?groupId=${theirText}`),
        await attacker.send('GET', `/datasources?cursor=${theirText}`),
        await attacker.send('POST', `/datastores/update/${datastoreId}`, { id: theirText, text: 'mine' }),
        await attacker.send('POST', '/datasources', { type: 'text', datastoreId: theirStore, text: 'mine' }),
      ];
      // The agent may be asked, but only over its own datastores.
      for (const { text } of answers) expect(text).not.toContain('word is halibut');
      expect((await other.search(theirStore, 'mine')).map(({ text }) => text)).not.toContain('mine');
    }));

  it('sends long names, metadata and prompts', () =>
    run.attack('20 MB of names, metadata or prompts', async (attacker) => {
      const strict = { headers: { prefer: 'handling=strict', 'content-type': 'application/json' } };
      const names = times(18, (n) => `"${n}${'x'.repeat(MEGABYTE)}":1`).join();
      const text = `"type":"text","datastoreId":"${datastoreId}","text":"t"`;
      await attacker.send('POST', '/datasources', undefined, { ...strict, body: `{${text},${names}}` });
      const metadata = { a: 'm'.repeat(15 * MEGABYTE) };
      await attacker.send('POST', '/datasources', { type: 'text', datastoreId, text: 't', metadata });
      const prompts = ['{context}'.repeat(3_600), '{query}'.repeat(4_600), '{context}'.repeat(10)];
      for (const systemPrompt of prompts)
        await Promise.all(
          times(16, () =>
            attacker.send('POST', `/agents/${agentId}/query`, {
              query: QUESTION.padEnd(8_000, ' x'),
              systemPrompt,
              userPrompt: systemPrompt,
            }),
          ),
        );
    }));

  it('asks expensive questions', () =>
    run.attack('expensive questions', async (attacker) => {
      for (const query of EXPENSIVE_QUESTIONS) {
        await attacker.send('POST', `/agents/${agentId}/query`, { query });
        await attacker.send('POST', `/datastores/${datastoreId}/query`, { query, topK: 100 });
      }
    }));

  it('has expensive questions explained, 16 at once', () =>
    run.attack('expensive questions explained', async (attacker) => {
      for (const query of EXPENSIVE_QUESTIONS)
        await Promise.all(
          times(16, () => attacker.send('POST', `/datastores/${datastoreId}/explain`, { query })),
        );
    }));

  it('filters by 1,000 ids in 100 datastores', () =>
    run.attack('1,000 filter ids, 100 datastores', async (attacker) => {
      const ids = times(999, (n) => textId.slice(0, -4) + String(n).padStart(4, '0'));
      const filters = { datasource_ids: [...ids, textId], custom_ids: ids };
      await Promise.all(
        times(32, () => attacker.send('POST', `/agents/${agentId}/query`, { query: QUESTION, filters })),
      );
    }));

  it('reads a large text eight times at once', async () => {
    const file = new Blob([`${SENTENCES}\n`.repeat(16_000)]);
    const upload = await tenant.api.upload([
      ['datastoreId', datastoreId],
      ['file', file, 'large.txt'],
    ]);
    const { id } = upload.as(datasourceSchema);
    await run.attack('indexing a text of 19 MB', () => tenant.waitUntilFinished(id, 120_000));
    await run.attack('a text of 19 MB, read 8 times', (attacker) =>
      Promise.all(times(8, () => attacker.send('GET', `/datasources/${id}/text`))),
    );
  });

  it('does not read responses', () =>
    run.attack('unread lists, events and answers', async (attacker) => {
      const metadata = { a: 'm'.repeat(4_000) };
      const documents = times(100, (n) => ({ text: `number ${n}`, metadata }));
      await attacker.send('POST', `/datastores/upsert/${datastoreId}`, { documents });
      const page = { type: 'web_page', datastoreId, config: { source_url: 'http://127.0.0.1:9/' } };
      const { text } = await attacker.send('POST', '/datasources', page);
      const { id } = datasourceSchema.parse(JSON.parse(text));
      running.model.next(
        ...times(32, () => ({ kind: 'chat' as const, deltas: Array(3_000).fill('words '.repeat(20)) })),
      );
      const body = JSON.stringify({ query: QUESTION, streaming: true });
      const headers = { 'Content-Type': 'application/json', 'Content-Length': body.length };
      const silent = { reads: false };
      for (let n = 0; n < 250; n += 1) {
        await attacker.connect(attacker.head('GET', '/datasources?limit=100'), silent);
        await attacker.connect(attacker.head('GET', `/datasources/${id}/events`), silent);
        if (n < 32)
          await attacker.connect(attacker.head('POST', `/agents/${agentId}/query`, headers) + body, silent);
        // The responses are unread, not requested all at once.
        await sleep(20);
      }
      for (let n = 0; n < 20; n += 1) {
        await attacker.send('PATCH', `/datasources/${id}`, { name: `${n}`.padEnd(250, 'é') });
        await sleep(300);
      }
    }));

  it('uploads much at once, and aborts uploads', () =>
    run.attack('500 uploads, 200 aborted ones', async (attacker) => {
      const form = (n: number): FormData => {
        const body = new FormData();
        body.append('datastoreId', datastoreId);
        body.append('file', new Blob([`text ${n}`]), `${n}.txt`);
        return body;
      };
      await Promise.all(
        times(500, (n) => attacker.send('POST', '/datasources', undefined, { body: form(n) })),
      );
      const part = 'Content-Disposition: form-data; name="file"; filename="x.txt"';
      const body = `--b\r\n${part}\r\n\r\n${'hello '.repeat(20_000)}\r\n--b--\r\n`;
      const headers = { 'Content-Type': 'multipart/form-data; boundary=b', 'Content-Length': body.length };
      for (let n = 0; n < 200; n += 1) {
        const head = attacker.head('POST', '/datasources', { ...headers, 'Idempotency-Key': `k${n % 10}` });
        const socket = await attacker.connect(head + body.slice(0, (body.length * n) / 200));
        socket.destroySoon();
      }
      await sleep(1_000);
    }));

  it('repeats a request with one Idempotency-Key', () =>
    run.attack('one Idempotency-Key, 300 connections', async (attacker) => {
      const headers = { 'idempotency-key': `same-${Date.now()}` };
      const body = { type: 'text', datastoreId, text: 'once' };
      const answers = await Promise.all(
        times(300, () => attacker.send('POST', '/datasources', body, { headers })),
      );
      const ids = answers.filter(({ status }) => status === 200).map(({ text }) => JSON.parse(text).id);
      expect(new Set(ids).size).toBe(1);
    }));

  it('changes, syncs, cancels and deletes one datasource at once', () =>
    run.attack('concurrent changes of a datasource', async (attacker) => {
      for (let n = 0; n < 20; n += 1) {
        const config = { source_url: `http://127.0.0.1:9/${n}`, schedule: '* * * * *' };
        const site = await attacker.send('POST', '/datasources', { type: 'web_site', datastoreId, config });
        const path = `/datasources/${datasourceSchema.parse(JSON.parse(site.text)).id}`;
        const steps = times(4, () => [
          () => attacker.send('POST', `${path}/sync`, { removeMissing: true }),
          () => attacker.send('PATCH', path, { config: { maxPages: 5 } }),
          () => attacker.send('POST', `${path}/cancel`),
          () => attacker.send('GET', `${path}/runs`),
        ]).flat();
        await Promise.all([...steps, () => attacker.send('DELETE', path), ...steps].map((step) => step()));
      }
    }));

  it('floods the health checks and unknown paths', () =>
    run.attack('2,000 unauthenticated requests', async (attacker) => {
      const paths = ['/health/ready', '/metrics', '/api/agents', '/nothing'];
      const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;
      for (let round = 0; round < 5; round += 1) {
        await Promise.all(times(400, (n) => attacker.connect(get(paths[n % paths.length] ?? '/'))));
        await sleep(1_000);
        attacker.close();
      }
    }));
});
