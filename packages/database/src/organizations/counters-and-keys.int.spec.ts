import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { DataSource } from 'typeorm';
import { TestTenant } from '../fixtures/tenant.fixtures.js';
import { ThrowAwayServer } from '../fixtures/throw-away-server.fixtures.js';
import { listen } from '../connection/listen.js';
import { newId } from '../connection/new-id.js';
import { AgentRepository } from '../agents/agent.repository.js';
import { BlobRepository } from '../blobs/blob.repository.js';
import { ConversationRepository } from '../conversations/conversation.repository.js';
import { DISPATCH_CHANNEL, NEW_RUN_CHANNEL } from '../runs/dispatch-channels.js';
import { IdempotencyRepository } from '../idempotency/idempotency.repository.js';
import { OrganizationRepository } from './organization.repository.js';
import { UsageRepository } from './usage.repository.js';

let server: ThrowAwayServer;
let dataSource: DataSource;
before(async () => {
  server = await ThrowAwayServer.start();
  dataSource = await server.database();
});
after(() => server.stop());

describe('agent queries', () => {
  it('are reserved up to the limit, also concurrently', async () => {
    const { scope } = await TestTenant.create(dataSource, { limitAgentQueries: 10 });
    const usage = new UsageRepository(dataSource);
    const passed = await Promise.all(Array.from({ length: 50 }, () => usage.reserveAgentQuery(scope)));
    assert.equal(passed.filter(Boolean).length, 10);
    assert.deepEqual((await usage.report(scope)).agentQueries, { used: 10, limit: 10 });
    await usage.refundAgentQuery(scope);
    assert.equal(await usage.reserveAgentQuery(scope), true);
    assert.equal(await usage.reserveAgentQuery(scope), false);
  });

  it('are refused with a limit of zero, and unlimited without one', async () => {
    const usage = new UsageRepository(dataSource);
    const none = await TestTenant.create(dataSource, { limitAgentQueries: 0 });
    assert.equal(await usage.reserveAgentQuery(none.scope), false);
    await usage.refundAgentQuery(none.scope);
    assert.equal((await usage.report(none.scope)).agentQueries.used, 0);
    const unlimited = await TestTenant.create(dataSource);
    for (let n = 0; n < 3; n += 1) assert.equal(await usage.reserveAgentQuery(unlimited.scope), true);
    await new OrganizationRepository(dataSource).setLimits(unlimited.organizationId, {
      limitAgentQueries: 2,
      limitStoredCharacters: null,
    });
    assert.equal(await usage.reserveAgentQuery(unlimited.scope), false);
  });
});

describe('an idempotency key', () => {
  const route = 'POST /agents';

  it('belongs to the first request, and returns its answer for the same body', async () => {
    const { scope } = await TestTenant.create(dataSource);
    const keys = new IdempotencyRepository(dataSource);
    const outcomes = await Promise.all(Array.from({ length: 5 }, () => keys.begin(scope, route, 'k')));
    assert.deepEqual(outcomes.toSorted(), ['first', 'taken', 'taken', 'taken', 'taken']);
    assert.deepEqual(await keys.find(scope, route, 'k', 'h'), { kind: 'in-progress' });
    await keys.finish(scope, route, 'k', 'h', 201, { id: 'a' });
    assert.deepEqual(await keys.find(scope, route, 'k', 'h'), {
      kind: 'answered',
      status: 201,
      response: { id: 'a' },
    });
    assert.deepEqual(await keys.find(scope, route, 'k', 'other'), { kind: 'other-request' });
    assert.equal(await keys.begin(scope, 'POST /datastores', 'k'), 'first', 'another route');
    await keys.release(scope, route, 'k');
    assert.equal(await keys.begin(scope, route, 'k'), 'taken', 'an answered key is not released');
  });

  it('can be used again after a release, after the death of a process, and after a day', async () => {
    const { scope, organizationId } = await TestTenant.create(dataSource);
    const keys = new IdempotencyRepository(dataSource);
    const age = (interval: string): Promise<unknown> =>
      dataSource.query(
        `UPDATE idempotency_keys SET created_at = now() - $2::interval WHERE organization_id = $1`,
        [organizationId, interval],
      );
    await keys.begin(scope, route, 'k');
    await keys.release(scope, route, 'k');
    assert.equal(await keys.begin(scope, route, 'k'), 'first');
    await age('16 minutes');
    assert.equal(await keys.begin(scope, route, 'k'), 'first');
    await keys.finish(scope, route, 'k', 'h', 200, null);
    await age('16 minutes');
    assert.equal(await keys.begin(scope, route, 'k'), 'taken');
    await age('25 hours');
    assert.equal(await keys.begin(scope, route, 'k'), 'first');
    assert.deepEqual(await keys.find(scope, route, 'k', 'h'), { kind: 'in-progress' });
    await age('25 hours');
    await keys.collect();
    assert.deepEqual(await keys.find(scope, route, 'k', 'h'), { kind: 'first' });
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
    const messages = await conversations.messages(scope, found.id, { limit: 20 });
    assert.deepEqual(messages.map((message) => message.text).toSorted(), [
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
    assert.deepEqual([answer?.sources, answer?.abstained, answer?.rating], [[], true, null]);
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
    assert.equal((await conversations.findAll(scope, 'same')).length, 2, 'at most two are returned');
    assert.equal((await conversations.findAll(scope, 'same', agentIds[0])).length, 1);
    assert.equal(await conversations.removeVisitor(scope, agentIds[0] ?? ''), 1);
    await agents.remove(scope, agentIds[1] ?? '');
    assert.deepEqual(
      (await conversations.list(scope, { limit: 5 }, {})).map((conversation) => conversation.agentId),
      [agentIds[2]],
    );
  });

  it('accepts ratings of answers only', async () => {
    const { scope } = await TestTenant.create(dataSource);
    const { agent } = await new AgentRepository(dataSource).create(scope, { name: 'a' }, []);
    const conversations = new ConversationRepository(dataSource);
    const { question, answer } = turn('q');
    await conversations.append(
      scope,
      { agentId: agent.id, externalId: 'r', visitorId: 'v' },
      { question, answer },
    );
    const thread = await conversations.find(scope, agent.id, 'r');
    assert.ok(thread);
    const rated = await conversations.rate(scope, thread.id, answer.id, 'bad', 'wrong page');
    assert.deepEqual([rated?.rating, rated?.comment], ['bad', 'wrong page']);
    assert.equal(await conversations.rate(scope, thread.id, question.id, 'good', null), null);
    assert.equal(await conversations.rate(scope, thread.id, 'no id', 'good', null), null);
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
    assert.deepEqual(
      (await blobs.abandoned(10)).map((blob) => blob.key),
      [key],
    );
    await blobs.forget([key]);
    assert.deepEqual(
      await blobs.known([key, fresh, datasource.contentKey ?? '']),
      new Set([fresh, datasource.contentKey]),
    );
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
    assert.deepEqual(await organizations.authenticate('valid'), {
      id: valid.id,
      organizationId: tenant.organizationId,
      scopes: ['read'],
    });
    assert.equal(await organizations.authenticate('expired'), null);
    assert.equal((await organizations.removeKey(tenant.scope, valid.id))?.id, valid.id);
    assert.equal(await organizations.authenticate('valid'), null);
    await organizations.addKey(tenant.scope, key('last'));
    await organizations.markDeleted(tenant.organizationId);
    assert.equal(await organizations.authenticate('last'), null);
    assert.equal(await organizations.find(tenant.organizationId), null);
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
    assert.equal(calls, before);
  });
});
