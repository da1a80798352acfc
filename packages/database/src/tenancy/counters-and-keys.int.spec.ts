import assert from 'node:assert/strict';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { AgentRepository } from '../answering/agent.repository.js';
import { ConversationRepository } from '../answering/conversation.repository.js';
import { FeedbackRepository } from '../answering/feedback.repository.js';
import { listen } from '../connection/listen.js';
import { newId } from '../connection/new-id.js';
import { done, refuse } from '../connection/result.js';
import { BlobRepository } from '../content/blobs/blob.repository.js';
import { outcomeOf, valueOf } from '../fixtures/result.fixtures.js';
import { TestTenant } from '../fixtures/tenant.fixtures.js';
import { TestServer } from '../fixtures/test-server.fixtures.js';
import { IdempotencyRepository } from '../http/idempotency.repository.js';
import { DISPATCH_CHANNEL, NEW_RUN_CHANNEL } from '../ingestion/runs/dispatch.js';
import { OrganizationRepository } from './organization.repository.js';
import { NO_ID, UsageRecordRepository } from './usage-record.repository.js';
import { UsageRepository } from './usage.repository.js';

const server = new TestServer();
let dataSource: DataSource;
beforeAll(async () => {
  dataSource = await server.database();
});
afterAll(() => server.close());

describe('agent queries', () => {
  it('are reserved up to the limit, also concurrently', async () => {
    const { scope } = await TestTenant.create(dataSource, { limitAgentQueries: 10 });
    const usage = new UsageRepository(dataSource);
    const passed = await Promise.all(Array.from({ length: 50 }, () => usage.reserveAgentQuery(scope)));
    expect(passed.filter(({ ok }) => ok)).toHaveLength(10);
    expect((await usage.report(scope)).agentQueries).toEqual({ used: 10, limit: 10 });
    await usage.refundAgentQuery(scope);
    expect(await usage.reserveAgentQuery(scope)).toEqual(done());
    expect(await usage.reserveAgentQuery(scope)).toEqual(refuse('limit-reached'));
  });

  it('are refused with a limit of zero, and unlimited without one', async () => {
    const usage = new UsageRepository(dataSource);
    const none = await TestTenant.create(dataSource, { limitAgentQueries: 0 });
    expect(await usage.reserveAgentQuery(none.scope)).toEqual(refuse('limit-reached'));
    await usage.refundAgentQuery(none.scope);
    expect((await usage.report(none.scope)).agentQueries.used).toBe(0);
    const unlimited = await TestTenant.create(dataSource);
    for (let n = 0; n < 3; n += 1) expect(await usage.reserveAgentQuery(unlimited.scope)).toEqual(done());
    await new OrganizationRepository(dataSource).setLimits(unlimited.organizationId, {
      limitAgentQueries: 2,
      limitStoredCharacters: null,
    });
    expect(await usage.reserveAgentQuery(unlimited.scope)).toEqual(refuse('limit-reached'));
  });
});

it('pending datasources are counted up to the limit, without those in progress and those that are only indexed again', async () => {
  const tenant = await TestTenant.create(dataSource);
  const usage = new UsageRepository(dataSource);
  const count = (limit = 100) => usage.countPending(tenant.scope, limit);
  expect(await count()).toBe(0);
  const serving = await tenant.datasource();
  await tenant.serve(serving.datasource.id);
  await tenant.datasources.reindex([serving.datasource.id], 'indexing');
  expect(await count()).toBe(0);
  await tenant.datasource();
  const { datasource } = await tenant.datasource();
  await tenant.datasource();
  expect([await count(), await count(2)]).toEqual([3, 2]);
  await tenant.take(datasource.id);
  expect(await count()).toBe(0);
});

it('the usage of past months is kept, from the first month of the organization', async () => {
  const { scope } = await TestTenant.create(dataSource);
  const usage = new UsageRepository(dataSource);
  const months = (count: number) => `now() AT TIME ZONE 'utc' - interval '${count} months'`;
  await dataSource.query(
    `UPDATE organizations SET created_at = ${months(2)}, stored_characters = 7 WHERE id = $1`,
    [scope.organizationId],
  );
  await usage.reserveAgentQuery(scope);
  const records = new UsageRecordRepository(dataSource);
  const used = {
    actorKind: 'system',
    actorId: NO_ID,
    agentId: newId(),
    model: 'm',
    questions: 1,
  } as const;
  const answer = (inputTokens: number, outputTokens: number) =>
    records.record(scope, { ...used, inputTokens, outputTokens, estimatedTokens: 0 });
  await answer(3_000_000_000, 1);
  await dataSource.query(
    `UPDATE usage_counters SET month = to_char(${months(1)}, 'YYYY-MM') WHERE organization_id = $1`,
    [scope.organizationId],
  );
  await answer(2, 2);
  await dataSource.query('UPDATE organizations SET stored_characters = 9 WHERE id = $1', [
    scope.organizationId,
  ]);
  const none = { agentQueries: 0, inputTokens: 0, outputTokens: 0 };
  const history = await usage.history(scope, 12);
  expect(history).toMatchObject([
    { ...none, storedCharacters: null },
    { agentQueries: 1, inputTokens: 3_000_000_000, outputTokens: 1, storedCharacters: 7 },
    { agentQueries: 0, inputTokens: 2, outputTokens: 2, storedCharacters: 9 },
  ]);
  expect(await usage.history(scope, 2)).toEqual(history.slice(1));
});

describe('an idempotency key', () => {
  const route = 'POST /agents';
  const reserved = (id = 'a', on = route) => ({ route: on, key: 'k', id });
  const answer = (requestHash: string, status: number, response: unknown) => ({
    requestHash,
    status,
    response,
  });

  it('belongs to the first request, and returns its answer for the same body', async () => {
    const { scope } = await TestTenant.create(dataSource);
    const keys = new IdempotencyRepository(dataSource);
    const begun = await Promise.all(['a', 'b', 'c', 'd'].map((id) => keys.begin(scope, reserved(id))));
    const outcomes = begun.map(outcomeOf);
    expect(outcomes.toSorted()).toEqual(['done', 'taken', 'taken', 'taken']);
    expect(await keys.find(scope, route, 'k', 'h')).toEqual({ kind: 'in-progress' });
    // Not the request that has reserved it.
    await keys.release(scope, reserved('z'));
    await keys.finish(scope, reserved('z'), answer('h', 500, null));
    expect(await keys.find(scope, route, 'k', 'h')).toEqual({ kind: 'in-progress' });
    const first = reserved(['a', 'b', 'c', 'd'][outcomes.indexOf('done')]);
    await keys.finish(scope, first, answer('h', 201, { id: 'a' }));
    expect(await keys.find(scope, route, 'k', 'h')).toEqual({
      kind: 'answered',
      status: 201,
      response: { id: 'a' },
    });
    expect(await keys.find(scope, route, 'k', 'other')).toEqual({ kind: 'other-request' });
    // Another route.
    expect(await keys.begin(scope, reserved('a', 'POST /datastores'))).toEqual(done());
    await keys.release(scope, first);
    // An answered key is not released.
    expect(await keys.begin(scope, reserved())).toEqual(refuse('taken'));
  });

  it('can be used again after a release, after the death of a process, and after a day', async () => {
    const { scope, organizationId } = await TestTenant.create(dataSource);
    const keys = new IdempotencyRepository(dataSource);
    const age = (interval: string): Promise<unknown> =>
      dataSource.query(
        `UPDATE idempotency_keys SET created_at = now() - $2::interval WHERE organization_id = $1`,
        [organizationId, interval],
      );
    await keys.begin(scope, reserved());
    await keys.release(scope, reserved());
    expect(await keys.begin(scope, reserved())).toEqual(done());
    await age('16 minutes');
    expect(await keys.begin(scope, reserved())).toEqual(done());
    await keys.finish(scope, reserved(), answer('h', 200, null));
    await age('16 minutes');
    expect(await keys.begin(scope, reserved())).toEqual(refuse('taken'));
    await age('25 hours');
    expect(await keys.begin(scope, reserved())).toEqual(done());
    expect(await keys.find(scope, route, 'k', 'h')).toEqual({ kind: 'in-progress' });
    await age('25 hours');
    await keys.collect();
    expect(await keys.find(scope, route, 'k', 'h')).toEqual({ kind: 'first' });
  });
});

describe('a conversation', () => {
  const turn = (text: string) => ({
    question: { id: newId(), text },
    answer: { id: newId(), text: `${text}!`, sources: [], abstained: true },
  });

  it('is shared by clients that create it concurrently', async () => {
    const { scope } = await TestTenant.create(dataSource);
    const { agent } = await new AgentRepository(dataSource).create(scope, { name: 'a' }, []);
    const conversations = new ConversationRepository(dataSource);
    const thread = { agentId: agent.id, externalId: 'chosen', visitorId: 'v' };
    await Promise.all(['1', '2', '3', '4'].map((text) => conversations.append(scope, thread, turn(text))));
    const [found, ...others] = await conversations.findAll(scope, 'chosen');
    assert.ok(found && others.length === 0);
    const messages = await conversations.messages(scope, found.conversation.id, { limit: 20 });
    expect(messages.map((message) => message.text).toSorted()).toEqual([
      '1',
      '1!',
      '2',
      '2!',
      '3',
      '3!',
      '4',
      '4!',
    ]);
    const answer = messages.find((message) => message.author === 'agent');
    expect([answer?.sources, answer?.abstained, answer?.rating]).toEqual([[], true, null]);
  });

  it('belongs to one agent, and is removed with its visitor or agent', async () => {
    const { scope } = await TestTenant.create(dataSource);
    const agents = new AgentRepository(dataSource);
    const conversations = new ConversationRepository(dataSource);
    const agentIds = [];
    for (const name of ['a', 'b', 'c']) agentIds.push((await agents.create(scope, { name }, [])).agent.id);
    for (const agentId of agentIds) {
      await conversations.append(scope, { agentId, externalId: 'same', visitorId: agentId }, turn('q'));
    }
    // At most two are returned.
    expect(await conversations.findAll(scope, 'same')).toHaveLength(2);
    expect(await conversations.findAll(scope, 'same', { agentId: agentIds[0] })).toHaveLength(1);
    const removed = await conversations.removeVisitor(scope, agentIds[0] ?? '');
    expect(removed).toEqual({ conversations: 1, messages: 2 });
    await agents.remove(scope, agentIds[1] ?? '');
    expect(
      (await conversations.list(scope, { limit: 5 }, {})).map(({ conversation }) => conversation.agentId),
    ).toEqual([agentIds[2]]);
  });

  it('accepts ratings of answers only', async () => {
    const { scope } = await TestTenant.create(dataSource);
    const { agent } = await new AgentRepository(dataSource).create(scope, { name: 'a' }, []);
    const conversations = new ConversationRepository(dataSource);
    const feedback = new FeedbackRepository(dataSource);
    const { question, answer } = turn('q');
    await conversations.append(
      scope,
      { agentId: agent.id, externalId: 'r', visitorId: 'v' },
      { question, answer },
    );
    const thread = valueOf(await conversations.find(scope, agent.id, 'r'));
    assert.ok(thread);
    const rated = await feedback.rate(scope, thread.id, answer.id, 'bad', 'wrong page');
    expect([rated?.rating, rated?.comment]).toEqual(['bad', 'wrong page']);
    expect(await feedback.rate(scope, thread.id, question.id, 'good', null)).toBeNull();
    expect(await feedback.rate(scope, thread.id, 'no id', 'good', null)).toBeNull();
  });
});

describe('blobs', () => {
  it('are abandoned when they are not committed within a day', async () => {
    const tenant = await TestTenant.create(dataSource);
    const blobs = new BlobRepository(dataSource);
    const { key } = await tenant.upload(newId());
    const { datasource } = await tenant.datasource();
    await dataSource.query(`UPDATE blobs SET created_at = now() - interval '25 hours'`);
    const { key: fresh } = await tenant.upload(newId());
    expect((await blobs.abandoned(10)).map((blob) => blob.key)).toEqual([key]);
    await blobs.forget([key]);
    expect(new Set((await blobs.recorded([key, fresh, datasource.contentKey ?? ''])).keys())).toEqual(
      new Set([fresh, datasource.contentKey]),
    );
  });

  it('remember for the same bytes of an organization by which parser they timed out', async () => {
    const tenant = await TestTenant.create(dataSource);
    const other = await TestTenant.create(dataSource);
    const blobs = new BlobRepository(dataSource);
    const { datasource } = await tenant.datasource();
    const key = datasource.contentKey ?? '';
    const sha256 = (await blobs.find(key))?.sha256 ?? '';
    await blobs.recordTimeout(key, 'parser 1');
    const timedOut = (scope: TestTenant, hash: string, parser: string) =>
      blobs.hasTimedOut(scope.organizationId, hash, parser);
    expect([
      await timedOut(tenant, sha256, 'parser 1'),
      await timedOut(tenant, sha256, 'parser 2'),
      await timedOut(tenant, 'other bytes', 'parser 1'),
      await timedOut(other, sha256, 'parser 1'),
    ]).toEqual([true, false, false, false]);
  });
});

describe('an API key', () => {
  it('is valid until it expires or is removed, or its organization is deleted', async () => {
    const tenant = await TestTenant.create(dataSource);
    const organizations = new OrganizationRepository(dataSource);
    const key = (hash: string, expiresAt: Date | null = null) => ({
      name: 'k',
      prefix: 'cw_',
      hash,
      scopes: ['read'],
      expiresAt,
    });
    const valid = await organizations.addKey(tenant.scope, key('valid'));
    await organizations.addKey(tenant.scope, key('expired', new Date(Date.now() - 1_000)));
    await organizations.ensureKey(tenant.organizationId, key('valid'));
    expect(await organizations.authenticate('valid')).toEqual({
      id: valid.id,
      organizationId: tenant.organizationId,
      scopes: ['read'],
      expiresAt: null,
      publishable: null,
      reader: null,
    });
    expect(await organizations.authenticate('expired')).toBeNull();
    expect(await organizations.removeKey(tenant.scope, valid.id)).toMatchObject({ ok: true });
    expect(await organizations.removeKey(tenant.scope, valid.id)).toEqual(refuse('not-found'));
    expect(await organizations.authenticate('valid')).toBeNull();
    await organizations.addKey(tenant.scope, key('last'));
    await organizations.markDeleted(tenant.organizationId);
    expect(await organizations.authenticate('last')).toBeNull();
    expect(await organizations.find(tenant.organizationId)).toBeNull();
  });
});

describe('a publishable key', () => {
  const create = async () => {
    const tenant = await TestTenant.create(dataSource);
    const agents = new AgentRepository(dataSource);
    const { agent } = await agents.create(tenant.scope, { name: 'a', visibility: 'public' }, []);
    const organizations = new OrganizationRepository(dataSource);
    const key = await organizations.addKey(tenant.scope, {
      name: 'k',
      prefix: 'cw_',
      hash: newId(),
      scopes: ['publishable'],
      agentId: agent.id,
      allowedOrigins: ['https://a.example'],
      dailyLimit: 10,
    });
    return { scope: tenant.scope, agents, agentId: agent.id, organizations, key };
  };

  it('counts its messages up to the limit of the day, also concurrently', async () => {
    const { scope, key } = await create();
    const usage = new UsageRepository(dataSource);
    const counted = await Promise.all(Array.from({ length: 50 }, () => usage.countMessage(scope, key.id)));
    expect(counted.filter(({ ok }) => ok)).toHaveLength(10);
    await dataSource.query('UPDATE api_keys SET messages_on = messages_on - 1 WHERE id = $1', [key.id]);
    expect(await usage.countMessage(scope, key.id)).toEqual(done());
  });

  it('knows whether its agent is public, and is removed with it', async () => {
    const { scope, agents, agentId, organizations, key } = await create();
    const publishable = { agentId, isAgentPublic: true, allowedOrigins: ['https://a.example'] };
    expect(await organizations.authenticate(key.hash)).toMatchObject({ publishable });
    await agents.update(scope, agentId, { visibility: 'private' }, undefined);
    expect(await organizations.authenticate(key.hash)).toMatchObject({
      publishable: { ...publishable, isAgentPublic: false },
    });
    await agents.remove(scope, agentId);
    expect(await organizations.authenticate(key.hash)).toBeNull();
  });
});

describe('the last key with the scope admin', () => {
  it('is not removed, also when two keys remove each other at once', async () => {
    const organizations = new OrganizationRepository(dataSource);
    for (let round = 0; round < 20; round += 1) {
      const { scope } = await TestTenant.create(dataSource);
      const [first] = await organizations.keys(scope, { limit: 1 });
      const add = (scopes: string[], expiresAt: Date | null = null) =>
        organizations.addKey(scope, { name: 'k', prefix: 'cw_', hash: newId(), scopes, expiresAt });
      await add(['admin'], new Date(Date.now() - 1_000));
      const reader = await add(['read', 'write']);
      const admins = [await add(['admin']), await add(['admin', 'read'])];
      expect(await organizations.removeKey(scope, first?.id ?? '')).toMatchObject({ ok: true });
      const removals = await Promise.all(admins.map(({ id }) => organizations.removeKey(scope, id)));
      expect(removals.map(outcomeOf).toSorted()).toEqual(['done', 'last-admin']);
      expect(await organizations.removeKey(scope, reader.id)).toMatchObject({ ok: true });
    }
  });
});

describe('a listener', () => {
  it('is notified of a new run', async () => {
    const tenant = await TestTenant.create(dataSource);
    const { url } = dataSource.options as { url: string };
    const [connected, notified] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const listener = listen(url, NEW_RUN_CHANNEL, {
      onNotify: notified.resolve,
      onConnect: connected.resolve,
    });
    await connected.promise;
    await tenant.datasource();
    await notified.promise;
    await listener.close();
  });

  it('is notified of new work, also after its connection broke', async () => {
    const tenant = await TestTenant.create(dataSource);
    let calls = 0;
    const waiters: (() => void)[] = [];
    const next = (): Promise<void> => new Promise((resolve) => waiters.push(resolve));
    // The URL of the pool is that of the database under test.
    const { url } = dataSource.options as { url: string };
    const connected = next();
    const onCall = (): void => {
      calls += 1;
      for (const waiter of waiters.splice(0)) waiter();
    };
    const listener = listen(url, DISPATCH_CHANNEL, { onNotify: onCall, onConnect: onCall });
    await connected;
    const notified = next();
    await tenant.datasource();
    await notified;
    const reconnected = next();
    await dataSource.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'citewell-listen'`,
    );
    await reconnected;
    await listener.close();
    const before = calls;
    await tenant.datasource();
    expect(calls).toBe(before);
  });
});
