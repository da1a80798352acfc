import type { Answer } from '../client/answer.js';
import type { ApiClient } from '../client/api-client.js';

/** For each field, values that a request with it must be refused for. */
export type BadValues = Readonly<Record<string, readonly unknown[]>>;

/** Sends a good body with one field made bad, for each bad value, and wants that field named. */
export async function refusesEach(
  api: ApiClient,
  method: 'POST' | 'PATCH',
  path: string,
  good: Readonly<Record<string, unknown>>,
  bad: BadValues,
): Promise<void> {
  for (const [field, values] of Object.entries(bad)) {
    for (const value of values) {
      const answer = await api.call(method, path, { json: { ...good, [field]: value } });
      const envelope = answer.refusedWith('INVALID_REQUEST');
      const named = (envelope.details ?? []).some(
        ({ path: at }) => at === field || at.startsWith(`${field}.`) || at.startsWith(`${field}[`),
      );
      if (!named)
        throw new Error(`${field} = ${JSON.stringify(value)?.slice(0, 80)}: ${JSON.stringify(envelope)}`);
    }
  }
}

/** Sends a good body with one field changed, for each value, and wants success. */
export async function acceptsEach(
  api: ApiClient,
  method: 'POST' | 'PATCH',
  path: string,
  good: Readonly<Record<string, unknown>>,
  values: Readonly<Record<string, readonly unknown[]>>,
  check: (answer: Answer, field: string, value: unknown) => void,
): Promise<void> {
  for (const [field, list] of Object.entries(values)) {
    for (const value of list) {
      check(await api.call(method, path, { json: { ...good, [field]: value } }), field, value);
    }
  }
}

/** Bodies that are no request at all. */
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

/** What is no string. */
export const NO_STRINGS: readonly unknown[] = [null, 1, true, [], {}];

/** What no database keeps: U+0000, and a surrogate without its other half. */
export const UNSTORABLE: readonly string[] = ['a\u0000b', 'a\ud800b', '\udc00'];

/** What is no name: it is not one line that a person can read. */
export const NO_NAMES: readonly unknown[] = [
  '',
  ' ',
  'x'.repeat(256),
  'a\nb',
  'a\tb',
  'a\u001b[31m',
  'a\u0085b',
  ...UNSTORABLE,
  ...NO_STRINGS,
];

export const UNKNOWN_ID = '0190a3f0-0000-7000-8000-000000000000';
