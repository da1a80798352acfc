import { gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { BAD, GOOD, read, two, url, urlset } from './sitemap-files.fixtures.js';

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
