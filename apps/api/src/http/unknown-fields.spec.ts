import {
  createDatasourceSchema,
  datastoreQuerySchema,
  updateDatasourceSchema,
} from '@citewell/contracts/http';
import { describe, expect, it } from '@jest/globals';
import { similarField, unknownFields } from './unknown-fields.js';

describe('unknownFields', () => {
  it.each([
    ['none', { query: 'q', topK: null, filters: { custom_ids: ['a'] } }, []],
    ['one at the top', { query: 'q', limit: 1 }, [['limit']]],
    ['one inside', { query: 'q', filters: { tags: [] } }, [['filters', 'tags']]],
  ])('finds %s', (_, input, paths) => {
    expect(unknownFields(input, datastoreQuerySchema.parse(input))).toEqual(paths);
  });

  it('finds fields of list items, and of the variant of a union', () => {
    expect(unknownFields([{ a: 1, b: 2 }], [{ a: 1 }])).toEqual([[0, 'b']]);
    const text = { type: 'text', datastoreId: 'd', text: 't', config: { source_url: 'https://x.example' } };
    expect(unknownFields(text, createDatasourceSchema.parse(text))).toEqual([['config', 'source_url']]);
  });

  it('knows the fields that a client defines', () => {
    const text = { type: 'text', datastoreId: 'd', text: 't', metadata: { any: { thing: [1] } } };
    expect(unknownFields(text, createDatasourceSchema.parse(text))).toEqual([]);
  });
});

describe('similarField', () => {
  it.each([
    ['topk', 'topK'],
    ['top_k', 'topK'],
    ['customIds', 'custom_ids'],
    ['quary', 'query'],
    ['channel', null],
    ['x', null],
    ['topk'.padEnd(65, 'k'), null],
  ])('of %s is %s', (name, field) => {
    expect(similarField(datastoreQuerySchema, name)).toBe(field);
  });

  it('may be inside another field', () => {
    expect(similarField(updateDatasourceSchema, 'maxpages')).toBe('maxPages');
  });
});
