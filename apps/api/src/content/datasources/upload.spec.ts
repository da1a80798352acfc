import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import multipart from '@fastify/multipart';
import { describe, expect, it } from '@jest/globals';
import { fastify } from 'fastify';
import { toApiError } from '../../http/to-api-error.js';
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

/** Sends a form to a server. @returns the upload or the error, and the discarded contents */
async function send(
  payload: string,
  contentType = `multipart/form-data; boundary=${BOUNDARY}`,
  receive: typeof text = text,
) {
  const app = fastify();
  await app.register(multipart, { throwFileSizeLimit: false });
  const discarded: string[] = [];
  app.post('/', async (request, reply) => {
    try {
      return await readUpload({ request, reply }, receive, async (content) => void discarded.push(content));
    } catch (error) {
      const { status, message } = toApiError(error);
      return { status, message };
    }
  });
  const response = await app.inject({
    method: 'POST',
    url: '/',
    headers: { 'content-type': contentType },
    payload,
  });
  await app.close();
  return { ...response.json(), discarded };
}

const json = '\r\nContent-Type: application/json';
const REFUSED: readonly (readonly [form: string, parts: readonly Part[], message: string])[] = [
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
    'a field that is not JSON',
    [field('custom_id', '{', json), file()],
    'A field of the form is not valid JSON, although its Content-Type says so.',
  ],
  ['upsert without a custom id', [field('upsert', 'true'), file()], 'custom_id is required with upsert.'],
  [
    'upsert and a misspelled custom id',
    [field('upsert', 'true'), field('customId', 'a'), file()],
    'custom_id is required with upsert (customId is unknown).',
  ],
  ['another type', [file(), field('type', 'web_page')], 'type must be file.'],
];

describe('readUpload', () => {
  for (const [form, parts, message] of REFUSED) {
    it(`refuses a form with ${form}`, async () => {
      const { discarded, ...error } = await send(formOf(parts));
      expect(error).toEqual({ status: 400, message });
      // Discarded once.
      expect(discarded.length).toBeLessThanOrEqual(1);
    });
  }

  it('discards the file of a form that is refused after it', async () => {
    const { discarded } = await send(formOf([file('file', 'x'), field('type', 'web_page')]));
    expect(discarded).toEqual(['x']);
  });

  it('refuses a form that ends early', async () => {
    const form = formOf([field('datastoreId', 'd'), file('file', 'x'.repeat(1_000))]);
    for (const start of [form.slice(0, 30), form.slice(0, 150), form.slice(0, -10), 'no boundary']) {
      const { status, message } = await send(start);
      expect([status, message]).toEqual([400, 'The upload ended before it was complete.']);
    }
  });

  it('refuses a form without a usable boundary', async () => {
    const form = formOf([field('datastoreId', 'd'), file()]);
    for (const parameter of ['', '; charset=utf-8', '; boundary=', `; boundary=${'b'.repeat(253)}`]) {
      const { status, message } = await send(form, `multipart/form-data${parameter}`);
      expect([status, message]).toEqual([
        400,
        'The multipart body could not be read: its boundary is missing or too long.',
      ]);
    }
    for (const parameter of ['; Boundary=b', ';boundary="b"', '; charset=utf-8; boundary=b; x=y'])
      expect([parameter, (await send(form, `multipart/form-data${parameter}`)).content]).toEqual([
        parameter,
        'content',
      ]);
  });

  it('refuses an upload whose connection is closed', async () => {
    const app = fastify();
    await app.register(multipart, { throwFileSizeLimit: false });
    const error = new Promise<unknown>((resolve) => {
      app.post('/', (incoming, reply) =>
        readUpload({ request: incoming, reply }, text, async () => undefined).catch(resolve),
      );
    });
    const url = await app.listen({ host: '127.0.0.1', port: 0 });
    const client = request(url, {
      method: 'POST',
      headers: { 'content-type': `multipart/form-data; boundary=${BOUNDARY}`, 'content-length': '100000' },
    });
    client.on('error', () => undefined);
    client.write(formOf([file('file', 'x'.repeat(1_000))]).slice(0, 500), () => client.destroy());
    const { status, message } = toApiError(await error);
    expect([status, message]).toEqual([400, 'The upload ended before it was complete.']);
    await app.close();
  });

  it('passes on errors of the receiver, also when they look like a closed connection', async () => {
    const reset = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
    const failed = await send(formOf([file()]), undefined, () => Promise.reject(reset));
    expect(failed.status).toBe(503);
  });

  it('accepts twenty fields, long unknown fields, and a JSON string as a value', async () => {
    const more = Array.from({ length: 18 }, (_, index) => field(`f${index}`, 'x'.repeat(20_000)));
    const { fields, content, partFileName } = await send(
      formOf([field('datastoreId', '"d"', json), file(), field('fileName', 'a\tb.txt'), ...more]),
    );
    expect(fields).toEqual({ datastoreId: 'd', fileName: 'a b.txt' });
    expect([content, partFileName]).toEqual(['content', 'a.txt']);
  });
});
