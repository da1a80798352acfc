import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { newId } from '../connection/new-id.js';
import { TestTenant } from '../fixtures/tenant.fixtures.js';
import { TestServer } from '../fixtures/test-server.fixtures.js';
import { AgentRepository } from './agent.repository.js';
import { ConversationRepository, type ExportedAnswer } from './conversation.repository.js';

const server = new TestServer();
let dataSource: DataSource;
beforeAll(async () => {
  dataSource = await server.database();
});
afterAll(() => server.close());

it('batches contain every answer once, with its question and the sources that it cites', async () => {
  const { scope } = await TestTenant.create(dataSource);
  const conversations = new ConversationRepository(dataSource);
  const { agent } = await new AgentRepository(dataSource).create(scope, { name: 'agent' }, []);
  const source = (name: string, cited: boolean) => ({ source: name, cited }) as never;
  for (const [externalId, number] of [
    ['a', 1],
    ['b', 2],
    ['a', 3],
  ] as const)
    await conversations.append(
      scope,
      { agentId: agent.id, externalId, visitorId: 'v' },
      {
        question: { id: newId(), text: `question ${number}` },
        answer: {
          id: newId(),
          text: `answer ${number}`,
          sources: [source('cited', true), source('not cited', false)],
          abstained: false,
        },
      },
    );

  const rows: ExportedAnswer[] = [];
  for (let isLast = false; !isLast;) {
    const batch = await conversations.answers(scope, {}, 2, rows.at(-1));
    rows.push(...batch);
    isLast = batch.length === 0;
  }
  expect(
    rows.map(({ externalId, question, answer, sources }) => [externalId, question, answer, sources]),
  ).toEqual([
    ['a', 'question 1', 'answer 1', ['cited']],
    ['a', 'question 3', 'answer 3', ['cited']],
    ['b', 'question 2', 'answer 2', ['cited']],
  ]);
});

it('removes conversations that are older than the retention of their agent, with their messages', async () => {
  const { scope } = await TestTenant.create(dataSource);
  const conversations = new ConversationRepository(dataSource);
  const agents = new AgentRepository(dataSource);
  const ages = ['1 hour', '167 hours 59 minutes', '168 hours 1 minute', '1000 days'];
  const left = async (agentId: string): Promise<string[]> =>
    (await conversations.list(scope, { limit: 100 }, { agentId })).map(
      ({ conversation }) => conversation.externalId,
    );
  const agentOf = async (retentionDays: number | null): Promise<string> => {
    const { agent } = await agents.create(scope, { name: 'agent', retentionDays }, []);
    for (const externalId of ages)
      await conversations.append(
        scope,
        { agentId: agent.id, externalId, visitorId: 'v' },
        {
          question: { id: newId(), text: 'q' },
          answer: { id: newId(), text: 'a', sources: [], abstained: false },
        },
      );
    await dataSource.query(
      'UPDATE conversations SET updated_at = now() - external_id::interval WHERE agent_id = $1',
      [agent.id],
    );
    return agent.id;
  };
  const [week, forever] = [await agentOf(7), await agentOf(null)];
  expect(await conversations.removeExpired(1)).toBe(1);
  expect(await conversations.removeExpired(10)).toBe(1);
  expect(await conversations.removeExpired(10)).toBe(0);
  expect([await left(week), await left(forever)]).toEqual([ages.slice(0, 2).toReversed(), ages.toReversed()]);
  const [messages] = await dataSource.query<{ count: number }[]>(
    'SELECT count(*)::int FROM messages WHERE organization_id = $1',
    [scope.organizationId],
  );
  expect(messages?.count).toBe(2 * 6);
  // A shorter retention applies to what is stored already.
  await agents.update(scope, forever, { retentionDays: 1 }, undefined);
  expect(await conversations.removeExpired(10)).toBe(3);
  expect(await left(forever)).toEqual(['1 hour']);
});
