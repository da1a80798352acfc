import { describe, expect, it } from '@jest/globals';
import { Cookies } from './cookies.js';

const SHOP = 'https://shop.example/cart/list';

/** The `Cookie` header of a request after a response of {@link SHOP}. */
function sentTo(url: string, ...setCookies: string[]): string | undefined {
  const cookies = new Cookies();
  cookies.store(new URL(SHOP), setCookies);
  return cookies.headerFor(new URL(url));
}

describe('Cookies', () => {
  it.each<[string, string, string[], string | undefined]>([
    ['the same host', SHOP, ['seen=1; Path=/; HttpOnly'], 'seen=1'],
    ['several', SHOP, ['a=1', 'b=2; Path=/', 'a=3'], 'a=3; b=2'],
    ['a path below', 'https://shop.example/cart/x', ['a=1'], 'a=1'],
    ['another path', 'https://shop.example/help', ['a=1', 'b=2; Path=/help'], 'b=2'],
    ['another host', 'https://www.shop.example/', ['a=1; Path=/; Domain=shop.example'], undefined],
    ['another port', 'https://shop.example:8443/cart/list', ['a=1; Path=/'], undefined],
    ['a secure cookie without https', 'http://shop.example/cart/x', ['a=1; Secure', 'b=2'], 'b=2'],
    ['a foreign domain', SHOP, ['a=1; Domain=other.example'], undefined],
    ['an expired one', SHOP, ['a=1', 'b=2', 'a=; Max-Age=0'], 'b=2'],
    ['one of the past', SHOP, ['a=1; Expires=Thu, 01 Jan 1970 00:00:00 GMT'], undefined],
    ['no cookie', SHOP, ['', ';;', 'Path=/'.repeat(2_000)], undefined],
  ])('sends or keeps back: %s', (_, url, setCookies, header) => {
    expect(sentTo(url, ...setCookies)).toBe(header);
  });

  it('keeps 50 cookies of a host, and the latest 20 hosts', () => {
    const many = Array.from({ length: 80 }, (_value, index) => `name${index}=1`);
    const cookies = new Cookies();
    cookies.store(new URL(SHOP), many.slice(0, 45));
    cookies.store(new URL(SHOP), many.slice(45));
    cookies.store(new URL(SHOP), ['name3=2']);
    expect(cookies.setCookiesFor(new URL(SHOP))).toHaveLength(50);
    expect(cookies.headerFor(new URL(SHOP))).toContain('name3=2');
    for (let host = 0; host < 20; host += 1) cookies.store(new URL(`https://h${host}.example/`), ['a=1']);
    expect(cookies.headerFor(new URL(SHOP))).toBeUndefined();
    expect(cookies.headerFor(new URL('https://h0.example/'))).toBe('a=1');
  });

  it('sends a header that servers accept', () => {
    const long = Array.from({ length: 50 }, (_value, index) => `n${index}=${'x'.repeat(4_000)}`);
    expect(sentTo(SHOP, ...long)).toHaveLength(8_008);
  });

  it('tells whether a cookie has changed', () => {
    const cookies = new Cookies();
    const versions = ['a=1', 'a=1', 'a=2', 'b=1; Path=/elsewhere', 'c=1; Domain=other.example'].map(
      (line) => {
        cookies.store(new URL(SHOP), [line]);
        return cookies.version;
      },
    );
    expect(versions).toEqual([1, 1, 2, 3, 3]);
  });
});
