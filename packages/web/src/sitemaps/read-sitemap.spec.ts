import { gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { A, B, BAD, GOOD, read, two, url, urlset } from './sitemap-files.fixtures.js';
import { looksLikeSitemapOrFeed } from './read-sitemap.js';

describe('readSitemap', () => {
  for (const [why, content, kind, urls] of GOOD) {
    it(`reads ${why}`, async () => {
      for (const size of [1, 7, 100_000]) {
        const found = await read(content, {}, size);
        expect([found.kind, found.urls, found.cutBy, found.isComplete]).toEqual([kind, urls, null, true]);
      }
    });
  }

  for (const [why, content, kind, urls, cutBy = null] of BAD) {
    it(`reads what it can of ${why}`, async () => {
      const isComplete = cutBy === null && kind !== 'html' && kind !== 'unknown';
      for (const size of [911, 1_000_000]) {
        const found = await read(content, {}, size);
        expect([found.kind, found.urls, found.cutBy, found.isComplete]).toEqual([
          kind,
          urls,
          cutBy,
          isComplete,
        ]);
      }
    });
  }

  it('distinguishes pages and sitemaps', async () => {
    expect((await read(two)).kinds).toEqual(['page', 'page']);
    expect((await read(`<sitemapindex><sitemap><loc>/2.xml</loc></sitemap></sitemapindex>`)).kinds).toEqual([
      'sitemap',
    ]);
  });

  it('prefers the declared encoding to the header', async () => {
    const latin1 = Buffer.from(`<urlset>${url('/é')}</urlset>`, 'latin1');
    expect((await read(latin1, { charset: 'iso-8859-1' })).urls).toEqual(['https://example.org/%C3%A9']);
    expect((await read(urlset(url('/é')), { charset: 'iso-8859-1' })).urls).toEqual([
      'https://example.org/%C3%A9',
    ]);
  });

  it('finds every URL, whatever the pieces, the encoding and the compression', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.webUrl({ withQueryParameters: true }), { maxLength: 20 }),
        fc.integer({ min: 1, max: 400 }),
        fc.constantFrom('utf8', 'utf16le'),
        fc.boolean(),
        async (urls, size, encoding, isCompressed) => {
          const escaped = urls.map((address) =>
            url(address.replaceAll('&', '&amp;').replaceAll("'", '&apos;')),
          );
          const bytes = Buffer.from(`\ufeff<urlset>${escaped.join('')}</urlset>`, encoding);
          const found = await read(isCompressed ? gzipSync(bytes) : bytes, {}, size);
          expect(found.urls).toEqual(urls.map((address) => new URL(address).href));
          expect(found.cutBy).toBeNull();
        },
      ),
      { numRuns: 60 },
    );
  });

  it('never throws', async () => {
    const token = fc.oneof(
      fc.constantFrom(
        '<urlset>',
        '<url>',
        '<loc>',
        '</loc>',
        '</url>',
        '</urlset>',
        '<![CDATA[',
        ']]>',
        '<!--',
        '<?',
      ),
      fc.constantFrom(
        '&',
        '&amp;',
        '<!DOCTYPE',
        '<!ENTITY',
        '\0',
        'http://e.org/',
        '\n',
        '</',
        'xml:base="',
        '>',
      ),
      fc.string(),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(token), async (tokens) => {
        await read(`<urlset>${tokens.join('')}`);
        await read(tokens.join(''));
      }),
      { numRuns: 60 },
    );
  });
});

describe('looksLikeSitemapOrFeed', () => {
  const rows: readonly (readonly [
    content: string | Uint8Array,
    type: string | null,
    found: 'sitemap' | 'feed' | null,
  ])[] = [
    [two, 'text/html', 'sitemap'],
    [gzipSync(two), 'application/gzip', 'sitemap'],
    [
      gzipSync(urlset(...Array.from({ length: 20_000 }, (_, i) => url(`/${i * 7919}`)))).subarray(0, 4096),
      null,
      'sitemap',
    ],
    [`\ufeff\n<!-- a -- b --><!DOCTYPE x [<!ELEMENT a>]><s:sitemapindex xmlns:s="x">`, null, 'sitemap'],
    [Buffer.from(`\ufeff${two}`, 'utf16le'), null, 'sitemap'],
    ['<rss version="2.0"><channel>', 'text/xml', 'feed'],
    ['<feed xmlns="http://www.w3.org/2005/Atom">', null, 'feed'],
    ['<rdf:RDF xmlns:rdf="r">', null, 'feed'],
    [`<!--${'x'.repeat(5000)}--><rss>`, 'application/rss+xml', 'feed'],
    ['<!DOCTYPE html><html>', 'application/rss+xml', null],
    ['<html><urlset>', 'text/html', null],
    ['<svg xmlns="x">', 'image/svg+xml', null],
    [`${A}\n${B}`, 'text/plain', null],
    ['', 'text/html', null],
    [Buffer.from([0x1f, 0x8b, 1, 2, 3]), null, null],
    ['<'.repeat(4096), null, null],
    [`<!--${'-'.repeat(4000)}`, null, null],
  ];
  for (const [content, type, found] of rows) {
    it(`returns ${found} for ${JSON.stringify(String(content).slice(0, 40))} (${type})`, () =>
      expect(looksLikeSitemapOrFeed(Buffer.from(content), type)).toBe(found));
  }
});
