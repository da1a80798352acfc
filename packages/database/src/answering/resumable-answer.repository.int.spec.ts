import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { newId } from '../connection/new-id.js';
import type { TenantScope } from '../connection/tenant-scope.js';
import { TestTenant } from '../fixtures/tenant.fixtures.js';
import { TestServer } from '../fixtures/test-server.fixtures.js';
import { AgentRepository } from './agent.repository.js';
import { ConversationRepository } from './conversation.repository.js';
import { type AnswerEnd, ResumableAnswerRepository } from './resumable-answer.repository.js';

const server = new TestServer();
let dataSource: DataSource;
let scope: TenantScope;
let agentId: string;
let answers: ResumableAnswerRepository;
let conversations: ConversationRepository;
let id: string;
beforeAll(async () => {
  dataSource = await server.database();
  ({ scope } = await TestTenant.create(dataSource));
  const { agent } = await new AgentRepository(dataSource).create(scope, { name: 'agent' }, []);
  agentId = agent.id;
  answers = new ResumableAnswerRepository(dataSource);
  conversations = new ConversationRepository(dataSource);
});
afterAll(() => server.close());

beforeEach(async () => {
  const questionId = newId();
  id = newId();
  await answers.begin(
    scope,
    { agentId, externalId: `thread ${id}`, visitorId: 'v' },
    { question: { id: questionId, text: 'Why?' }, answerId: id },
  );
});

const source = { source: 'a.txt', cited: true } as never;
const complete: AnswerEnd = {
  state: 'complete',
  text: 'Done',
  sources: [source],
  abstained: false,
  finishReason: 'stop',
  error: null,
  sentences: [{ start: 0, end: 4, supported: false, citations: [] }],
};
const silence = (seconds: number) =>
  dataSource.query(`UPDATE messages SET heartbeat_at = now() - make_interval(secs => $2) WHERE id = $1`, [
    id,
    seconds,
  ]);

it('an answer is stored with its question at the beginning, as it grows, and as it ended', async () => {
  const stored = await answers.find(scope, agentId, id);
  expect(stored).toMatchObject({ conversationId: `thread ${id}`, visitorId: 'v', visitorTokenHash: null });
  const messages = async () =>
    (await conversations.messages(scope, stored?.message.conversationId ?? '', { limit: 10 })).map(
      ({ author, text, state }) => [author, text, state],
    );
  expect(await messages()).toEqual([
    ['agent', '', 'answering'],
    ['human', 'Why?', 'complete'],
  ]);
  expect(await answers.progress(scope, id, 'Because', [source])).toEqual({ stopRequested: false });
  expect((await answers.find(scope, agentId, id))?.message).toMatchObject({
    text: 'Because',
    sources: [source],
  });
  expect(await answers.end(scope, id, complete)).toBe(true);
  expect((await answers.find(scope, agentId, id))?.message).toMatchObject({
    text: 'Done',
    state: 'complete',
    heartbeatAt: null,
    sentences: complete.sentences,
  });
});

it('an answer that has ended changes no more', async () => {
  await answers.end(scope, id, { ...complete, state: 'stopped' });
  await answers.requestStop(scope, id);
  expect(await answers.progress(scope, id, 'late', [])).toBeNull();
  expect(await answers.end(scope, id, { ...complete, text: 'late' })).toBe(false);
  expect((await answers.find(scope, agentId, id))?.message).toMatchObject({
    state: 'stopped',
    text: 'Done',
    stopRequested: false,
  });
});

it('a request to stop reaches the process that writes', async () => {
  await answers.requestStop(scope, id);
  expect(await answers.progress(scope, id, 'Be', [])).toEqual({ stopRequested: true });
});

it('an answer whose process has ended keeps what it had, and fails', async () => {
  await answers.progress(scope, id, 'Half', [source]);
  await silence(10);
  expect((await answers.find(scope, agentId, id))?.message.state).toBe('answering');
  await silence(20);
  expect((await answers.find(scope, agentId, id))?.message).toMatchObject({
    state: 'failed',
    text: 'Half',
    sources: [source],
    error: null,
  });
  expect(await answers.progress(scope, id, 'Half and', [])).toBeNull();
});

it('only complete and stopped answers are exported', async () => {
  const before = (await conversations.answers(scope, { agentId }, 100)).length;
  await answers.end(scope, id, { ...complete, state: 'failed', error: { code: 'INTERNAL', message: 'x' } });
  expect(await conversations.answers(scope, { agentId }, 100)).toHaveLength(before);
});

it.each(['x', newId()])('there is no answer %s', async (unknown) => {
  expect(await answers.find(scope, agentId, unknown)).toBeNull();
  expect(await answers.find(scope, unknown, id)).toBeNull();
});
