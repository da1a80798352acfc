import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { newId } from '../connection/new-id.js';
import { valueOf } from '../fixtures/result.fixtures.js';
import { TestTenant } from '../fixtures/tenant.fixtures.js';
import { TestServer } from '../fixtures/test-server.fixtures.js';
import { OrganizationRepository } from '../tenancy/organization.repository.js';
import { AgentRepository } from './agent.repository.js';
import { ConversationRepository } from './conversation.repository.js';
import { type FeedbackFilter, FeedbackRepository } from './feedback.repository.js';

const server = new TestServer();
let dataSource: DataSource;
let tenant: TestTenant;
let stranger: TestTenant;
let agentId: string;
beforeAll(async () => {
  dataSource = await server.database();
  [tenant, stranger] = [await TestTenant.create(dataSource), await TestTenant.create(dataSource)];
  const { agent } = await new AgentRepository(dataSource).create(tenant.scope, { name: 'agent' }, []);
  agentId = agent.id;
  const conversations = new ConversationRepository(dataSource);
  const feedback = new FeedbackRepository(dataSource);
  const thread = { agentId, externalId: 'thread', visitorId: 'v' };
  for (const [text, abstained, rating] of [
    ['neither', false, null],
    ['unanswered', true, null],
    ['liked', false, 'good'],
    ['disliked', false, 'bad'],
    ['both', true, 'bad'],
  ] as const) {
    const [question, answer] = [
      { id: newId(), text },
      { id: newId(), text: 'a', sources: [], abstained },
    ];
    await conversations.append(tenant.scope, thread, { question, answer });
    const known = valueOf(await conversations.find(tenant.scope, agentId, 'thread'));
    if (rating && known) await feedback.rate(tenant.scope, known.id, answer.id, rating, `${text}!`);
  }
});
afterAll(() => server.close());

describe('feedback', () => {
  const list = async (filter: FeedbackFilter, scope = tenant.scope, limit = 10) =>
    (await new FeedbackRepository(dataSource).list(scope, { limit }, filter)).map(({ question }) => question);

  it.each([
    [{}, ['both', 'disliked', 'liked', 'unanswered']],
    [{ kind: 'unanswered' }, ['both', 'unanswered']],
    [{ kind: 'bad' }, ['both', 'disliked']],
    [{ kind: 'good' }, ['liked']],
    [{ agentId: 'x' }, []],
    [{ agentId: newId() }, []],
  ] as const)('that matches %j', async (filter, expected) => {
    expect(await list(filter)).toEqual(expected);
  });

  it('comes page by page, with its comment', async () => {
    const repository = new FeedbackRepository(dataSource);
    const [last] = await repository.list(tenant.scope, { limit: 1 }, {});
    expect(last).toMatchObject({
      question: 'both',
      agentId,
      abstained: true,
      rating: 'bad',
      comment: 'both!',
    });
    const next = await repository.list(tenant.scope, { limit: 1, cursor: last?.id }, {});
    expect(next.map(({ question }) => question)).toEqual(['disliked']);
  });

  it('of another organization does not exist', async () => {
    expect(await list({ agentId }, stranger.scope)).toEqual([]);
  });
});

it('the setting for conversations is that of one organization, and keeps its moment', async () => {
  const organizations = new OrganizationRepository(dataSource);
  const since = async (of: TestTenant) =>
    (await organizations.find(of.organizationId))?.ownersReadConversationsSince;
  await organizations.setOwnersReadConversations(tenant.scope, true);
  const first = await since(tenant);
  await organizations.setOwnersReadConversations(tenant.scope, true);
  expect(first).toBeInstanceOf(Date);
  expect(await since(tenant)).toEqual(first);
  expect(await since(stranger)).toBeNull();
  await organizations.setOwnersReadConversations(stranger.scope, false);
  expect(await since(tenant)).toEqual(first);
  await organizations.setOwnersReadConversations(tenant.scope, false);
  expect(await since(tenant)).toBeNull();
});
