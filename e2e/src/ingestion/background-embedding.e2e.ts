import { healthReportSchema, runSchema } from '@citewell/contracts/schemas';
import { type ErrorReply, type ModelServer, startModelServer } from '@citewell/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { Tenant, until } from '../client/tenant.js';
import type { Deployment } from '../deployments/deployment.js';
import { startEmbedded } from '../deployments/embedded.deployment.js';

const TEXT = 'Herring is salted in barrels.';

describe('vectors of an embedding model', () => {
  let fault: ErrorReply | undefined;
  let model: ModelServer;
  let deployment: Deployment;
  let tenant: Tenant;
  beforeAll(async () => {
    const isRefused = (text: unknown): boolean => String(text).includes('quarterly');
    model = await startModelServer({
      refuse: ({ input }) => {
        if (fault) return fault;
        const texts = [input].flat();
        if (texts.length > 2) return { kind: 'error', status: 413, message: 'batch size > 2' };
        return texts.some(isRefused) ? { kind: 'error', status: 400, message: 'Too long.' } : undefined;
      },
    });
    const env = {
      EMBEDDING_MODEL: 'test-embedding',
      OPENAI_BASE_URL: model.baseUrl,
      OPENAI_API_KEY: 'scripted',
    };
    deployment = await startEmbedded(env);
    tenant = await Tenant.create(deployment);
  });
  afterAll(async () => {
    await deployment.stop();
    await model.close();
  });

  it('follow in the background, while words and the built-in vectors answer', async () => {
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
    const { id: datastoreId } = await tenant.datastore();
    // The second one is for another text: the model refuses every text.
    model.next({ kind: 'error', status: 403 }, { kind: 'error', status: 403 });
    const { id } = await tenant.text(datastoreId, TEXT);
    await until(async () => (await tenant.datasource(id)).semantic === null, 'the reindex to end');
    const { status, error } = await tenant.datasource(id);
    expect([status, error?.code]).toEqual(['synched', 'MODEL_REFUSED']);
    expect(await tenant.search(datastoreId, 'Where is herring salted?')).toMatchObject([{ text: TEXT }]);
  });

  it('do not stop the product when their server fails: words answer, health says so, and vectors follow', async () => {
    fault = { kind: 'error', status: 503 };
    const { id: datastoreId } = await tenant.datastore();
    const { id } = await tenant.text(datastoreId, TEXT);
    const { status } = await tenant.datasource(id);
    expect(status).toBe('synched');
    expect(await tenant.search(datastoreId, 'Where is herring salted?')).toMatchObject([{ text: TEXT }]);
    // The refusals of the test before may still be what the report says.
    await until(async () => {
      const { dependencies } = (await tenant.api.get('/health-report')).as(healthReportSchema);
      return dependencies['embedding model test-embedding']?.includes('503');
    }, 'the health report to name the failure');
    fault = { kind: 'error', status: 429, retryAfter: '1' };
    await until(async () => {
      const report = (await tenant.api.get('/health-report')).as(healthReportSchema);
      return report.dependencies['embedding model test-embedding']?.includes('limits');
    }, 'the health report to name the rate limit');
    fault = undefined;
    await until(async () => (await tenant.datasource(id)).semantic === null, 'the text to be embedded');
    await until(async () => {
      const report = (await tenant.api.get('/health-report')).as(healthReportSchema);
      return report.dependencies['embedding model test-embedding'] === undefined;
    }, 'the health report to be clean');
    fault = { kind: 'error', status: 500 };
    expect(await tenant.search(datastoreId, 'herring')).toMatchObject([{ text: TEXT }]);
    fault = undefined;
  });

  it('are missing for a text that the server refuses, which is a warning', async () => {
    const { id: datastoreId } = await tenant.datastore();
    const paragraph = (word: string): string =>
      Array.from({ length: 400 }, (_, n) => `${word}${n % 7}`).join(' ');
    const words = ['herring', 'barrel', 'quarterly', 'kelp', 'salt'];
    const { id } = await tenant.text(datastoreId, words.map(paragraph).join('\n\n'));
    await until(async () => (await tenant.datasource(id)).semantic === null, 'the text to be embedded');
    const { status, error } = await tenant.datasource(id);
    expect([status, error?.code]).toEqual(['synched', 'PARTLY_EMBEDDED']);
    expect((await tenant.search(datastoreId, 'quarterly3')).length).toBeGreaterThan(0);
  });
});
