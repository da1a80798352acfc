import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { BAD, GOOD, read, two, url, urlset } from './sitemap-files.fixtures.js';

describe('readSitemap', () => {
  for (const [why, content, kind, urls] of GOOD) {
    it(`reads ${why}`, async () => {
      for (const size of [1, 7, 100_000]) {
        const found = await read(content, {}, size);
        assert.deepEqual([found.kind, found.urls, found.cutBy, found.isComplete], [kind, urls, null, true]);
      }
    });
  }

  for (const [why, content, kind, urls, cutBy = null] of BAD) {
    it(`reads what it can of ${why}`, async () => {
      const isComplete = cutBy === null && kind !== 'html' && kind !== 'unknown';
      for (const size of [911, 1_000_000]) {
        const found = await read(content, {}, size);
        assert.deepEqual(
          [found.kind, found.urls, found.cutBy, found.isComplete],
          [kind, urls, cutBy, isComplete],
        );
      }
    });
  }

  it('distinguishes pages and sitemaps', async () => {
    assert.deepEqual((await read(two)).kinds, ['page', 'page']);
    assert.deepEqual(
      (await read(`<sitemapindex><sitemap><loc>/2.xml</loc></sitemap></sitemapindex>`)).kinds,
      ['sitemap'],
    );
  });

  it('prefers the declared encoding to the header', async () => {
    const latin1 = Buffer.from(`<urlset>${url('/é')}</urlset>`, 'latin1');
    assert.deepEqual((await read(latin1, { charset: 'iso-8859-1' })).urls, ['https://example.org/%C3%A9']);
    assert.deepEqual((await read(urlset(url('/é')), { charset: 'iso-8859-1' })).urls, [
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
          assert.deepEqual(
            found.urls,
            urls.map((address) => new URL(address).href),
          );
          assert.equal(found.cutBy, null);
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
