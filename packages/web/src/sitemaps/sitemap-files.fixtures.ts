import { gzipSync } from 'node:zlib';
import { expect } from '@jest/globals';
import { readSitemap, type ReadSitemapOptions, type SitemapReading } from './read-sitemap.js';
import type { SitemapEntry, SitemapKind, SitemapProblemCode, SitemapSummary } from './xml-sitemap.reader.js';

export const BASE = 'https://example.org/maps/sitemap.xml';
const NS = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';
const PROLOG = '<?xml version="1.0" encoding="UTF-8"?>\n';

export async function* pieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

export async function collect(reading: SitemapReading): Promise<SitemapEntry[]> {
  const entries: SitemapEntry[] = [];
  for await (const entry of reading) entries.push(entry);
  return entries;
}

interface Outcome extends SitemapSummary {
  urls: string[];
  kinds: string[];
}

export async function read(
  content: string | Uint8Array,
  options: Partial<ReadSitemapOptions> = {},
  size = 7,
): Promise<Outcome> {
  const reading = readSitemap(pieces(Buffer.from(content), size), { baseUrl: BASE, ...options });
  const entries = await collect(reading);
  expect(reading.summary.entries).toBe(entries.length);
  return { ...reading.summary, urls: entries.map(({ url }) => url), kinds: entries.map(({ kind }) => kind) };
}

export const url = (loc: string, more = ''): string => `<url><loc>${loc}</loc>${more}</url>`;
export const urlset = (...entries: string[]): string =>
  `${PROLOG}<urlset ${NS}>${entries.join('\n')}</urlset>`;
export const A = 'https://example.org/a';
export const B = 'https://example.org/b';
const MAP_A = 'https://example.org/1.xml';
export const two = urlset(url(A), url(B));
const utf16be = (text: string): Buffer => Buffer.from(text, 'utf16le').swap16();

type Row = readonly [
  why: string,
  content: string | Uint8Array,
  kind: SitemapKind,
  urls: string[],
  cutBy?: SitemapProblemCode,
];

/** Valid files. */
export const GOOD: readonly Row[] = [
  ['a urlset', two, 'urlset', [A, B]],
  ['an empty urlset', urlset(), 'urlset', []],
  ['a urlset without a namespace', `<urlset>${url(A)}</urlset>`, 'urlset', [A]],
  [
    'a urlset with another namespace',
    `<urlset xmlns="http://www.google.com/schemas/sitemap/0.84">${url(A)}</urlset>`,
    'urlset',
    [A],
  ],
  ['any prefix', `<s:urlset xmlns:s="x"><s:url><s:loc>${A}</s:loc></s:url></s:urlset>`, 'urlset', [A]],
  [
    'an index',
    `<sitemapindex ${NS}><sitemap><loc>${MAP_A}</loc></sitemap><sitemap><loc>2.xml</loc></sitemap></sitemapindex>`,
    'index',
    [MAP_A, 'https://example.org/maps/2.xml'],
  ],
  ['white space before the declaration', `\n\n  ${two}`, 'urlset', [A, B]],
  ['a byte order mark', `\ufeff${two}`, 'urlset', [A, B]],
  ['a byte order mark and white space', `\ufeff \n${two}`, 'urlset', [A, B]],
  ['much white space', ' '.repeat(5000) + two, 'urlset', [A, B]],
  ['UTF-16 with a mark', Buffer.from(`\ufeff${two}`, 'utf16le'), 'urlset', [A, B]],
  ['big-endian UTF-16', utf16be(`\ufeff${two}`), 'urlset', [A, B]],
  ['UTF-16 without a mark', Buffer.from(two, 'utf16le'), 'urlset', [A, B]],
  ['a wrong declaration of UTF-16', two.replace('UTF-8', 'UTF-16'), 'urlset', [A, B]],
  [
    'a declared encoding',
    Buffer.from(urlset(url('/é')).replace('UTF-8', 'ISO-8859-1'), 'latin1'),
    'urlset',
    ['https://example.org/%C3%A9'],
  ],
  ['an unknown encoding', two.replace('UTF-8', 'klingon'), 'urlset', [A, B]],
  ['gzip', gzipSync(two), 'urlset', [A, B]],
  ['gzip with trailing bytes', Buffer.concat([gzipSync(two), Buffer.from('\0\0\0')]), 'urlset', [A, B]],
  [
    'gzip in two members',
    Buffer.concat([gzipSync(two.slice(0, 80)), gzipSync(two.slice(80))]),
    'urlset',
    [A, B],
  ],
  [
    'relative URLs',
    urlset(url('/x'), url('y'), url('?z'), url('//e.net/')),
    'urlset',
    [
      'https://example.org/x',
      'https://example.org/maps/y',
      'https://example.org/maps/sitemap.xml?z',
      'https://e.net/',
    ],
  ],
  ['white space around URLs', urlset(url(`\n  ${A}\n `)), 'urlset', [A]],
  ['references', urlset(url('/?a=1&amp;b=2&#38;c=&#x33;')), 'urlset', ['https://example.org/?a=1&b=2&c=3']],
  ['CDATA', urlset(url(`<![CDATA[${A}?a=1&b=2]]>`)), 'urlset', [`${A}?a=1&b=2`]],
  ['text in parts', urlset(url(`https://<![CDATA[example]]>.org/<!-- x -->a`)), 'urlset', [A]],
  ['fragments are dropped', urlset(url(`${A}#part`)), 'urlset', [A]],
  [
    'alternates and images, which do not count',
    urlset(
      url(
        A,
        `<xhtml:link xmlns:xhtml="x" rel="alternate" hreflang="de" href="${B}"/><image:image xmlns:image="i"><image:loc>${B}</image:loc></image:image>`,
      ),
    ),
    'urlset',
    [A],
  ],
  [
    '… before the URL',
    urlset(
      `<url><image:loc xmlns:image="i">${B}</image:loc><image><loc>${B}</loc></image><loc>${A}</loc></url>`,
    ),
    'urlset',
    [A],
  ],
  ['the first of two URLs', urlset(`<url><loc>${A}</loc><loc>${B}</loc></url>`), 'urlset', [A]],
  [
    'comments and instructions',
    `${PROLOG}<?xml-stylesheet href="a.xsl"?><!-- <url> --><urlset ${NS}>${url(A)}</urlset><!-- end -->`,
    'urlset',
    [A],
  ],
  [
    'a doctype without entities',
    `${PROLOG}<!DOCTYPE urlset SYSTEM "x.dtd"><urlset ${NS}>${url(A)}</urlset>`,
    'urlset',
    [A],
  ],
  ['names in capitals', `<URLSET><URL><LOC>${A}</LOC></URL></URLSET>`, 'urlset', [A]],
  [
    'RSS',
    `<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel><link>https://example.org/</link><atom:link href="x"/><item><title>t</title><atom:link href="${B}"/><link>${A}</link></item><item><guid>${B}</guid></item></channel></rss>`,
    'feed',
    [A, B],
  ],
  [
    'RSS with a guid that is not a URL',
    `<rss><channel><item><guid isPermaLink="false">https://example.org/x</guid><link>${A}</link></item></channel></rss>`,
    'feed',
    [A],
  ],
  [
    'RSS 1.0',
    `<rdf:RDF xmlns:rdf="r" xmlns="http://purl.org/rss/1.0/"><channel><link>x</link></channel><item rdf:about="x"><link>${A}</link></item></rdf:RDF>`,
    'feed',
    [A],
  ],
  [
    'Atom',
    `<feed xmlns="http://www.w3.org/2005/Atom"><link href="https://example.org/"/><entry><link rel="self" href="x"/><link href="/a"/></entry><entry><link rel="alternate" href="${B}"/></entry></feed>`,
    'feed',
    [A, B],
  ],
  ['a text', `${A}\n${B}\n`, 'text', [A, B]],
  ['a text with CRLF, empty lines and comments', `# all pages\r\n\r\n${A}\r\n  ${B}  `, 'text', [A, B]],
  ['a compressed text in UTF-16', gzipSync(Buffer.from(`\ufeff${A}\n${B}`, 'utf16le')), 'text', [A, B]],
];

/** Files with errors, and the entries that are found. */
export const BAD: readonly Row[] = [
  ['a missing end', two.slice(0, -9), 'urlset', [A, B], 'TRUNCATED'],
  ['an end within a URL', two.slice(0, two.indexOf(B) + 10), 'urlset', [A], 'TRUNCATED'],
  ['an end after a URL', `${two.slice(0, two.indexOf(B))}${B}</loc><lastm`, 'urlset', [A, B], 'TRUNCATED'],
  ['text after the end', `${two}\n<p>served in 3 ms</p>`, 'urlset', [A, B]],
  ['a bare &', urlset(url('/?a=1&b=2'), url(A)), 'urlset', ['https://example.org/?a=1&b=2', A]],
  ['an unknown entity', urlset(url('/&nbsp;x'), url(A)), 'urlset', ['https://example.org/&nbsp;x', A]],
  ['a tag that is not closed', urlset(`<url><loc>${A}</loc>`, url(B)), 'urlset', [A, B]],
  ['a tag that is closed twice', urlset(`${url(A)}</url>`, url(B)), 'urlset', [A, B]],
  ['an undeclared prefix', urlset(`<url><image:loc>x</image:loc><loc>${A}</loc></url>`), 'urlset', [A]],
  ['entries without a URL', urlset('<url></url>', url(''), url(' '), url(A)), 'urlset', [A]],
  [
    'invalid URLs',
    urlset(url('http://'), url('mailto:a@e.org'), url(`/${'x'.repeat(9000)}`), url(A)),
    'urlset',
    [A],
  ],
  [
    'entities',
    `<!DOCTYPE u [<!ENTITY a "${B}">]><urlset>${url('&a;')}${url(A)}</urlset>`,
    'unknown',
    [],
    'ENTITIES_REFUSED',
  ],
  [
    'an entity bomb',
    `<!DOCTYPE u [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><urlset>${url('&b;')}</urlset>`,
    'unknown',
    [],
    'ENTITIES_REFUSED',
  ],
  [
    'an external entity',
    `<!DOCTYPE u [<!ENTITY a SYSTEM "file:///etc/passwd">]><urlset>${url('&a;')}</urlset>`,
    'unknown',
    [],
    'ENTITIES_REFUSED',
  ],
  ['an endless token', `<urlset>${url(A)}<!--${'x'.repeat(1_200_000)}`, 'urlset', [A], 'TRUNCATED'],
  ['an endless nest', `<urlset>${url(A)}${'<a>'.repeat(200)}`, 'urlset', [A], 'TRUNCATED'],
  ['lines that are not URLs', `${A}\nhello\n/relative\n${B}`, 'text', [A, B]],
  ['a page', '<!DOCTYPE html><html><body><a href="/a">a</a></body></html>', 'html', []],
  ['a page without a doctype', '<HTML lang=en><body>', 'html', []],
  ['a page in XML', `${PROLOG}<html xmlns="http://www.w3.org/1999/xhtml"><body/></html>`, 'html', []],
  ['other XML', '<svg xmlns="x"><url><loc>x</loc></url></svg>', 'unknown', []],
  ['a sentence', 'Not found', 'unknown', []],
  ['JSON', '{"urls": ["https://example.org/"]}', 'unknown', []],
  ['nothing', '', 'unknown', []],
  ['white space', ' \n ', 'unknown', []],
  ['binary', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 1]), 'unknown', []],
];
