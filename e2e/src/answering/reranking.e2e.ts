import { modelsSchema, modelTestSchema, searchExplanationSchema } from '@citewell/contracts/schemas';
import { describe, expect, it } from '@jest/globals';
import { startEmbedded } from '../deployments/embedded.deployment.js';
import { modelFixture } from '../deployments/model.deployment.js';
import { readMetrics } from '../operations/metrics/read-metrics.js';

const QUERY = 'Where is herring salted?';

describe('a rerank model', () => {
  const fixture = modelFixture(startEmbedded, { RERANK_MODEL: 'test-rerank' });

  /** A datastore with three passages that match the question. */
  const herrings = async (): Promise<string> => {
    const { tenant } = fixture();
    const { id } = await tenant.datastore();
    for (const place of ['Herring is salted in barrels.', 'Herring, salted, is sold.', 'Herring swims.'])
      await tenant.text(id, place);
    return id;
  };

  it('decides the order, and not the scores', async () => {
    const { tenant, model } = fixture();
    const id = await herrings();
    const equal = { kind: 'rerank', scores: [0.5, 0.5, 0.5] } as const;
    const worstFirst = { kind: 'rerank', scores: [0.1, 0.2, 0.9] } as const;
    // The explanation ranks twice: the passages of the query, and those with which it compares their legs.
    model.next(equal, worstFirst, worstFirst, worstFirst, worstFirst);
    const before = await tenant.search(id, QUERY);
    const after = await tenant.search(id, QUERY);
    expect(after.map(({ text }) => text)).toEqual(before.map(({ text }) => text).reverse());
    expect(after.map(({ score }) => score)).toEqual(before.map(({ score }) => score));
    const [best] = await tenant.search(id, QUERY, { topK: 1 });
    expect(best?.chunk_id).toBe(before[2]?.chunk_id);
    const explained = (await tenant.api.post(`/datastores/${id}/explain`, { query: QUERY })).as(
      searchExplanationSchema.strict(),
    );
    expect(explained.passages.map(({ rerank_score }) => rerank_score)).toEqual([0.9, 0.2, 0.1]);
    expect(explained.words.map(({ rerank_score }) => rerank_score)).toEqual([null, null, null]);
  });

  it('leaves the order as it is if it hangs or fails', async () => {
    const { deployment, tenant, model } = fixture();
    const id = await herrings();
    model.next({ kind: 'rerank', scores: [0.5, 0.5, 0.5] });
    const before = await tenant.search(id, QUERY);
    for (const [reply, outcome] of [
      [{ kind: 'hang' }, 'timeout'],
      [{ kind: 'error', status: 500 }, 'failed'],
      [{ kind: 'garbage' }, 'failed'],
    ] as const) {
      const counted = async (): Promise<number> =>
        (await readMetrics(`${deployment.origin}/metrics`)).value('citewell_rerankings_total', { outcome });
      const count = await counted();
      model.next(reply);
      expect(await tenant.search(id, QUERY)).toEqual(before);
      expect(await counted()).toBe(count + 1);
    }
  });

  it('is listed and tested', async () => {
    const { deployment, tenant, model } = fixture();
    const operator = tenant.api.with(deployment.apiKey);
    const models = (await tenant.api.get('/models')).as(modelsSchema);
    expect(models.rerank).toEqual({ name: 'test-rerank' });
    const test = async () => (await operator.post('/models/test', { kind: 'rerank' })).as(modelTestSchema);
    expect(await test()).toMatchObject({ ok: true });
    model.next({ kind: 'error', status: 403 });
    expect(await test()).toMatchObject({ ok: false, message: expect.stringMatching(/RERANK_API_KEY/) });
  });
});
