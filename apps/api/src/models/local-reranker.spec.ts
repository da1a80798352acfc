import { TenantScope } from '@citewell/database';
import { type LocalRerankModel, ModelError } from '@citewell/models';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { localReranker } from './local-reranker.js';

const TENANT = new TenantScope('a');
let opening: PromiseWithResolvers<LocalRerankModel>[];
let problems: (string | null)[];
let closed: number;
let time: number;
const MODEL: LocalRerankModel = { rerank: async () => [1], close: async () => void (closed += 1) };

beforeEach(() => {
  [opening, problems, closed, time] = [[], [], 0, 0];
});

function newReranker() {
  return localReranker({
    open: () => {
      const attempt = Promise.withResolvers<LocalRerankModel>();
      opening.push(attempt);
      return attempt.promise;
    },
    onState: (problem) => void problems.push(problem && problem.message),
    now: () => time,
  });
}
const settle = () => new Promise((resolve) => setImmediate(resolve));

describe('localReranker', () => {
  it('opens the model once, when it is first needed, and lets nobody wait', async () => {
    const reranker = newReranker();
    expect(opening).toHaveLength(0);
    expect([await reranker.modelOf(TENANT), await reranker.modelOf(TENANT)]).toEqual([null, null]);
    expect(opening).toHaveLength(1);
    opening[0]?.resolve(MODEL);
    await settle();
    expect(await reranker.modelOf(TENANT)).toBe(MODEL);
    expect(problems).toEqual([expect.stringContaining('downloaded'), null]);
  });

  it('tells a failure, and tries again after a minute', async () => {
    const reranker = newReranker();
    await reranker.modelOf(TENANT);
    opening[0]?.reject(new ModelError('permanent', 'No space.'));
    await settle();
    expect(problems.at(-1)).toBe('No space.');
    time = 59_000;
    expect([await reranker.modelOf(TENANT), opening.length]).toEqual([null, 1]);
    time = 60_000;
    await reranker.modelOf(TENANT);
    opening[1]?.resolve(MODEL);
    await settle();
    expect(await reranker.modelOf(TENANT)).toBe(MODEL);
  });

  it.each([
    ['before', true],
    ['after', false],
  ])('ends the process of a model that was replaced %s it was ready', async (_, isEarly) => {
    const reranker = newReranker();
    await reranker.modelOf(TENANT);
    if (isEarly) reranker.close?.();
    opening[0]?.resolve(MODEL);
    await settle();
    if (!isEarly) reranker.close?.();
    expect(closed).toBe(1);
    expect(problems.length).toBe(isEarly ? 1 : 2);
  });
});
