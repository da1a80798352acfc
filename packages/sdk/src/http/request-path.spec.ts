import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import { normalizeBaseUrl, segment, withQuery } from './request-path.js';

it('normalizeBaseUrl accepts an address with or without a path', () => {
  assert.equal(normalizeBaseUrl('http://127.0.0.1:3000'), 'http://127.0.0.1:3000/api');
  assert.equal(normalizeBaseUrl('http://127.0.0.1:3000/api/'), 'http://127.0.0.1:3000/api');
  assert.equal(normalizeBaseUrl('https://x.example/docs/api//?a#b'), 'https://x.example/docs/api');
  for (const bad of ['', 'localhost:3000', '/api', 'ftp://x', 'http://user:secret@x'])
    assert.throws(() => normalizeBaseUrl(bad), TypeError);
});

it('segment encodes any id as one path segment', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (id) => {
      fc.pre(id !== '.' && id !== '..');
      const { pathname } = new URL(`http://x/api/agents/${segment(id)}/query`);
      assert.match(pathname, /^\/api\/agents\/[^/]+\/query$/);
      assert.equal(decodeURIComponent(pathname.slice('/api/agents/'.length, -'/query'.length)), id);
    }),
  );
  for (const id of ['', '.', '..']) assert.throws(() => segment(id), TypeError);
});

it('withQuery omits parameters without a value', () => {
  assert.equal(withQuery('/x', { a: undefined, b: null }), '/x');
  assert.equal(withQuery('/x', { a: 0, b: 'ü &' }), '/x?a=0&b=%C3%BC+%26');
});
