import assert from 'node:assert/strict';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { hasRepeatedSegments, normalizeUrl } from './normalize-url.js';

const ROWS: readonly (readonly [raw: string, normalized: string | null])[] = [
  // scheme, host, port
  ['HTTP://Example.ORG', 'http://example.org/'],
  ['http://example.org:80/', 'http://example.org/'],
  ['https://example.org:443/', 'https://example.org/'],
  ['https://example.org:80/', 'https://example.org:80/'],
  ['http://bücher.example/', 'http://xn--bcher-kva.example/'],
  ['http://BÜCHER.example/', 'http://xn--bcher-kva.example/'],
  ['http://例え.テスト/', 'http://xn--r8jz45g.xn--zckzah/'],
  ['http://www.example.org/', 'http://www.example.org/'],
  ['http://[2001:DB8:0:0::1]/', 'http://[2001:db8::1]/'],
  [' http://example.org/a\n', 'http://example.org/a'],
  // path
  ['http://e.org/a/./b/../c', 'http://e.org/a/c'],
  ['http://e.org/../..', 'http://e.org/'],
  ['http://e.org/a/%2E%2e/b', 'http://e.org/b'],
  ['http://e.org\\a\\b', 'http://e.org/a/b'],
  ['http://e.org/a//b', 'http://e.org/a//b'],
  ['http://e.org/a/', 'http://e.org/a/'],
  ['http://e.org/r&amp;d?a=1&amp;b=2&amp;amp;c&amp=3', 'http://e.org/r&amp;d?a=1&b=2&c&amp=3'],
  ['http://e.org/A', 'http://e.org/A'],
  ['http://e.org/a#part', 'http://e.org/a'],
  ['http://e.org/#!/page', 'http://e.org/'],
  ['http://e.org/%7Euser/%61', 'http://e.org/~user/a'],
  ['http://e.org/%c3%a9', 'http://e.org/%C3%A9'],
  ['http://e.org/é', 'http://e.org/%C3%A9'],
  ['http://e.org/a b', 'http://e.org/a%20b'],
  ['http://e.org/a%2fb', 'http://e.org/a%2Fb'],
  ['http://e.org/100%', 'http://e.org/100%25'],
  ['http://e.org/%%34%31', 'http://e.org/%2541'],
  ['http://e.org/a|b^c', 'http://e.org/a%7Cb%5Ec'],
  ['http://e.org/shop;jsessionid=0AF3.n1/cart;v=1', 'http://e.org/shop/cart;v=1'],
  ['http://e.org/shop;PHPSESSID=0af3d9/cart', 'http://e.org/shop/cart'],
  ['http://e.org/(S(lit3py55t21z5v55vlm25s55))/Orders.aspx', 'http://e.org/Orders.aspx'],
  ['http://e.org/app/(A(x1)S(y2))/list?page=2', 'http://e.org/app/list?page=2'],
  ['http://e.org/app/(S(y2))', 'http://e.org/app/'],
  ['http://e.org/%28S%28y2%29%29/a', 'http://e.org/a'],
  ['http://e.org/phpsessid/0123456789abcdef0/a', 'http://e.org/a'],
  ['http://e.org/wiki/Lambda_(S(x))_calculus', 'http://e.org/wiki/Lambda_(S(x))_calculus'],
  ['http://e.org/docs/sessionid/reference', 'http://e.org/docs/sessionid/reference'],
  ['http://e.org/a/x/..;jsessionid=1/b', 'http://e.org/a/b'],
  ['http://e.org/a;%6asessionid=1', 'http://e.org/a'],
  // query
  ['http://e.org/?', 'http://e.org/'],
  ['http://e.org?a=1', 'http://e.org/?a=1'],
  ['http://e.org/?b=2&a=1&b=1', 'http://e.org/?b=2&a=1&b=1'],
  ['http://e.org/?&a=1&&', 'http://e.org/?a=1'],
  ['http://e.org/?a&b=', 'http://e.org/?a&b='],
  ['http://e.org/?a[]=1', 'http://e.org/?a%5B%5D=1'],
  ['http://e.org/?q=a+b%20c', 'http://e.org/?q=a+b%20c'],
  ['http://e.org/?utm_source=x&id=3&UTM_Medium=y', 'http://e.org/?id=3'],
  ['http://e.org/?%75tm_source=x', 'http://e.org/'],
  ['http://e.org/?gclid=1&fbclid=2&mc_eid=3&_hsenc=4&mtm_kwd=5', 'http://e.org/'],
  ['http://e.org/?PHPSESSID=ab12&page=2', 'http://e.org/?page=2'],
  ['http://e.org/?ASPSESSIONIDQQ=1&ASP.NET_SessionId=2&jsessionid=3', 'http://e.org/'],
  ['http://e.org/?sid=17', 'http://e.org/?sid=17'],
  ['http://e.org/?sid=9f86d081884c7d659a2f', 'http://e.org/'],
  ['http://e.org/?source=utm_x', 'http://e.org/?source=utm_x'],
  // not pages
  ['', null],
  ['no scheme', null],
  ['mailto:a@e.org', null],
  ['javascript:void(0)', null],
  ['ftp://e.org/', null],
  ['http://u:p@e.org/', null],
  [`http://e.org/${'é'.repeat(3000)}`, null],
];

describe('normalizeUrl', () => {
  for (const [raw, normalized] of ROWS) {
    it(`returns ${normalized} for ${JSON.stringify(raw.slice(0, 60))}`, () =>
      expect(normalizeUrl(raw)).toBe(normalized));
  }

  it('resolves relative URLs', () => {
    expect(normalizeUrl('../x?y#z', 'http://e.org/a/b/c')).toBe('http://e.org/a/x?y');
    expect(normalizeUrl('//Other.org', new URL('https://e.org/'))).toBe('https://other.org/');
    expect(normalizeUrl('', 'http://e.org/a?b')).toBe('http://e.org/a?b');
    expect(normalizeUrl('x')).toBeNull();
  });

  const piece = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 8 }),
    fc.constantFrom(
      '%',
      '%4',
      '%41',
      '%2e',
      '%2E.',
      '..',
      '.',
      ';jsessionid=',
      'utm_x=',
      '&',
      '=',
      '?',
      '/',
      '\\',
      '%3B',
    ),
    fc.constantFrom(
      ';',
      'sid=0123456789abcdef',
      'jsessionid',
      '%00',
      '%u',
      '\t',
      '|',
      '[',
      '#',
      '%25',
      '+',
      ' ',
    ),
  );
  const path = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''));

  it('is idempotent, keeps the host, and returns a valid URL', () => {
    fc.assert(
      fc.property(fc.webUrl({ withQueryParameters: true, withFragments: true }), path, (url, rest) => {
        const raw = `${url.replace(/[?#].*/s, '')}/${rest}`;
        const once = normalizeUrl(raw);
        assert.ok(once !== null);
        expect(normalizeUrl(once)).toBe(once);
        expect(new URL(once).href).toBe(once);
        expect(new URL(once).host).toBe(new URL(raw).host);
        expect(new URL(once).hash).toBe('');
      }),
    );
  });

  it('never throws', () => {
    fc.assert(
      fc.property(fc.string(), fc.webUrl(), (raw, base) => {
        const once = normalizeUrl(raw, base);
        if (once !== null) expect(normalizeUrl(once)).toBe(once);
      }),
    );
  });
});

describe('hasRepeatedSegments', () => {
  const rows: readonly (readonly [path: string, isRepeated: boolean])[] = [
    ['/a/b/a/b/a/b', true],
    ['/x/a/b/a/b/a/b/y', true],
    ['/a/a/a', true],
    ['/a/b/a/b/a', false],
    ['/a/b/a/c/a/d/a', false],
    ['/2011/11/11/11', false],
    ['/', false],
  ];
  for (const [path, isRepeated] of rows) {
    it(`is ${isRepeated} for ${path}`, () =>
      expect(hasRepeatedSegments(`https://example.org${path}?a=/b/b/b`)).toBe(isRepeated));
  }
  it('is false for anything that is not a URL', () => expect(hasRepeatedSegments('/a/a/a')).toBe(false));
});
