import { vectorStoreSearchSchema } from '@citewell/contracts/schemas';
import { describe, expect, it } from '@jest/globals';
import type { VectorStore, VectorStoreSearchResponse } from 'openai/resources/vector-stores';
import { toDatastoreQueries, toSearchPage } from './vector-search.js';
import { toVectorStore } from './vector-stores.controller.js';

const translate = (fields: object) =>
  toDatastoreQueries(vectorStoreSearchSchema.parse({ query: 'tide', ...fields }));

describe('a search of a vector store', () => {
  it.each<[fields: object, queries: object[]]>([
    [{}, [{ query: 'tide', topK: 10, filters: null }]],
    [
      { query: ['tide', 'ebb'], max_num_results: 3 },
      [
        { query: 'tide', topK: 3 },
        { query: 'ebb', topK: 3 },
      ],
    ],
    [{ filters: { type: 'eq', key: 'file_id', value: 'f' } }, [{ filters: { datasource_ids: ['f'] } }]],
    [
      { filters: { type: 'in', key: 'custom_id', value: ['a', 'b'] } },
      [{ filters: { custom_ids: ['a', 'b'] } }],
    ],
    [
      {
        filters: {
          type: 'and',
          filters: [
            { type: 'eq', key: 'file_id', value: 'f' },
            { type: 'eq', key: 'custom_id', value: 'c' },
          ],
        },
      },
      [{ filters: { datasource_ids: ['f'], custom_ids: ['c'] } }],
    ],
    [
      {
        filters: {
          type: 'and',
          filters: [
            { type: 'in', key: 'custom_id', value: ['c', 7] },
            { type: 'eq', key: 'department', value: 'it' },
            { type: 'in', key: 'year', value: [2024, 2025] },
          ],
        },
      },
      [{ filters: { custom_ids: ['c', '7'], metadata: { department: ['it'], year: [2024, 2025] } } }],
    ],
  ])('%j', (fields, queries) => {
    expect(translate(fields)).toMatchObject(queries);
  });

  it.each([
    { type: 'gt', key: 'file_id', value: 'f' },
    { type: 'eq', key: 'author', value: null },
    { type: 'eq', key: 'author', value: { name: 'f' } },
    { type: 'ne', key: 'author', value: 'f' },
    { type: 'in', key: 'file_id', value: [] },
    { type: 'or', filters: [{ type: 'eq', key: 'file_id', value: 'f' }] },
    {
      type: 'and',
      filters: [
        { type: 'eq', key: 'file_id', value: 'f' },
        { type: 'eq', key: 'file_id', value: 'g' },
      ],
    },
  ])('refuses the filter %j', (filters) => {
    expect(() => translate({ filters })).toThrow();
  });
});

describe('the results of a search', () => {
  const item = (chunk_id: string, score: number) => ({
    chunk_id,
    score,
    text: `text of ${chunk_id}`,
    source: 'a.txt',
    datasource_id: 'd',
    datasource_name: 'a.txt',
    start: 0,
    end: 9,
    metadata: { language: 'en', tags: ['x'] },
  });

  it('of several queries are merged, best first, without those below the threshold', () => {
    const search = { query: ['tide', 'ebb'], max_num_results: 2, ranking_options: { score_threshold: 0.2 } };
    const results = [
      [item('a', 0.5), item('b', 0.4), item('c', 0.1)],
      [item('b', 0.9), item('d', 0.3)],
    ];
    const page = toSearchPage(vectorStoreSearchSchema.parse(search), results);
    const data: VectorStoreSearchResponse[] = page.data;
    expect(data.map(({ score, content }) => [content[0]?.text, score])).toEqual([
      ['text of b', 0.9],
      ['text of a', 0.5],
    ]);
    expect(page).toMatchObject({ search_query: ['tide', 'ebb'], has_more: false, next_page: null });
    expect(data[0]?.attributes).toEqual({ language: 'en', chunk_id: 'b', start: 0, end: 9, source: 'a.txt' });
  });
});

it('a datastore is a vector store, with its datasources as files', () => {
  const timestamps = { createdAt: '2030-01-01T00:00:00.500Z', updatedAt: '2030-01-02T00:00:00Z' };
  const datastore = {
    id: 's',
    name: 'Store',
    description: '',
    type: 'qdrant',
    visibility: 'private',
    readers: 'everyone',
    timestamps,
  } as const;
  const documents = { total: 6, inProgress: 1, failed: 3 };
  const store: VectorStore = toVectorStore({ ...datastore, documents });
  expect(store).toMatchObject({
    created_at: 1_893_456_000,
    status: 'in_progress',
    file_counts: { in_progress: 1, completed: 2, failed: 3, cancelled: 0, total: 6 },
  });
  expect(toVectorStore({ ...datastore, documents: { total: 0, inProgress: 0, failed: 0 } }).status).toBe(
    'completed',
  );
});
