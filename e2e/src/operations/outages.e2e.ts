import { datasourceSchema } from '@citewell/contracts/schemas';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { z } from 'zod';
import type { ApiResponse } from '../client/api-response.js';
import { ApiClient } from '../client/api-client.js';
import { Tenant, until } from '../client/tenant.js';
import {
  Dependency,
  environmentOf,
  postgresServer,
  redisServer,
  s3Server,
} from '../deployments/dependency.js';
import { createTemporaryDirectory, type Deployment } from '../deployments/deployment.js';
import { startScaled } from '../deployments/scaled.deployment.js';
import { type Ids, pathTo, ROUTES } from '../specification/routes.js';

const readinessSchema = z.strictObject({ ready: z.boolean(), checks: z.record(z.string(), z.string()) });
const UNREACHABLE = /^(cannot be reached|does not answer)$/;
const QUESTION = 'When are buoys counted?';

// A Qdrant given by `QDRANT_URL` is not ours to stop.
(process.env.QDRANT_URL === undefined ? describe : describe.skip)('outage of', () => {
  const cleanup: (() => Promise<unknown>)[] = [];
  let deployment: Deployment;
  let tenant: Tenant;
  let servers: Record<'postgres' | 'redis' | 's3', Dependency>;
  let databaseUrl: string;
  let ids: Ids;

  beforeAll(async () => {
    const directory = await createTemporaryDirectory();
    cleanup.push(directory.remove);
    servers = {
      postgres: await Dependency.create('postgres', directory.path, postgresServer),
      redis: await Dependency.create('redis', directory.path, redisServer),
      s3: await Dependency.create('s3', directory.path, s3Server),
    };
    cleanup.push(...Object.values(servers).map((server) => () => server.stop()));
    databaseUrl = servers.postgres.serverUrl;
    deployment = await startScaled({ LEASE_SECONDS: '3', ...environmentOf(servers) });
    cleanup.push(() => deployment.stop());
    tenant = await Tenant.create(deployment);
  });
  afterAll(async () => {
    for (const undo of cleanup.toReversed()) await undo();
  });

  beforeEach(async () => {
    const store = await tenant.datastore();
    const agent = await tenant.agent({ datastoreIds: [store.id] });
    const source = await tenant.text(store.id, 'Buoys are counted in May.');
    const answer = await tenant.ask(agent.id, QUESTION);
    ids = {
      agent: agent.id,
      datastore: store.id,
      datasource: source.id,
      conversation: answer.conversationId,
      share: answer.messageId,
      message: answer.messageId,
      visitor: answer.visitorId,
      key: agent.id,
      person: agent.id,
      group: agent.id,
      identityProvider: agent.id,
      evaluation: agent.id,
      webhook: agent.id,
      gap: agent.id,
    };
  });

  async function waitForReadiness(isExpected: (checks: Record<string, string>) => boolean): Promise<void> {
    await until(async () => {
      const response = await fetch(`${deployment.origin}/health/ready`);
      const { ready, checks } = readinessSchema.parse(await response.json());
      expect(response.status).toBe(ready ? 200 : 503);
      return isExpected(checks);
    }, 'readiness to change');
  }
  /** Waits until readiness reports exactly these engines as unreachable. */
  const waitUntilUnreachable = (...names: string[]) =>
    waitForReadiness((checks) =>
      Object.entries(checks)
        .filter(([name]) => name !== 'storage')
        .every(([name, check]) => (names.includes(name) ? UNREACHABLE.test(check) : check === 'ok')),
    );

  const create = (text: string, datastoreId = ids.datastore): Promise<ApiResponse> =>
    tenant.api.post('/datasources', { type: 'text', datastoreId, text });
  const upload = (text = 'Masts are oiled.'): Promise<ApiResponse> =>
    tenant.api.upload([
      ['file', new Blob([text]), 'masts.txt'],
      ['datastoreId', ids.datastore],
    ]);
  const idOf = (response: ApiResponse): string => response.as(datasourceSchema.strict()).id;

  function assertUnavailable(response: ApiResponse): void {
    response.assertError('UPSTREAM_UNAVAILABLE');
    expect(Number(response.header('retry-after'))).toBeGreaterThanOrEqual(1);
  }

  async function assertRecovered(): Promise<void> {
    await waitUntilUnreachable();
    expect((await tenant.ask(ids.agent, QUESTION)).sources).toHaveLength(1);
    await tenant.waitUntilSynched(idOf(await upload()));
    expect((await tenant.search(ids.datastore, 'masts'))[0]?.text).toBe('Masts are oiled.');
    for (const { name, isRunning } of Object.values(deployment.processes))
      expect([name, isRunning]).toEqual([name, true]);
  }

  it('the queue: all requests are accepted, and carried out after recovery', async () => {
    await servers.redis.gate.close();
    await waitUntilUnreachable('queue');
    const waiting = [idOf(await create('Anchors are weighed.')), idOf(await upload())];
    (await tenant.api.post(`/datasources/${ids.datasource}/sync`)).assertOk();
    expect((await tenant.ask(ids.agent, QUESTION)).sources).toHaveLength(1);
    expect(await tenant.search(ids.datastore, 'buoys')).toHaveLength(1);
    await servers.redis.gate.open();
    for (const id of [...waiting, ids.datasource]) await tenant.waitUntilSynched(id);
    await assertRecovered();
  });

  it('the blob store: large contents answer 503, small texts are ingested, questions are answered', async () => {
    const large = 'Sails are dried in the sun. '.repeat(2_000);
    const { id: otherStore } = await tenant.datastore();
    const early = idOf(await create(large, otherStore));
    await tenant.waitUntilSynched(early);
    await servers.s3.gate.close();
    await waitUntilUnreachable('blobs');
    for (const answer of [
      await create(large),
      await upload(large),
      await tenant.api.post(`/datastores/upsert/${ids.datastore}`, { documents: [{ text: large }] }),
      await tenant.api.post(`/datastores/update/${ids.datastore}`, { id: ids.datasource, text: large }),
      await tenant.api.get(`/datasources/${early}/file`),
      await tenant.api.get(`/datasources/${early}/text`),
      await tenant.api.get(`/datasources/${early}/chunks`),
    ])
      assertUnavailable(answer);
    await tenant.waitUntilSynched(idOf(await create('Flags fly at noon.', otherStore)));
    (await tenant.api.get(`/datasources/${ids.datasource}/file`)).assertOk();
    expect((await tenant.ask(ids.agent, QUESTION)).sources).toHaveLength(1);
    expect(await tenant.search(ids.datastore, 'buoys')).toHaveLength(1);
    (await tenant.api.patch(`/datasources/${ids.datasource}`, { name: 'Renamed' })).assertOk();
    (await tenant.api.post(`/datasources/${early}/sync`)).assertOk();
    await servers.s3.gate.open();
    await tenant.waitUntilSynched(early);
    expect(JSON.parse((await tenant.api.get(`/datasources?datastoreId=${otherStore}`)).text)).toHaveLength(2);
    await assertRecovered();
  });

  it('the database: every endpoint answers 503, and work continues after recovery', async () => {
    const early = idOf(await create('Ropes are coiled.'));
    await terminateConnections(databaseUrl);
    await servers.postgres.gate.close();
    for (const round of [1, 2]) {
      // API keys are cached for two seconds. The second round runs after that.
      for (const route of ROUTES.filter(({ needsNoRows }) => round === 2 || !needsNoRows)) {
        const path = pathTo(route, ids);
        const answer = route.form
          ? await tenant.api.upload([['file', new Blob(['x']), 'a.txt']], path, {}, route.method)
          : await tenant.api.call(route.method, path, route.json ? { json: route.json(ids) } : {});
        assertUnavailable(answer);
      }
      assertUnavailable(
        await tenant.api.post(`/agents/${ids.agent}/query`, { query: QUESTION, streaming: true }),
      );
      assertUnavailable(await upload());
      const admin = new ApiClient(deployment.baseUrl, deployment.adminKey);
      for (const answer of [
        await admin.post('/organizations', { name: 'O' }),
        await admin.get('/organizations'),
        await admin.get(`/organizations/${tenant.organizationId}`),
        await admin.delete(`/organizations/${tenant.organizationId}`),
      ])
        assertUnavailable(answer);
      if (round === 1) await waitUntilUnreachable('database', 'schema');
      if (round === 1) await new Promise((resolve) => setTimeout(resolve, 2_000));
    }
    expect((await fetch(`${deployment.origin}/health/live`)).status).toBe(200);
    await servers.postgres.gate.open();
    await waitUntilUnreachable();
    await tenant.waitUntilSynched(early);
    expect((await tenant.datasource(ids.datasource)).status).toBe('synched');
    await assertRecovered();
  });

  it('the disk of the database: writes answer 507, and questions are answered without being stored', async () => {
    const question = { query: QUESTION, conversationId: 'full' };
    await withFullDisk(databaseUrl, async () => {
      for (const answer of [
        await create('Decks are washed.'),
        await upload(),
        await tenant.api.post('/datastores', { name: 'store' }),
      ])
        answer.assertError('STORAGE_FULL');
      for (const streaming of [false, true]) {
        const answer = await tenant.api.post(`/agents/${ids.agent}/query`, { ...question, streaming });
        expect([answer.status, answer.text]).toEqual([200, expect.stringMatching(/"stored":false/)]);
      }
      expect(await tenant.search(ids.datastore, 'buoys')).toHaveLength(1);
      await waitForReadiness(({ storage }) => /is full/.test(storage ?? ''));
    });
    expect((await tenant.ask(ids.agent, QUESTION, { conversationId: 'full' })).stored).toBeUndefined();
    await assertRecovered();
  });

  it('the vector store: queries answer 503, readiness names it, everything else works', async () => {
    await deployment.processes.qdrant?.stop();
    await waitUntilUnreachable('vectors');
    const used = async (): Promise<number> =>
      JSON.parse((await tenant.api.get('/usage')).text).agentQueries.used;
    const before = await used();
    const path = `/agents/${ids.agent}/query`;
    // Concurrently, because each request retries for some seconds before it fails.
    const [query, answer, stream] = await Promise.all([
      tenant.api.post(`/datastores/${ids.datastore}/query`, { query: 'buoys' }),
      tenant.api.post(path, { query: QUESTION }),
      tenant.api.post(path, { query: QUESTION, streaming: true }),
    ]);
    assertUnavailable(query);
    assertUnavailable(answer);
    expect(stream.text).toMatch(/^data: \[ERROR\] UPSTREAM_UNAVAILABLE: .+\n\n$/);
    expect(await used()).toBe(before);
    expect((await fetch(`${deployment.origin}/health/live`)).status).toBe(200);
    expect((await tenant.api.get('/datasources')).status).toBe(200);
  });
});

/** Terminates all connections, as a Postgres that shuts down does before its port closes. */
async function terminateConnections(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid()`,
  );
  await client.end();
}

/** Every insert fails as on a full disk while `action` runs. */
async function withFullDisk(url: string, action: () => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ name: string }>(
    `SELECT quote_ident(table_name) AS name FROM information_schema.tables
      WHERE table_schema = 'public' AND table_type = 'BASE TABLE'`,
  );
  await client.query(
    `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
     $$ BEGIN RAISE EXCEPTION 'no space left' USING ERRCODE = 'disk_full'; END $$`,
  );
  for (const { name } of rows)
    await client.query(
      `CREATE TRIGGER refuse BEFORE INSERT ON ${name} FOR EACH STATEMENT EXECUTE FUNCTION refuse()`,
    );
  try {
    await action();
  } finally {
    await client.query('DROP FUNCTION refuse CASCADE');
    await client.end();
  }
}
