import { TenantScope } from '@citewell/database';
import { describe, expect, it } from '@jest/globals';
import { AnswerPreparationService } from './answer-preparation.service.js';

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
      find: () => read('conversation', { id: 'c', visitorId: 'v' }),
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
