import { TenantScope } from '@citewell/database';
import { describe, expect, it } from '@jest/globals';
import { EvaluationAsker } from './evaluation-asker.service.js';

const tenant = new TenantScope('o');
/** A chat model that is not asked here. */
const model = {};

/** An asker of one agent. */
function askerOf(agent: object, chatModel: object | null): EvaluationAsker {
  const fields = { minScore: 0.5, restrictToSources: true, ...agent };
  return new EvaluationAsker(
    { findAlone: async () => fields } as never,
    {} as never,
    { ofAgent: async () => [] } as never,
    {} as never,
    { modelOf: async () => chatModel } as never,
    {} as never,
  );
}

it.each([
  // The agent, its model, the minimum score of the configuration, and the one that is used
  [{}, model, undefined, 0.05],
  [{}, model, 0.5, 0.5],
  [{}, null, undefined, 0.5],
  [{ minScore: 0.7 }, model, undefined, 0.7],
  [{ restrictToSources: false }, model, undefined, 0.5],
])('an agent with %j, the model %j and the minimum %j uses %j', async (agent, chatModel, minScore, used) => {
  const configuration = { agentId: 'a', ...(minScore === undefined ? {} : { minScore }) };
  expect((await askerOf(agent, chatModel).target(tenant, configuration)).minScore).toBe(used);
});

describe('the passages that are measured', () => {
  const passage = { text: 'Two years.', score: 0.9, run: { datasourceId: 'd', datasourceName: 'D' } };
  const question = { question: 'How long is the warranty?' };

  /** An asker whose answer has found `passage`, or fails. */
  const ask = (answer: () => Promise<object>, searched: object[]) =>
    new EvaluationAsker(
      { findAlone: async () => ({ minScore: 0.5, restrictToSources: true }) } as never,
      {} as never,
      { ofAgent: async () => [] } as never,
      {
        find: async () => {
          searched.push(question);
          return { ranking: [] };
        },
      } as never,
      { modelOf: async () => null, prepare: async () => ({ releaseSlot: () => undefined }) } as never,
      {
        answer: async (...args: [unknown, unknown, unknown, { onFound(found: object): void }]) => {
          args[3].onFound({ ranking: [passage] });
          return answer();
        },
      } as never,
    ).ask(tenant, { agentId: 'a' }, question as never, {
      signal: new AbortController().signal,
      isLeftOut: () => true,
    });

  it('are those that the answer is chosen from, without a second search', async () => {
    const searched: object[] = [];
    const outcome = await ask(
      async () => ({ answer: 'Two years.', abstained: false, sources: [] }),
      searched,
    );
    expect(outcome.passages).toMatchObject([{ text: 'Two years.', score: 0.9 }]);
    expect(outcome.answer).toBe('Two years.');
    expect(searched).toEqual([]);
  });

  it('are searched if the answer failed', async () => {
    const searched: object[] = [];
    const outcome = await ask(() => Promise.reject(new Error('down')), searched);
    expect(outcome.refused).toBe(true);
    expect(searched).toHaveLength(1);
  });
});
