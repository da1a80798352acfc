import { agentQuerySchema, createApiKeySchema, createDatasourceSchema } from '@citewell/contracts/schemas';
import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { ApiError } from './api-error.js';
import { parseStrictly } from './request-input.js';

function errorOf(schema: z.ZodType, value: unknown): ApiError {
  try {
    parseStrictly(schema, value);
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
  throw new Error(`${JSON.stringify(value)} was accepted`);
}

/** The schema of a field, a value for it, and the expected sentence. */
const ROWS: readonly (readonly [field: z.ZodType, value: unknown, sentence: string])[] = [
  [z.string(), undefined, 'field is required.'],
  [z.enum(['a', 'b']), undefined, 'field is required.'],
  [z.union([z.string(), z.number()]), undefined, 'field is required.'],
  [z.string(), 1, 'field must be a string.'],
  [z.string(), null, 'field must be a string.'],
  [z.number(), '1', 'field must be a number.'],
  [z.int(), 1.5, 'field must be a whole number.'],
  [z.boolean(), 'true', 'field must be true or false.'],
  [z.array(z.string()), 'a', 'field must be a list.'],
  [z.array(z.string()), ['a', 1], 'field[1] must be a string.'],
  [z.object({ inner: z.string() }), 'a', 'field must be an object.'],
  [z.object({ inner: z.string() }), {}, 'field.inner is required.'],
  [z.record(z.string(), z.string()), [], 'field must be an object.'],
  [z.string().min(1), '', 'field must not be empty.'],
  [z.array(z.string()).min(1), [], 'field must not be empty.'],
  [z.string().min(3), 'ab', 'field must have at least 3 characters.'],
  [z.string().max(2), 'abc', 'field must have at most 2 characters.'],
  [z.array(z.string()).max(1), ['a', 'b'], 'field must have at most 1 item.'],
  [z.number().min(1), 0, 'field must be at least 1.'],
  [z.number().max(1), 2, 'field must be at most 1.'],
  [z.number().gt(1), 1, 'field must be more than 1.'],
  [z.number().lt(1), 1, 'field must be less than 1.'],
  [z.number().multipleOf(5), 1, 'field must be a multiple of 5.'],
  [z.enum(['a', 'b', '']), 'c', 'field must be one of a, b.'],
  [z.literal('file'), 'x', 'field must be file.'],
  [z.uuid(), 'x', 'field must be a UUID.'],
  [z.url(), 'x', 'field must be a URL.'],
  [z.iso.datetime(), 'x', 'field must be a date and time such as 2030-01-31T12:00:00Z.'],
  [z.string().regex(/^a$/), 'x', 'field does not have the expected format.'],
  [z.strictObject({}), { a: 1, b: 2 }, 'field has unknown fields: a, b.'],
  [z.union([z.number(), z.boolean()]), 'x', 'field does not match any of the allowed forms.'],
  [z.string().refine((text) => text === 'a'), 'x', 'field is not valid.'],
  [z.string().refine((text) => text === 'a', 'must be the letter a'), 'x', 'field must be the letter a.'],
];

describe('the sentence about an invalid field', () => {
  for (const [field, value, sentence] of ROWS) {
    it(sentence, () => {
      expect(errorOf(z.object({ field }), { field: value }).message).toBe(sentence);
    });
  }

  it('uses the words of the schema where it has some', () => {
    const cases: readonly (readonly [z.ZodType, unknown, string])[] = [
      [agentQuerySchema, { query: 'q', temperature: 2 }, 'temperature must be a number from 0 to 1.'],
      [
        agentQuerySchema,
        { query: 'q', maxTokens: 0.5 },
        'maxTokens must be a whole number from 1 to 1000000.',
      ],
      [
        agentQuerySchema,
        { query: 'q', maxTokens: '9' },
        'maxTokens must be a whole number from 1 to 1000000.',
      ],
      [agentQuerySchema, [], 'The body must be an object.'],
      [agentQuerySchema, undefined, 'The body is required.'],
      [createApiKeySchema, { name: 'k', scopes: [] }, 'scopes must not be empty.'],
      [createDatasourceSchema, { type: 'web_page', datastoreId: 'd' }, 'config is required.'],
    ];
    for (const [schema, body, sentence] of cases) expect(errorOf(schema, body).message).toBe(sentence);
  });

  it('has one detail per field with its path, and at most 20 details', () => {
    const schema = z.object({ a: z.string().min(3).regex(/^x/), b: z.array(z.string()) });
    const { code, details } = errorOf(schema, { a: '', b: Array.from({ length: 100 }, () => 1) });
    expect(code).toBe('INVALID_REQUEST');
    expect(details?.slice(0, 2)).toEqual([
      { path: 'a', message: 'must have at least 3 characters' },
      { path: 'b[0]', message: 'must be a string' },
    ]);
    expect(details?.length).toBe(20);
  });

  it('truncates the name of an unknown field', () => {
    const { message } = errorOf(z.object({}), { ['x'.repeat(1_000)]: 1 });
    expect(message).toBe(`${'x'.repeat(100)} is unknown.`);
  });
});
