import 'reflect-metadata';
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Module, RequestMethod, type Type } from '@nestjs/common';
import { MODULE_METADATA, SELF_DECLARED_DEPS_METADATA } from '@nestjs/common/constants.js';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { Validator } from '@seriousme/openapi-schema-validator';
import { ApiModule } from '../api.module.js';
import { keyOf, type OpenApiDocument, openApiDocument } from './openapi-document.js';
import { OpenApiController } from './openapi.controller.js';
import { OPERATIONS } from './operations.js';
import { routesOf } from './route-reader.js';

// The metadata of a module is the argument of its decorator.
const controllers = Reflect.getMetadata(MODULE_METADATA.CONTROLLERS, ApiModule) as Type[];
const OUTSIDE_API = ['health/live', 'health/ready', 'metrics'];
const METHODS = ['get', 'post', 'patch', 'put', 'delete'];

/** Maps every controller of the API on a real router, with empty dependencies. */
async function mapRoutes(): Promise<{ app: NestFastifyApplication; mapped: string[] }> {
  const tokens = controllers
    .filter((controller) => controller !== OpenApiController)
    .flatMap(
      (controller): { param: Type }[] => Reflect.getMetadata(SELF_DECLARED_DEPS_METADATA, controller) ?? [],
    )
    .map(({ param }) => param);
  const providers = [...new Set(tokens)].map((provide) => ({ provide, useValue: {} }));

  @Module({ controllers, providers })
  class RoutesModule {}

  const adapter = new FastifyAdapter();
  const mapped: string[] = [];
  adapter.getInstance().addHook('onRoute', ({ method, url }) => {
    for (const name of [method].flat()) if (name !== 'HEAD') mapped.push(`${name.toLowerCase()} ${url}`);
  });
  const app = await NestFactory.create<NestFastifyApplication>(RoutesModule, adapter, { logger: false });
  app.setGlobalPrefix('api', { exclude: OUTSIDE_API.map((path) => ({ path, method: RequestMethod.GET })) });
  await app.init();
  return { app, mapped };
}

describe('the OpenAPI document', () => {
  let app: NestFastifyApplication;
  let mapped: string[];
  let document: OpenApiDocument;
  before(async () => {
    ({ app, mapped } = await mapRoutes());
    const response = await app.inject({ url: '/api/openapi.json' });
    assert.equal(response.statusCode, 200);
    document = response.json<OpenApiDocument>();
  });
  after(() => app.close());

  it('contains exactly the mapped routes', () => {
    const described = Object.entries(document.paths).flatMap(([path, item]) => {
      const prefix = item['servers'] ? '' : '/api';
      return METHODS.filter((method) => method in item).map(
        (method) => `${method} ${prefix}${path.replace(/\{(\w+)\}/g, ':$1')}`,
      );
    });
    assert.deepEqual(described.sort(), mapped.sort());
    assert.deepEqual(Object.keys(OPERATIONS).sort(), routesOf(controllers).map(keyOf).sort());
  });

  it('is a valid OpenAPI 3.1 document', async () => {
    const { valid, errors } = await new Validator().validate(structuredClone(document));
    assert.ok(valid, JSON.stringify(errors, null, 1));
  });

  it('resolves every reference, and has unique operation ids', () => {
    const text = JSON.stringify(document);
    for (const [, section = '', name = ''] of text.matchAll(/"\$ref":"#\/components\/(\w+)\/(\w+)"/g)) {
      assert.ok(document.components[section]?.[name], `${section}/${name}`);
    }
    assert.ok(!text.includes('$defs'));
    const ids = [...text.matchAll(/"operationId":"([^"]+)"/g)].map(([, id]) => id);
    assert.equal(new Set(ids).size, ids.length);
  });

  it('describes the bodies, errors, idempotency key and scope of POST /datasources', () => {
    const create = document.paths['/datasources']?.['post'];
    assert.ok(create);
    const text = JSON.stringify(create);
    assert.match(text, /"multipart\/form-data":\{"schema":\{"type":"object".*"format":"binary"/);
    assert.match(text, /"required":\["datastoreId","file"\]/);
    assert.match(
      text,
      /"application\/json":\{"schema":\{"\$ref":"#\/components\/schemas\/CreateDatasource"\}\}/,
    );
    assert.match(text, /"security":\[\{"key":\["write"\]\}\]/);
    for (const status of [400, 403, 404, 409, 413, 415, 429, 500, 503, 507])
      assert.ok(text.includes(`/Error${status}"`), `${status}`);
    assert.match(text, /"name":"Idempotency-Key","in":"header"/);
  });

  it('describes access, streams, pagination and deprecation', () => {
    const of = (path: string, method: string): string => JSON.stringify(document.paths[path]?.[method]);
    assert.match(of('/organizations', 'get'), /"security":\[\{"adminKey":\[\]\}\]/);
    assert.match(of('/docs', 'get'), /"security":\[\]/);
    assert.match(of('/agents/{id}/query', 'post'), /"text\/event-stream":\{"schema":\{"type":"string"\}\}/);
    assert.match(of('/agents', 'get'), /"name":"limit","in":"query","required":false.*"Link":/);
    assert.match(of('/datastores/upsert/{datastoreId}', 'post'), /"deprecated":true/);
    assert.match(of('/datastores/upsert/{datastoreId}', 'post'), /"Deprecation":/);
  });

  it('throws for a route that is not in the table of operations', () => {
    assert.throws(() => openApiDocument(routesOf(controllers), {}), /is not described/);
  });

  it('is shown by a page that loads nothing from other hosts', async () => {
    const { headers, body, statusCode } = await app.inject({ url: '/api/docs' });
    assert.equal(statusCode, 200);
    assert.equal(headers['content-type'], 'text/html; charset=utf-8');
    assert.match(String(headers['content-security-policy']), /script-src 'sha256-[\w+/]{43}='/);
    assert.ok(!/https?:\/\/|\bsrc=|@import|innerHTML/.test(body));
  });
});
