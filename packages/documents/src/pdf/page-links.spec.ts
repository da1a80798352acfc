import { describe, expect, it } from '@jest/globals';
import { addressOf, linksOf, showsAddress } from './page-links.js';

describe('linksOf', () => {
  const LINK = { subtype: 'Link', unsafeUrl: 'https://example.org/a', rect: [10, -2, 30.5, 4] };

  it('returns the addresses and rectangles of links', () => {
    expect(linksOf([LINK])).toEqual([{ address: LINK.unsafeUrl, left: 10, right: 30.5, bottom: -2, top: 4 }]);
  });

  it.each<[kind: string, annotation: Readonly<Record<string, unknown>>]>([
    ['links within the file', { ...LINK, unsafeUrl: undefined, dest: 'top' }],
    ['scripts', { ...LINK, unsafeUrl: 'javascript:alert(1)' }],
    ['form fields', { ...LINK, subtype: 'Widget' }],
    ['links without a rectangle', { ...LINK, rect: [1, 2, 3] }],
  ])('ignores %s', (_, annotation) => {
    expect(linksOf([annotation])).toEqual([]);
  });

  it('returns at most 300 links of a page', () => {
    expect(linksOf(Array.from({ length: 400 }, () => LINK))).toHaveLength(300);
  });
});

describe('addressOf', () => {
  const cases: readonly (readonly [bytes: string | Buffer, address: string | null])[] = [
    ['https://example.org/a_(b)?c#d', 'https://example.org/a_(b)?c#d'],
    ['MAILTO:ada@example.org', 'MAILTO:ada@example.org'],
    ['https://example.org/ä', 'https://example.org/ä'],
    [Buffer.from('http://example.org/\xe4', 'latin1'), 'http://example.org/ä'],
    [' https://example.org/one two\u0000\n', 'https://example.org/one%20two'],
    ['https://example.org/\u202Efdp.exe', 'https://example.org/fdp.exe'],
    ['javascript:alert(1)', null],
    ['file:///etc/passwd', null],
    ['manual.pdf', null],
    ['https://', null],
    ['mailto:?subject=x', null],
    [`https://example.org/${'a'.repeat(1980)}`, `https://example.org/${'a'.repeat(1980)}`],
    [`https://example.org/${'a'.repeat(1981)}`, null],
  ];
  for (const [bytes, address] of cases) {
    it(`returns ${address?.slice(0, 40)} for ${JSON.stringify(bytes.toString('latin1').slice(0, 40))}`, () => {
      expect(addressOf(Buffer.from(bytes))).toBe(address);
    });
  }
});

describe('showsAddress', () => {
  const cases: readonly (readonly [words: string, address: string, isShown: boolean])[] = [
    ['https://example.org/m', 'https://example.org/m', true],
    ['example.org/m/', 'https://www.example.org/m', true],
    ['www.example.org', 'http://example.org/', true],
    ['See http://example.org/m.', 'https://example.org/m', true],
    ['https://exam-ple.org/a\u00ad b/ c', 'https://example.org/ab/c', true],
    ['https://example.org/˜ada/a b', 'https://example.org/~ada/a%20b', true],
    ['Ada@Example.org', 'mailto:ada@example.org?subject=Hello', true],
    ['mailto: ada@example.org', 'mailto:ada@example.org', true],
    ['doi:10.1000/1-2(3)', 'https://doi.org/10.1000/1-2%283%29', true],
    ['the manual', 'https://example.org/m', false],
    ['example.org', 'https://example.org/m', false],
    ['https://example.org/%', 'https://example.org/m', false],
    ['Ada', 'mailto:ada@example.org', false],
  ];
  for (const [words, address, isShown] of cases) {
    it(`${isShown ? 'finds' : 'does not find'} ${address} in "${words}"`, () => {
      expect(showsAddress(words, address)).toBe(isShown);
    });
  }
});
