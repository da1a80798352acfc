import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { sentenceIn } from './provider-sentence.js';
import { toModelError } from './provider-errors.js';
import { withoutSecrets } from './without-secrets.js';

const KEY = 'sk-live_9Qz7/Kp1+Wn4=Xy.8Rt2~Lm5';
const base64 = (text: string): string => Buffer.from(text).toString('base64');
const escaped = (text: string, escape: (code: number) => string): string =>
  [...text].map((character) => escape(character.charCodeAt(0))).join('');
const hex = (code: number, length: number): string => code.toString(16).padStart(length, '0');

const middleOf = (form: string): string => form.slice(form.length / 2 - 4, form.length / 2 + 4);

/** How servers repeat a key. */
const FORMS: readonly (readonly [form: string, encode: (key: string) => string])[] = [
  ['plain', (key) => key],
  ['in upper case', (key) => key.toUpperCase()],
  ['escaped for a URL', encodeURIComponent],
  ['escaped for a URL twice', (key) => encodeURIComponent(encodeURIComponent(key))],
  ['with every character escaped for a URL', (key) => escaped(key, (code) => `%${hex(code, 2)}`)],
  ['escaped for JSON', (key) => escaped(key, (code) => `\\u${hex(code, 4)}`)],
  ['in JSON in JSON', (key) => JSON.stringify(JSON.stringify(key.replaceAll('/', '\\/')))],
  ['escaped for JavaScript', (key) => escaped(key, (code) => `\\x${hex(code, 2)}`)],
  ['in decimal entities', (key) => escaped(key, (code) => `&#${code};`)],
  ['in hexadecimal entities', (key) => escaped(key, (code) => `&#x${hex(code, 2)};`)],
  [
    'in named entities',
    (key) => key.replaceAll('/', '&sol;').replaceAll('+', '&plus;').replaceAll('=', '&equals;'),
  ],
  ['in Base64', base64],
  ['in Base64 after a name', (key) => base64(`user:${key}`)],
  ['in Base64 of a header', (key) => base64(`Bearer ${key}, and more`)],
  ['in Base64 for URLs', (key) => Buffer.from(`x ${key}`).toString('base64url')],
  ['in Base64 that is escaped', (key) => encodeURIComponent(base64(key))],
  ['in hexadecimal', (key) => Buffer.from(key).toString('hex')],
  ['with spaces', (key) => [...key].join(' ')],
  ['in lines', (key) => key.replace(/(.{5})/g, '$1\n')],
  ['of which the first 8 characters are left', (key) => `${key.slice(0, 8)}...`],
  ['of which the last 8 characters are left', (key) => `...${key.slice(-8)}`],
  ['of which the middle is left', (key) => key.slice(9, 20)],
];

describe('withoutSecrets', () => {
  it.each(FORMS)('removes a key %s', (_, encode) => {
    const form = encode(KEY);
    const safe = withoutSecrets(`Refused "${form}" (see the manual).`, ['other-secret', KEY]);
    expect(safe).toMatch(/^Refused ".*….*" \(see the manual\)\.$/);
    expect(safe).not.toContain(middleOf(form));
  });

  it.each([
    ['The key of your account was refused (code 401).', KEY],
    ['no secret', ''],
    ['abc and abc', 'abc'],
    ['%zz &unknown; \\u12 &#99999999; İ', KEY],
  ])('keeps %j', (text, secret) => expect(withoutSecrets(text, [secret])).toBe(text));

  it.each([
    ['short: hunter', 'hunter', 'short: …'],
    ['signs: !!$$!!', '!!$$!!', 'signs: …'],
    ['abcd-----------efgh', 'abcd-----------efgh', '…'],
  ])('removes from %j', (text, secret, expected) => expect(withoutSecrets(text, [secret])).toBe(expected));

  it('leaves no 8 characters of any key in any text', () => {
    const word = fc.string({ unit: fc.constantFrom(...'abcXYZ019-_.'), minLength: 12, maxLength: 40 });
    fc.assert(
      fc.property(word, fc.lorem(), fc.nat(30), fc.nat(30), (key, text, from, length) => {
        const safe = withoutSecrets(`${text} ${key.slice(from, from + 8 + length)} ${text}`, [key]);
        const letters = key.replace(/\W|_/g, '').toLowerCase();
        const shown = safe.replace(/\W|_/g, '').toLowerCase();
        for (let at = 0; at + 8 <= letters.length; at += 1)
          expect(shown).not.toContain(letters.slice(at, at + 8));
      }),
    );
  });
});

describe('an error of a provider', () => {
  const failureOf = (body: unknown, fields: object = {}) =>
    toModelError(Object.assign(new Error(KEY), { status: 400, ...fields }), {
      variables: { urlVariable: 'URL', keyVariable: 'KEY' },
      response: {
        status: 400,
        headers: new Headers(),
        body: typeof body === 'string' ? body : JSON.stringify(body),
      },
      secrets: [KEY],
      prompts: [],
    });
  const all = (error: ReturnType<typeof failureOf>): string =>
    `${error.stack} ${error.providerSentence} ${JSON.stringify(error)} ${JSON.stringify(error.cause)}`;

  it.each(FORMS)('has no key %s, wherever it is', (_, encode) => {
    const form = encode(KEY);
    for (const before of ['', 'x '.repeat(190), 'x '.repeat(395), 'x '.repeat(990)])
      for (const error of [
        failureOf({ error: { message: `${before}${form}`, code: form, type: form } }),
        failureOf(`<p>${before}${form}</p>`, { code: form, requestID: form, name: form }),
      ]) {
        expect(all(error)).not.toContain(middleOf(form));
        expect(withoutSecrets(all(error), [KEY])).toBe(all(error));
      }
  });

  it.each([
    ['abcdef0123456789', false],
    ['sk-abcdefgh', false],
    ['no_such_code', false],
    ['invalid_value', true],
    ['DeploymentNotFound', true],
    ['RESOURCE_EXHAUSTED', true],
    ['3505', true],
    ['ECONNRESET', true],
    ['UND_ERR_SOCKET', true],
  ])('shows the code %s only if it is known: %s', (code, isShown) => {
    const { message, cause } = failureOf({ error: { code } });
    expect([message.includes(`(${code})`), JSON.stringify(cause).includes(code)]).toEqual([isShown, isShown]);
  });

  it.each([
    ['<html><title>Bad</title><script>var a = "<b>";</script><p>Gateway</p>', 'Bad Gateway'],
    ['limit < 5', 'limit < 5'],
    ['<STYLE>p { color: red }</STYLE >kept', 'kept'],
    ['a <script>never ends', 'a'],
    ['<'.repeat(20_000), '<'.repeat(2_000)],
    ['<script '.repeat(2_000), ''],
  ])('has the text of %#', (body, expected) => expect(sentenceIn(body)).toBe(expected));
});
