import { RunnableLambda } from '@langchain/core/runnables';
import { describe, expect, it } from '@jest/globals';
import { CitewellRetriever } from './langchain.js';
import { failure, json, ScriptedServer } from './scripted-server.fixtures.js';

const PASSAGE = {
  text: 'The warranty lasts two years.',
  score: 0.9,
  source: 'manual.pdf',
  datasource_id: 'd1',
  datasource_name: 'Manual',
  chunk_id: 'c1',
  page_number: 4,
  start: 120,
  end: 149,
  metadata: { product: 'pump' },
};

describe('CitewellRetriever', () => {
  it('returns passages as documents, in a chain', async () => {
    await using server = await ScriptedServer.start(json([PASSAGE]));
    const filters = { datasource_ids: ['d1'] };
    const retriever = new CitewellRetriever({ client: server.client(), datastoreId: 's1', topK: 3, filters });
    const chain = retriever.pipe(RunnableLambda.from((documents: object[]) => ({ documents })));
    const { documents } = await chain.invoke('How long is the warranty?');
    const { text, ...metadata } = PASSAGE;
    expect(documents).toEqual([expect.objectContaining({ pageContent: text, metadata, id: 'c1' })]);
    expect(server.last.url).toBe('/api/datastores/s1/query');
    expect(JSON.parse(server.last.body.toString())).toEqual({
      query: 'How long is the warranty?',
      topK: 3,
      filters,
    });
  });

  it('throws the error of the API', async () => {
    await using server = await ScriptedServer.start(failure(404, 'NOT_FOUND'));
    const retriever = new CitewellRetriever({ client: server.client(), datastoreId: 'missing' });
    await expect(retriever.invoke('a question')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});
