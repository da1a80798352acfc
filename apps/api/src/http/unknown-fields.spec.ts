import {
  createDatasourceSchema,
  datastoreQuerySchema,
  updateDatasourceSchema,
} from '@citewell/contracts/schemas';
import { describe, expect, it } from '@jest/globals';
import { misspelledField, misspellingsOf, similarField, unknownFields } from './unknown-fields.js';

describe('unknownFields', () => {
  it.each([
    ['none', { query: 'q', topK: null, filters: { custom_ids: ['a'] } }, []],
    ['one at the top', { query: 'q', limit: 1 }, [['limit']]],
  ])('finds %s', (_, input, paths) => {
    expect(unknownFields(input, datastoreQuerySchema.parse(input))).toEqual(paths);
  });

  it('finds fields of objects and list items, and of the variant of a union', () => {
    expect(unknownFields({ a: { b: 1, c: [] } }, { a: { b: 1 } })).toEqual([['a', 'c']]);
    expect(unknownFields([{ a: 1, b: 2 }], [{ a: 1 }])).toEqual([[0, 'b']]);
    const text = { type: 'text', datastoreId: 'd', text: 't', config: { source_url: 'https://x.example' } };
    expect(unknownFields(text, createDatasourceSchema.parse(text))).toEqual([['config', 'source_url']]);
  });

  it('knows the fields that a client defines', () => {
    const text = { type: 'text', datastoreId: 'd', text: 't', metadata: { any: { thing: [1] } } };
    expect(unknownFields(text, createDatasourceSchema.parse(text))).toEqual([]);
  });
});

it.each([
  ['quary', { quary: 'q' }, ['query'], 'quary'],
  ['a known field', { topK: 1 }, ['query'], null],
  ['a field that is present', { query: 1, quary: 'q' }, ['query'], null],
  ['a field of another value', null, ['query'], null],
  ['a nested field', { filters: { customIds: [] } }, ['filters', 'custom_ids'], 'customIds'],
])('misspelledField finds %s', (_, input, path, field) => {
  expect(misspelledField(datastoreQuerySchema, input, path)).toBe(field);
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

it('misspellingsOf finds fields in place of a field that the schema has', () => {
  const unknown = [['filter'], ['Filters'], ['filters', 'filter'], ['filtering'], ['topk'], ['x'.repeat(65)]];
  expect(misspellingsOf('filters', datastoreQuerySchema, unknown)).toEqual([['filter'], ['Filters']]);
  expect(misspellingsOf('filters', createDatasourceSchema, unknown)).toEqual([]);
});
