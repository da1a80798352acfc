import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { z } from 'zod';
import { createApiKeySchema } from './identity/api-keys.schema.js';
import { createOrganizationSchema } from './tenancy/organizations.schema.js';
import { datastoreQuerySchema } from './answering/search.schema.js';
import { agentQuerySchema, createAgentSchema, updateAgentSchema } from './answering/agents.schema.js';
import { feedbackSchema, listConversationsSchema } from './answering/conversations.schema.js';
import {
  createDatasourceSchema,
  updateDatasourceSchema,
  uploadFieldsSchema,
} from './content/datasources.schema.js';
import {
  createDatastoreSchema,
  updateDatastoreSchema,
  updateTextSchema,
  upsertTextsSchema,
} from './content/datastores.schema.js';
import { fileNameSchema, metadataFieldSchema, metadataSchema, nameSchema } from './fields.js';

const source_url = 'https://example.com/';
const filters = (text: string) => ({ custom_ids: [text] });
const document = (text: string) => ({ text, name: text, metadata: { [text]: [{ inner: text }] } });

/**
 * Every request field with a free text, one field at a time. Ids that the server creates are not included: an
 * id with other characters is simply unknown.
 */
const REQUESTS: readonly (readonly [
  schema: z.ZodType,
  good: object,
  fields: (text: string) => Record<string, unknown>,
])[] = [
  [createOrganizationSchema, {}, (name) => ({ name })],
  [createApiKeySchema, { scopes: ['read'], name: 'k' }, (name) => ({ name })],
  [
    createAgentSchema,
    { name: 'a' },
    (text) => ({
      name: text,
      description: text,
      systemPrompt: text,
      userPrompt: text,
      promptTemplate: text,
    }),
  ],
  [updateAgentSchema, {}, (text) => ({ name: text, description: text, userPrompt: text })],
  [
    agentQuerySchema,
    { query: 'q' },
    (text) => ({
      query: text,
      conversationId: text,
      visitorId: text,
      systemPrompt: text,
      userPrompt: text,
      promptTemplate: text,
      filters: filters(text),
    }),
  ],
  [createDatastoreSchema, { name: 'd' }, (text) => ({ name: text, description: text })],
  [updateDatastoreSchema, {}, (text) => ({ name: text, description: text })],
  [datastoreQuerySchema, { query: 'q' }, (text) => ({ query: text, filters: filters(text) })],
  [
    createDatasourceSchema,
    { type: 'text', datastoreId: 'd', text: 't' },
    (text) => ({ ...document(text), custom_id: text, config: { custom_id: text } }),
  ],
  [
    createDatasourceSchema,
    { type: 'web_page', datastoreId: 'd', config: { source_url } },
    (text) => ({ name: text, config: { source_url: source_url + text } }),
  ],
  [
    updateDatasourceSchema,
    {},
    (text) => ({ name: text, customId: text, config: { source_url: source_url + text } }),
  ],
  [uploadFieldsSchema, {}, (text) => ({ fileName: text, custom_id: text })],
  [updateTextSchema, { id: 'i', text: 't' }, (text) => document(text)],
  [upsertTextsSchema, {}, (text) => ({ documents: [document(text)] })],
  [feedbackSchema, { rating: 'good' }, (comment) => ({ comment })],
  [listConversationsSchema, {}, (visitorId) => ({ visitorId })],
];

/**
 * Text of any code units. Characters that are not storable or not visible are more frequent than by chance.
 */
const anyText = fc
  .array(
    fc.oneof(
      fc.string({ maxLength: 6 }),
      fc.string({ unit: 'binary', maxLength: 3 }),
      fc.constantFrom('\0', '\ud800', '\udc00', '\n', '\u001b', '\u007f', '\u0085'),
    ),
    { minLength: 1, maxLength: 4 },
  )
  .map((pieces) => pieces.join(''));

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => [key, ...textsIn(item)]);
}

const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes('\0');

describe('requests', () => {
  it('never parse to a text that cannot be stored', () => {
    fc.assert(
      fc.property(fc.constantFrom(...REQUESTS), anyText, ([schema, good, fields], text) => {
        for (const [field, value] of Object.entries(fields(text))) {
          const parsed = schema.safeParse({ ...good, [field]: value });
          if (parsed.success) expect(textsIn(parsed.data).filter((item) => !isStorable(item))).toEqual([]);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('are rejected for U+0000 and lone surrogates, and the error names the field', () => {
    for (const [schema, good, fields] of REQUESTS) {
      for (const bad of ['a\0b', 'a\ud800b', '\udc00']) {
        for (const [field, value] of Object.entries(fields(bad))) {
          if (field === 'fileName') continue;
          const parsed = schema.safeParse({ ...good, [field]: value });
          expect([`${field}: ${JSON.stringify(bad)}`, parsed.error?.issues[0]?.path[0]]).toEqual([
            `${field}: ${JSON.stringify(bad)}`,
            field,
          ]);
        }
      }
    }
  });
});

describe('a name', () => {
  it('is one line without control characters, trimmed', () => {
    for (const good of ['a', 'Zürich 帆 😀', '  a b\n', 'שלום', 'x'.repeat(255)])
      expect(nameSchema.parse(good)).toBe(good.trim());
    for (const bad of ['', ' ', 'a\nb', 'a\tb', 'a\u001b[31m', 'a\u007f', 'a\u0085b', 'x'.repeat(256)])
      expect([JSON.stringify(bad), nameSchema.safeParse(bad).success]).toEqual([JSON.stringify(bad), false]);
  });
});

describe('the name of a file', () => {
  it('has its invalid characters replaced', () => {
    expect(fileNameSchema.parse('a\t\nb\u0000.txt')).toBe('a b .txt');
    expect(fileNameSchema.parse('half \ud800 pair.md')).toBe('half \ufffd pair.md');
    expect(fileNameSchema.parse('\u0007')).toBe('');
  });

  it('is always a valid name or empty', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const name = fileNameSchema.parse(text);
        if (name !== '') expect(nameSchema.parse(name)).toBe(name);
      }),
    );
  });
});

describe('an expiry', () => {
  it('is in the future', () => {
    const at = (ms: number) =>
      createApiKeySchema.safeParse({
        name: 'k',
        scopes: ['read'],
        expiresAt: new Date(Date.now() + ms).toISOString(),
      }).success;
    expect([at(-1_000), at(-1), at(60_000)]).toEqual([false, false, true]);
  });
});

it.each([32, 8_000])('metadata with %d levels is accepted or refused, in a form, too', (levels) => {
  const text = `{"a":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;
  const results = [metadataSchema.safeParse(JSON.parse(text)), metadataFieldSchema.safeParse(text)];
  expect(results.map(({ success }) => success)).toEqual([levels === 32, levels === 32]);
});
