import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { AgentRepository } from '../agents/agent.repository.js';
import { newId } from '../connection/new-id.js';
import { TestTenant } from '../fixtures/tenant.fixtures.js';
import { TestServer } from '../fixtures/test-server.fixtures.js';
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
