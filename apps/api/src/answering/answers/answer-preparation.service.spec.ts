import { TenantScope } from '@citewell/database';
import { describe, expect, it } from '@jest/globals';
import { AnswerPreparationService, historyOf } from './answer-preparation.service.js';

type Dependencies = ConstructorParameters<typeof AnswerPreparationService>;

const TENANT = new TenantScope('o');
const QUERY = { query: 'q', conversationId: 'x', visitorId: undefined };

/** A service whose reads wait for each other, and what it has called. */
function service({ agent = { modelName: 'gpt_4' } }: { agent?: object | null } = {}) {
  const calls: string[] = [];
  const reads = new Set<string>();
  let release = (): void => undefined;
  const all = new Promise<void>((resolve) => (release = resolve));
  /** Returns when all three reads have begun. */
  const read = async <Value>(name: string, value: Value): Promise<Value> => {
    calls.push(name);
    if (reads.add(name).size === 3) release();
    await all;
    return value;
  };
  const call = async <Value>(name: string, value: Value): Promise<Value> => {
    calls.push(name);
    return value;
  };
  // Only the methods that a question uses.
  const dependencies = [
    { findAlone: () => read('agent', agent) },
    { ofAgent: () => read('datastores', []) },
    {
      find: () => read('conversation', { ok: true, value: { id: 'c', visitorId: 'v' } }),
      messages: () => call('messages', [{ author: 'human', text: 'before' }]),
    },
    { of: async () => ({ name: 'm' }) },
    { acquire: () => call('count', () => undefined) },
    { reserve: () => call('budget', 'r'), release: () => call('release', undefined) },
  ] as unknown as Dependencies;
  return { preparation: new AnswerPreparationService(...dependencies), calls };
}

describe('AnswerPreparationService', () => {
  it('reads agent, datastores and conversation at the same time, and counts the question after them', async () => {
    const { preparation, calls } = service();
    const prepared = await preparation.prepare(TENANT, 'a', QUERY);
    expect(calls).toEqual(['agent', 'datastores', 'conversation', 'messages', 'budget', 'count']);
    expect(prepared).toMatchObject({
      conversationId: 'x',
      visitorId: 'v',
      datastores: [],
      reservationId: 'r',
    });
  });

  it('counts no question to an agent that does not exist', async () => {
    const { preparation, calls } = service({ agent: null });
    await expect(preparation.prepare(TENANT, 'a', QUERY)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(calls).not.toContain('count');
  });
});

const question = (text: string) => ({ author: 'human' as const, text, state: 'complete' as const });
const answer = (text: string, state: 'answering' | 'complete' | 'stopped' | 'failed' = 'complete') => ({
  author: 'agent' as const,
  text,
  state,
});

it.each([
  ['complete turns', [question('a?'), answer('a'), question('b?'), answer('b')], ['a?', 'a', 'b?', 'b']],
  ['a stopped answer', [question('a?'), answer('a', 'stopped')], ['a?', 'a']],
  ['no answer that was stopped before its text', [question('a?'), answer('', 'stopped')], []],
  ['no failed answer', [question('a?'), answer('half', 'failed'), question('b?'), answer('b')], ['b?', 'b']],
  [
    'no answer in progress',
    [question('a?'), answer('a'), question('b?'), answer('h', 'answering')],
    ['a?', 'a'],
  ],
  ['no empty answer', [question('a?'), answer('')], []],
  [
    'an answer whose question is on an earlier page',
    [answer('a'), question('b?'), answer('b')],
    ['a', 'b?', 'b'],
  ],
  ['nothing', [], []],
])('the history contains %s', (_, messages, texts) => {
  expect(historyOf(messages).map(({ text }) => text)).toEqual(texts);
});
