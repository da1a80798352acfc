import type { ApiResponse } from '../client/api-response.js';
import type { ApiClient } from '../client/api-client.js';

/** For each field, values that the API must refuse. */
export type BadValues = Readonly<Record<string, readonly unknown[]>>;

/** Sends the valid body with one field replaced, for each bad value. Each error must name that field. */
export async function assertEachRefused(
  api: ApiClient,
  method: 'POST' | 'PATCH',
  path: string,
  good: Readonly<Record<string, unknown>>,
  bad: BadValues,
): Promise<void> {
  for (const [field, values] of Object.entries(bad)) {
    for (const value of values) {
      const response = await api.call(method, path, { json: { ...good, [field]: value } });
      const envelope = response.assertError('INVALID_REQUEST');
      const isNamed = (envelope.details ?? []).some(
        ({ path: at }) => at === field || at.startsWith(`${field}.`) || at.startsWith(`${field}[`),
      );
      if (!isNamed)
        throw new Error(`${field} = ${JSON.stringify(value)?.slice(0, 80)}: ${JSON.stringify(envelope)}`);
    }
  }
}

/** Sends the valid body with one field replaced, for each value, and passes each response to `check`. */
export async function assertEachAccepted(
  api: ApiClient,
  method: 'POST' | 'PATCH',
  path: string,
  good: Readonly<Record<string, unknown>>,
  values: Readonly<Record<string, readonly unknown[]>>,
  check: (response: ApiResponse, field: string, value: unknown) => void,
): Promise<void> {
  for (const [field, list] of Object.entries(values)) {
    for (const value of list) {
      check(await api.call(method, path, { json: { ...good, [field]: value } }), field, value);
    }
  }
}

/** Bodies that are not valid JSON, or not JSON objects. */
export const BROKEN_BODIES: readonly string[] = [
  '',
  '{',
  '[]',
  'null',
  '"text"',
  '1',
  '{"name": }',
  '\u0000',
];

/** JSON values that are not strings. */
export const NON_STRINGS: readonly unknown[] = [null, 1, true, [], {}];

/** Strings that Postgres cannot store: U+0000 and lone surrogates. */
export const UNSTORABLE: readonly string[] = ['a\u0000b', 'a\ud800b', '\udc00'];

/** A name must be one line of readable text. */
export const INVALID_NAMES: readonly unknown[] = [
  '',
  ' ',
  'x'.repeat(256),
  'a\nb',
  'a\tb',
  'a\u001b[31m',
  'a\u0085b',
  ...UNSTORABLE,
  ...NON_STRINGS,
];

export const UNKNOWN_ID = '0190a3f0-0000-7000-8000-000000000000';
