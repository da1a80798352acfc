import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { normalizeBaseUrl, segment, withQuery } from './request-path.js';

it('normalizeBaseUrl accepts an address with or without a path', () => {
  expect(normalizeBaseUrl('http://127.0.0.1:3000')).toBe('http://127.0.0.1:3000/api');
  expect(normalizeBaseUrl('http://127.0.0.1:3000/api/')).toBe('http://127.0.0.1:3000/api');
  expect(normalizeBaseUrl('https://x.example/docs/api//?a#b')).toBe('https://x.example/docs/api');
  expect(normalizeBaseUrl('https://x.example/citewell/')).toBe('https://x.example/citewell/api');
  expect(normalizeBaseUrl('https://x.example/my-api')).toBe('https://x.example/my-api/api');
  for (const bad of ['', 'localhost:3000', '/api', 'ftp://x', 'http://user:secret@x'])
    expect(() => normalizeBaseUrl(bad)).toThrow(TypeError);
});

it('segment encodes any id as one path segment', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (id) => {
      fc.pre(id !== '.' && id !== '..');
      const { pathname } = new URL(`http://x/api/agents/${segment(id)}/query`);
      expect(pathname).toMatch(/^\/api\/agents\/[^/]+\/query$/);
      expect(decodeURIComponent(pathname.slice('/api/agents/'.length, -'/query'.length))).toBe(id);
    }),
  );
  for (const id of ['', '.', '..']) expect(() => segment(id)).toThrow(TypeError);
});

it('withQuery omits parameters without a value', () => {
  expect(withQuery('/x', { a: undefined, b: null })).toBe('/x');
  expect(withQuery('/x', { a: 0, b: 'ü &' })).toBe('/x?a=0&b=%C3%BC+%26');
});
