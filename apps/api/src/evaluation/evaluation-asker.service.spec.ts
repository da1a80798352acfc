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
