import assert from 'node:assert/strict';
import { text } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import multipart from '@fastify/multipart';
import { fastify } from 'fastify';
import { toApiError } from '../http/to-api-error.js';
import { readUpload } from './upload.js';

const BOUNDARY = 'b';

type Part = readonly [headers: string, body: string];

const field = (name: string, value: string, more = ''): Part => [`name="${name}"${more}`, value];
const file = (name = 'file', content = 'content'): Part => [`name="${name}"; filename="a.txt"`, content];

function formOf(parts: readonly Part[]): string {
  const pieces = parts.map(
    ([headers, body]) => `--${BOUNDARY}\r\nContent-Disposition: form-data; ${headers}\r\n\r\n${body}\r\n`,
  );
  return `${pieces.join('')}--${BOUNDARY}--\r\n`;
}

/** Reads a form as a request of its own. @returns what came of it, and what was taken back */
async function read(payload: string) {
  const app = fastify();
  await app.register(multipart, { throwFileSizeLimit: false });
  const discarded: string[] = [];
  app.post('/', async (request) => {
    try {
      return await readUpload(request, text, async (content) => void discarded.push(content));
    } catch (error) {
      const { status, message } = toApiError(error);
      return { status, message };
    }
  });
  const response = await app.inject({
    method: 'POST',
    url: '/',
    headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` },
    payload,
  });
  await app.close();
  return { ...response.json(), discarded };
}

const json = '\r\nContent-Type: application/json';
const REFUSED: readonly (readonly [what: string, parts: readonly Part[], message: string])[] = [
  ['no file', [field('datastoreId', 'd')], 'file is required.'],
  ['nothing', [], 'file is required.'],
  ['two files', [file(), file()], 'file must be given once.'],
  ['three files', [file(), file(), file()], 'file must be given once.'],
  ['a file elsewhere', [file('picture')], 'picture is not a file part; the file belongs in "file".'],
  [
    'a field called __proto__',
    [file(), field('__proto__', 'x')],
    'A field of the form has a name that is not allowed, such as __proto__.',
  ],
  [
    'a file called constructor',
    [file('constructor'), file()],
    'A field of the form has a name that is not allowed, such as __proto__.',
  ],
  [
    'too many fields',
    [file(), ...Array.from({ length: 21 }, (_, index) => field(`f${index}`, 'x'))],
    'The form has more than 20 fields.',
  ],
  [
    'a field that is too long',
    [file(), field('custom_id', 'x'.repeat(300))],
    'custom_id must have at most 255 characters.',
  ],
  [
    'a field that is far too long',
    [field('fileName', 'x'.repeat(200_000)), file()],
    'fileName must have at most 1024 characters.',
  ],
  [
    'a field that is no JSON',
    [field('custom_id', '{', json), file()],
    'A field of the form is not the JSON that its Content-Type says it is.',
  ],
  ['another type', [file(), field('type', 'web_page')], 'type must be file.'],
];

describe('a form', () => {
  for (const [what, parts, message] of REFUSED) {
    it(`with ${what} is a 400 that says so`, async () => {
      const { discarded, ...refusal } = await read(formOf(parts));
      assert.deepEqual(refusal, { status: 400, message });
      assert.ok(discarded.length <= 1, 'it is taken back once');
    });
  }

  it('that is refused after its file takes the file back', async () => {
    const { discarded } = await read(formOf([file('file', 'kept?'), field('type', 'web_page')]));
    assert.deepEqual(discarded, ['kept?']);
  });

  it('that is broken is a 400', async () => {
    const whole = formOf([field('datastoreId', 'd'), file('file', 'x'.repeat(1_000))]);
    for (const cut of [whole.slice(0, 30), whole.slice(0, 150), whole.slice(0, -10), 'no boundary']) {
      const { status, message } = await read(cut);
      assert.equal(status, 400, message);
      assert.match(message, /^The (upload ended|multipart body)/);
    }
  });

  it('may have twenty fields, long ones that nobody reads, and JSON for a text', async () => {
    const more = Array.from({ length: 18 }, (_, index) => field(`f${index}`, 'x'.repeat(20_000)));
    const { fields, content, partName } = await read(
      formOf([field('datastoreId', '"d"', json), file(), field('fileName', 'a\tb.txt'), ...more]),
    );
    assert.deepEqual(fields, { datastoreId: 'd', fileName: 'a b.txt' });
    assert.deepEqual([content, partName], ['content', 'a.txt']);
  });
});
