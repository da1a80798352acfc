import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { ApiModule } from '../../api.module.js';
import { type Document, findBreakingChanges } from './breaking-changes.fixtures.js';
import { openApiDocument } from './openapi-document.js';
import { controllersOf, routesOf } from './route-reader.js';

/** A document with one operation. Its body and response are the schema `Note`, changed by `change`. */
function documentWith(
  change: Record<string, unknown> = {},
  operation: Record<string, unknown> = {},
): Document {
  const note = {
    type: 'object',
    required: ['text'],
    properties: {
      text: { type: 'string', maxLength: 100 },
      kind: { enum: ['short', 'long'], type: 'string' },
      parent: { anyOf: [{ $ref: '#/components/schemas/Note' }, { type: 'null' }] },
    },
    ...change,
  };
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/Note' } } };
  return {
    paths: {
      '/notes': {
        post: { requestBody: { content }, responses: { 200: { content }, 400: {} }, ...operation },
      },
    },
    components: { schemas: { Note: note } },
  };
}

const { properties } = documentWith().components!.schemas!['Note'] as { properties: Record<string, object> };
const withField = (name: string, schema: object | undefined): Document =>
  documentWith({ properties: { ...properties, [name]: schema } });

describe('findBreakingChanges', () => {
  const cases: [string, Document, string[]][] = [
    ['nothing', documentWith(), []],
    ['a new optional field', withField('title', { type: 'string' }), []],
    ['a relaxed limit', withField('text', { type: 'string', maxLength: 200 }), []],
    ['a new value of an enum', withField('kind', { type: 'string', enum: ['short', 'long', 'empty'] }), []],
    [
      'a tighter limit',
      withField('text', { type: 'string', maxLength: 50 }),
      ['the body.text has a tighter maxLength: 50'],
    ],
    [
      'a value of an enum that is gone',
      withField('kind', { type: 'string', enum: ['short'] }),
      ['the body.kind no longer accepts long'],
    ],
    [
      'another type',
      withField('text', { type: 'number' }),
      [
        'the body.text is no longer as before: string',
        'the response 200.text is no longer as before: number',
      ],
    ],
    [
      'a field that may be null',
      withField('kind', { anyOf: [{ enum: ['short', 'long'], type: 'string' }, { type: 'null' }] }),
      ['the response 200.kind is no longer as before: null'],
    ],
    [
      'a field that is gone',
      documentWith({ properties: { text: properties['text'], parent: properties['parent'] } }),
      ['the body.kind is gone', 'the response 200.kind is gone'],
    ],
    ['a required field', documentWith({ required: ['text', 'kind'] }), ['the body.kind is required']],
    ['a field that may be absent', documentWith({ required: [] }), ['the response 200.text may be absent']],
    [
      'a required parameter',
      documentWith({}, { parameters: [{ name: 'limit', in: 'query', required: true }] }),
      ['limit is required'],
    ],
    ['an operation that is gone', { paths: { '/notes': {} } }, ['the operation is gone']],
    [
      'a response that is gone',
      documentWith({}, { responses: {} }),
      ['the response 200 (application/json) is gone'],
    ],
  ];

  it.each(cases)('%s', (_, after, changes) => {
    expect(findBreakingChanges(documentWith(), after)).toEqual(
      changes.map((change) => `post /notes: ${change}`),
    );
  });
});

it('no client of the last release breaks', () => {
  const released = JSON.parse(
    readFileSync(new URL('../../../../../packages/contracts/openapi.json', import.meta.url), 'utf8'),
  ) as Document;
  const current = JSON.parse(JSON.stringify(openApiDocument(routesOf(controllersOf(ApiModule))))) as Document;
  expect(findBreakingChanges(released, current)).toEqual([]);
});
