import { TenantScope } from '@citewell/database';
import { expect, it } from '@jest/globals';
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

it('measures the search of the agent, also for questions about whole documents, and the answer of its users', async () => {
  const introduction = { text: 'On seals.', score: 0, run: { datasourceId: 'd', datasourceName: 'D' } };
  const options: unknown[] = [];
  const asker = new EvaluationAsker(
    { findAlone: async () => ({ minScore: 0.5, restrictToSources: true }) } as never,
    {} as never,
    { ofAgent: async () => [] } as never,
    {
      find: async (...args: unknown[]) => {
        options.push(args[3]);
        return { questions: [{ areIntroductions: true }], passages: [introduction] };
      },
    } as never,
    {
      modelOf: async () => null,
      prepare: async (...args: unknown[]) => {
        options.push(args[3]);
        return { releaseSlot: () => undefined };
      },
    } as never,
    { answer: async () => ({ answer: 'Seals.', abstained: false, sources: [] }) } as never,
  );
  const { signal } = new AbortController();
  const question = { question: 'What is the document about?' } as never;
  const outcome = await asker.ask(tenant, { agentId: 'a' }, question, { signal, isLeftOut: () => false });
  expect(outcome).toMatchObject({
    passages: [{ text: 'On seals.' }],
    answer: 'Seals.',
    refused: false,
    // As of a passage that no minimum score refuses.
    score: 1,
  });
  expect(options).toEqual([
    { limit: 50, introductions: true, signal },
    { own: { history: [], instructions: '' } },
  ]);
});
