import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import 'reflect-metadata';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { Test } from '@nestjs/testing';
import { Validator } from '@seriousme/openapi-schema-validator';
import { z } from 'zod';
import { ApiModule } from '../../api.module.js';
import type { Content } from '../../http/operation.js';
import { parseStrictly } from '../../http/request-input.js';
import { ROUTES_OUTSIDE_API } from '../../create-api.js';
import { isDescribed, keyOf, type OpenApiDocument, openApiDocument } from './openapi-document.js';
import { controllersOf, routesOf } from './route-reader.js';

const controllers = controllersOf(ApiModule);
const METHODS = ['get', 'post', 'patch', 'put', 'delete'];

/** The bodies of the operations that have one, and of their responses: name, media type, schema. */
const BODIES = routesOf(controllers)
  .filter(isDescribed)
  .flatMap((route): [string, string, z.ZodType][] => {
    const { body, responses } = route.operation ?? { responses: {} };
    const named = (name: string, content: Content): [string, string, z.ZodType][] =>
      Object.entries(content).flatMap(([mediaType, schema]) =>
        schema ? [[`${name} ${keyOf(route)} (${mediaType})`, mediaType, schema]] : [],
      );
    const bodies = named('the body of', body ?? (route.body ? { 'application/json': route.body } : {}));
    return bodies.length === 0 ? [] : [...bodies, ...named('the response to', responses)];
  });

/** The examples of a schema; of a list, with one item. */
function examplesOf(schema: z.core.$ZodType): unknown[] {
  const own = z.globalRegistry.get(schema)?.examples;
  if (Array.isArray(own)) return own;
  if (schema instanceof z.ZodArray) return examplesOf(schema.element).map((example) => [example]);
  return schema instanceof z.ZodUnion ? schema.options.flatMap(examplesOf) : [];
}

/** Maps every controller of the API on a real router, with empty dependencies. */
async function mapRoutes(): Promise<{ app: NestFastifyApplication; mapped: string[] }> {
  const adapter = new FastifyAdapter();
  const mapped: string[] = [];
  adapter.getInstance().addHook('onRoute', ({ method, url }) => {
    for (const name of [method].flat()) if (name !== 'HEAD') mapped.push(`${name.toLowerCase()} ${url}`);
  });
  const module = await Test.createTestingModule({ controllers })
    .useMocker(() => ({}))
    .compile();
  const app = module.createNestApplication<NestFastifyApplication>(adapter, { logger: false });
  app.setGlobalPrefix('api', { exclude: ROUTES_OUTSIDE_API });
  await app.init();
  return { app, mapped };
}

describe('the OpenAPI document', () => {
  let app: NestFastifyApplication;
  let mapped: string[];
  let document: OpenApiDocument;
  beforeAll(async () => {
    ({ app, mapped } = await mapRoutes());
    const response = await app.inject({ url: '/api/openapi.json' });
    expect(response.statusCode).toBe(200);
    document = response.json<OpenApiDocument>();
  });
  afterAll(() => app.close());

  it('contains exactly the mapped routes, except those of the interfaces of others', () => {
    const described = Object.entries(document.paths).flatMap(([path, item]) => {
      const prefix = item['servers'] ? '' : '/api';
      return METHODS.filter((method) => method in item).map(
        (method) => `${method} ${prefix}${path.replace(/\{(\w+)\}/g, ':$1')}`,
      );
    });
    const own = mapped.filter((route) => isDescribed({ path: route.split(' ')[1] ?? '' }));
    expect(described.sort()).toEqual(own.sort());
    const routes = routesOf(controllers);
    expect(routes.filter(({ operation }) => operation).map(keyOf)).toEqual(
      routes.filter(isDescribed).map(keyOf),
    );
  });

  it('is a valid OpenAPI 3.1 document', async () => {
    expect(await new Validator().validate(structuredClone(document))).toMatchObject({ valid: true });
  });

  it('resolves every reference, and has unique operation ids', () => {
    const text = JSON.stringify(document);
    for (const [, section = '', name = ''] of text.matchAll(/"\$ref":"#\/components\/(\w+)\/(\w+)"/g)) {
      expect(document.components[section]?.[name]).toBeTruthy();
    }
    expect(text).not.toContain('$defs');
    const ids = [...text.matchAll(/"operationId":"([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('describes the bodies, errors, idempotency key and scope of POST /datasources', () => {
    const create = document.paths['/datasources']?.['post'];
    expect(create).toBeTruthy();
    const text = JSON.stringify(create);
    expect(text).toMatch(/"multipart\/form-data":\{"schema":\{"type":"object".*"format":"binary"/);
    expect(text).toMatch(/"required":\["datastoreId","file"\]/);
    expect(text).toMatch(
      /"application\/json":\{"schema":\{"\$ref":"#\/components\/schemas\/CreateDatasource"\}\}/,
    );
    expect(text).toMatch(/"security":\[\{"key":\["write"\]\}\]/);
    for (const status of [400, 403, 404, 409, 413, 415, 429, 500, 503, 507])
      expect(text).toContain(`/Error${status}"`);
    expect(text).toMatch(/"name":"Idempotency-Key","in":"header"/);
  });

  it('describes access, streams, pagination and deprecation', () => {
    const of = (path: string, method: string): string => JSON.stringify(document.paths[path]?.[method]);
    expect(of('/organizations', 'get')).toMatch(/"security":\[\{"adminKey":\[\]\}\]/);
    expect(of('/docs', 'get')).toMatch(/"security":\[\]/);
    expect(of('/agents/{id}/query', 'post')).toMatch(/"text\/event-stream":\{"schema":\{"type":"string"\}\}/);
    expect(of('/agents', 'get')).toMatch(/"name":"limit","in":"query","required":false.*"Link":/);
    expect(of('/datastores/upsert/{datastoreId}', 'post')).toMatch(/"deprecated":true/);
    expect(of('/datastores/upsert/{datastoreId}', 'post')).toMatch(/"Deprecation":/);
  });

  it.each(BODIES)('has valid examples of %s', (_, mediaType, schema) => {
    const examples = examplesOf(schema);
    expect(examples).not.toEqual([]);
    // A file cannot be part of an example.
    const file = mediaType === 'multipart/form-data' ? { file: new File([], 'p200.pdf') } : null;
    for (const example of examples) parseStrictly(schema, file ? { ...Object(example), ...file } : example);
  });

  it('throws for a route without a description or a section', () => {
    const [route] = routesOf(controllers).filter(isDescribed);
    expect(() => openApiDocument([{ ...route!, operation: null }])).toThrow(/is not described/);
    expect(() => openApiDocument([{ ...route!, path: '/notes' }])).toThrow(/has no section/);
  });

  it('is shown by a page that loads nothing from other hosts', async () => {
    const { headers, body, statusCode } = await app.inject({ url: '/api/docs' });
    expect(statusCode).toBe(200);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(String(headers['content-security-policy'])).toContain("script-src 'self';");
    const files = [...body.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address = '']) => address);
    expect(files.filter((address) => /^(?:https?:|\/\/)/.test(address))).toEqual([]);
    for (const file of files.filter((address) => address.startsWith('docs/')))
      expect((await app.inject({ url: `/api/${file}` })).statusCode).toBe(200);
    expect((await app.inject({ url: '/api/docs/constructor' })).statusCode).not.toBe(200);
  });
});
