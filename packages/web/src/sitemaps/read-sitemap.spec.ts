import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { A, B, BAD, GOOD, read, url, urlset, two } from './sitemap-files.fixtures.js';
import type { SitemapProblemCode } from './sitemap-summary.js';

describe('readSitemap', () => {
  for (const [why, content, kind, urls] of GOOD) {
    it(`reads ${why}`, async () => {
      for (const size of [1, 7, 100_000]) {
        const found = await read(content, {}, size);
        assert.deepEqual([found.kind, found.urls, found.problems, found.isComplete], [kind, urls, [], true]);
      }
    });
  }

  for (const [why, content, kind, urls, problems = []] of BAD) {
    it(`takes what there is of ${why}`, async () => {
      for (const size of [911, 1_000_000]) {
        const found = await read(content, {}, size);
        assert.deepEqual([found.kind, found.urls, found.problems.sort()], [kind, urls, problems]);
        const isCut = ['TRUNCATED', 'ENTITIES_REFUSED'].some((code) =>
          problems.includes(code as SitemapProblemCode),
        );
        assert.equal(found.isComplete, !isCut && kind !== 'html' && kind !== 'unknown');
      }
    });
  }

  it('tells pages and sitemaps apart', async () => {
    assert.deepEqual((await read(two)).kinds, ['page', 'page']);
    assert.deepEqual(
      (await read(`<sitemapindex><sitemap><loc>/2.xml</loc></sitemap></sitemapindex>`)).kinds,
      ['sitemap'],
    );
  });

  it('reads dates of sitemaps and feeds', async () => {
    const set = urlset(
      url(A, '<lastmod>2026-11-20</lastmod>'),
      url(B, '<lastmod>yesterday</lastmod>'),
      url(B),
    );
    assert.deepEqual((await read(set)).lastmods, ['2026-11-20T00:00:00.000Z', null, null]);
    const rss = `<rss><item><link>${A}</link><pubDate>Fri, 20 Nov 2026 12:00:00 +0100</pubDate></item></rss>`;
    assert.deepEqual((await read(rss)).lastmods, ['2026-11-20T11:00:00.000Z']);
    const atom = `<feed><entry><link href="/"/><published>2020-01-01</published><source><updated>2000-01-01</updated></source><updated>2026-11-20T12:00:00Z</updated></entry></feed>`;
    assert.deepEqual((await read(atom)).lastmods, ['2026-11-20T12:00:00.000Z']);
  });

  it('believes the declaration, then the header', async () => {
    const latin1 = Buffer.from(`<urlset>${url('/é')}</urlset>`, 'latin1');
    assert.deepEqual((await read(latin1, { charset: 'iso-8859-1' })).urls, ['https://example.org/%C3%A9']);
    assert.deepEqual((await read(urlset(url('/é')), { charset: 'iso-8859-1' })).urls, [
      'https://example.org/%C3%A9',
    ]);
  });

  it('finds every address however the file is cut into pieces and packed', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.webUrl({ withQueryParameters: true }), { maxLength: 20 }),
        fc.integer({ min: 1, max: 400 }),
        fc.constantFrom('utf8', 'utf16le'),
        fc.boolean(),
        async (urls, size, encoding, isPacked) => {
          const escaped = urls.map((one) => url(one.replaceAll('&', '&amp;').replaceAll("'", '&apos;')));
          const bytes = Buffer.from(`\ufeff<urlset>${escaped.join('')}</urlset>`, encoding);
          const found = await read(isPacked ? gzipSync(bytes) : bytes, {}, size);
          assert.deepEqual(
            found.urls,
            urls.map((one) => new URL(one).href),
          );
          assert.deepEqual(found.problems, []);
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
