import { gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { looksLikeSitemapOrFeed } from './looks-like-sitemap.js';
import { A, B, two, url, urlset } from './sitemap-files.fixtures.js';

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
