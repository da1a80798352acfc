import { runSchema } from '@citewell/contracts/schemas';
import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { until } from './client/tenant.js';
import { startEmbedded } from './deployments/embedded.deployment.js';
import { modelFixture } from './deployments/model.deployment.js';

const TEXT = 'Herring is salted in barrels.';

describe('vectors of an embedding model', () => {
  const fixture = modelFixture(startEmbedded, { EMBEDDING_MODEL: 'test-embedding' });

  it('follow in the background, while words and the built-in vectors answer', async () => {
    const { tenant, model } = fixture();
    const { id: datastoreId } = await tenant.datastore();
    model.next({ kind: 'error', status: 429, retryAfter: '3' });
    const { id } = await tenant.text(datastoreId, TEXT);
    const synched = await tenant.datasource(id);
    expect(synched).toMatchObject({ status: 'synched', revision: 1, semantic: { done: 0, total: 1 } });
    for (const question of ['Where is herring salted?', 'preserving fish'])
      expect(await tenant.search(datastoreId, question)).toMatchObject([{ text: TEXT }]);
    await until(async () => (await tenant.datasource(id)).semantic === null, 'the text to be embedded');
    const { status, revision, timestamps } = synched;
    expect(await tenant.datasource(id)).toMatchObject({ status, revision, timestamps });
    const requests = model.requests.length;
    expect(await tenant.search(datastoreId, 'preserving fish')).toMatchObject([{ text: TEXT }]);
    // The question is embedded by the model now.
    expect(model.requests.length).toBeGreaterThan(requests);
    const runs = (await tenant.api.get(`/datasources/${id}/runs`)).as(z.array(runSchema));
    expect(runs.map(({ trigger, state }) => [trigger, state])).toEqual([
      ['reindex', 'succeeded'],
      ['create', 'succeeded'],
    ]);
  });

  it('fail with a warning: the document is still found', async () => {
    const { tenant, model } = fixture();
    const { id: datastoreId } = await tenant.datastore();
    model.next({ kind: 'error', status: 403 });
    const { id } = await tenant.text(datastoreId, TEXT);
    await until(async () => (await tenant.datasource(id)).semantic === null, 'the reindex to end');
    const { status, error } = await tenant.datasource(id);
    expect([status, error?.code]).toEqual(['synched', 'MODEL_REFUSED']);
    expect(await tenant.search(datastoreId, 'Where is herring salted?')).toMatchObject([{ text: TEXT }]);
  });
});
