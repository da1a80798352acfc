import { describe, expect, it } from '@jest/globals';
import { ApiModule } from '../../api.module.js';
import { controllersOf, routesOf } from '../../interfaces/openapi/route-reader.js';
import { asksWhatIsOffered, AUDITED_ROUTES, auditedRoute, routeName } from './audit-actions.js';

/** Read-only routes that are audited: whole exports. */
const EXPORTS = Object.keys(AUDITED_ROUTES).filter((name) => name.startsWith('GET '));

describe('AUDITED_ROUTES', () => {
  const routes = routesOf(controllersOf(ApiModule)).map(({ method, path }) =>
    routeName(method.toUpperCase(), path.replace(/\{(\w+)\}/g, ':$1')),
  );

  it('has every route that is not read-only, and no other', () => {
    const changing = routes.filter((name) => !name.startsWith('GET '));
    expect(Object.keys(AUDITED_ROUTES).toSorted()).toEqual([...changing, ...EXPORTS].toSorted());
  });

  it('has every export', () => {
    const exported = routes.filter((name) => name.startsWith('GET /exports/'));
    expect(EXPORTS.filter((name) => name.startsWith('GET /exports/')).toSorted()).toEqual(
      exported.toSorted(),
    );
    expect(EXPORTS.filter((name) => !routes.includes(name))).toEqual([]);
  });

  it('has stable words of a target and what was done', () => {
    const actions = Object.values(AUDITED_ROUTES).flatMap((route) => (route ? [route.action] : []));
    expect(actions.filter((action) => !/^[a-z_]+\.[a-z_]+$/.test(action))).toEqual([]);
  });

  it('keeps no value of a field that may be secret', () => {
    const values = Object.values(AUDITED_ROUTES).flatMap((route) => route?.values ?? []);
    expect(values.filter((name) => /pass|secret|token|key|text|query|url|address/i.test(name))).toEqual([]);
  });
});

it.each([
  ['DELETE', '/api/datastores/:id', 'library.deleted'],
  ['GET', '/api/datastores/:id', undefined],
  ['POST', '/api/agents/:id/query', undefined],
  ['POST', '/mcp', undefined],
  ['GET', '/api/exports/conversations', 'conversation.exported'],
  ['POST', '/api/not-in-the-table/:id', 'request.POST /not-in-the-table/:id'],
  ['POST', undefined, undefined],
  ['HEAD', '/api/exports/conversations', undefined],
])('%s %s is %s', (method, pattern, action) => {
  expect(auditedRoute(method, pattern)?.action).toBe(action);
});

it.each([
  ['GET', '/api/models/chat/own', ['read', 'admin'], true],
  ['GET', '/api/models/chat', ['read'], false],
  ['PUT', '/api/models/chat', ['admin'], false],
  ['GET', '/api/people', ['admin'], false],
  ['GET', undefined, ['admin'], false],
])('whether %s %s with %j asks what is offered: %j', (method, pattern, scopes, expected) => {
  expect(asksWhatIsOffered(method, pattern, new Set(scopes))).toBe(expected);
});
