import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import multipart from '@fastify/multipart';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fastify, { type FastifyInstance } from 'fastify';
import fc from 'fast-check';
import { installBodyParsers, JsonLimits } from './body-parsers.js';
import { toApiError } from './to-api-error.js';

const BODY = JSON.stringify({ query: 'café' });
/** Larger than any JSON body may be, and small when it is compressed. */
const LARGE = `{"query":"${'x'.repeat(5_000_000)}"}`;

describe('a compressed body', () => {
  let server: FastifyInstance;
  beforeAll(async () => {
    server = fastify();
    server.setErrorHandler((error, _, reply) => {
      const { status, code, message } = toApiError(error);
      return reply.status(status).send({ code, message });
    });
    installBodyParsers(server, 1_000_000);
    await server.register(multipart);
    server.post('/', ({ body }) => body);
  });
  afterAll(() => server.close());

  const post = async (encoding: string, payload: string | Buffer, type = 'application/json') => {
    const headers = { 'content-type': type, 'content-encoding': encoding };
    const response = await server.inject({ method: 'POST', url: '/', headers, payload });
    return { response, body: response.json<Record<string, string>>() };
  };

  it.each<[encoding: string, payload: string | Buffer]>([
    ['gzip', gzipSync(BODY)],
    ['GZIP', gzipSync(BODY)],
    ['x-gzip', gzipSync(BODY)],
    ['deflate', deflateSync(BODY)],
    ['br', brotliCompressSync(BODY)],
    ['zstd', zstdCompressSync(BODY)],
    ['identity', BODY],
    ['', BODY],
  ])('as %s is unpacked', async (encoding, payload) => {
    expect((await post(encoding, payload)).body).toEqual({ query: 'café' });
  });

  it.each<[encoding: string, payload: string | Buffer]>([
    ['gzip', gzipSync(LARGE)],
    ['br', brotliCompressSync(LARGE)],
    ['zstd', zstdCompressSync(LARGE)],
  ])('as %s has the limit of its unpacked size', async (encoding, payload) => {
    expect(payload.length).toBeLessThan(50_000);
    const { response, body } = await post(encoding, payload);
    expect([response.statusCode, body['code']]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
  });

  it.each([
    ['gzip', BODY],
    ['br', BODY],
    ['zstd', BODY],
    ['gzip', gzipSync(BODY).subarray(0, 20)],
  ])('as %s that is damaged is refused', async (encoding, payload) => {
    const { response, body } = await post(encoding, payload);
    expect(response.statusCode).toBe(400);
    expect(body['message']).toContain(`not valid ${encoding}`);
  });

  it.each([
    ['compress', 'application/json', 'is not one of gzip, deflate, br, zstd'],
    ['gzip, br', 'application/json', 'is not one of'],
    ['constructor', 'application/json', 'is not one of'],
    ['gzip', 'multipart/form-data; boundary=b', 'multipart'],
  ])('as %s of %s is refused', async (encoding, type, sentence) => {
    const { response, body } = await post(encoding, BODY, type);
    expect(response.statusCode).toBe(415);
    expect(response.headers['accept-encoding']).toBe('gzip, deflate, br, zstd');
    expect(body['message']).toContain(sentence);
  });
});

const accepts = (json: string): boolean => new JsonLimits().accept(Buffer.from(json));
const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
const values = (count: number): string => `[${'0,'.repeat(count)}0]`;

describe('JsonLimits', () => {
  it.each([
    ['64 levels', nested(64), true],
    ['65 levels', nested(65), false],
    ['50,000 values', values(49_999), true],
    ['more values', values(50_000), false],
    ['many keys', `{${'"k":1,'.repeat(50_000)}"k":1}`, false],
    ['many empty arrays', `[${'[],'.repeat(30_000)}[]]`, false],
    ['signs of the syntax in a string', JSON.stringify('[{,"\\'.repeat(100_000)), true],
    ['a string that ends with escapes', `["\\\\\\"${','.repeat(60_000)}"]`, true],
    ['a string after an escaped backslash', `["\\\\",${'0,'.repeat(50_000)}0]`, false],
  ])('%s', (_, json, accepted) => {
    expect(accepts(json)).toBe(accepted);
  });

  it('counts the same wherever the bytes are split', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.nat(), (value, at) => {
        const bytes = Buffer.from(JSON.stringify([value, nested(80)]));
        const split = at % bytes.length;
        const limits = new JsonLimits();
        const parts = [bytes.subarray(0, split), bytes.subarray(split)];
        expect(parts.every((part) => limits.accept(part))).toBe(accepts(bytes.toString()));
      }),
    );
  });
});
