import { type HostileSite, MEGABYTE, times } from './hostile-content.js';
import { respond } from './hostile-server.js';

const PLAIN_WORDS = 'The page of a hostile site tells of nothing, at some length and in plain words. ';
const page = (
  name: string,
  html: string | Uint8Array,
  outcome = 'synched',
  contentType = 'text/html',
): HostileSite => ({
  name: `a page with ${name}`,
  routes: {
    '/': respond(typeof html === 'string' ? `<p>${PLAIN_WORDS}</p>${html}` : html, {
      'content-type': contentType,
    }),
  },
  outcome,
});
const head = (name: string, markup: string, outcome?: string): HostileSite =>
  page(name, Buffer.from(`<head>${markup}</head><body><p>${PLAIN_WORDS}</p>`), outcome);
const latin1 = (text: string): Buffer => Buffer.from(`<p>${PLAIN_WORDS}</p>${text}`, 'latin1');

/** Pages that take an HTML parser, a search for the main content or a crawler as long as possible. */
export const HOSTILE_PAGES: readonly HostileSite[] = [
  page(
    '200,000 links',
    times(200_000, (n) => `<a href="/${n}">${n}</a> `),
    'synched PARTIAL',
  ),
  page(
    '200,000 links up',
    `<base href="/${'a/'.repeat(1_000)}">${times(20_000, (n) => `<a href="${'../'.repeat(n % 999)}${n}?${'a&'.repeat(100)}">x</a>`)}`,
    'synched',
  ),
  page('100,000 nested elements', '<div>'.repeat(100_000)),
  page('100,000 nested elements of formatting', '<b><i><a href=x><font>'.repeat(25_000)),
  page('100,000 misnested elements', '<b><p></b></p>'.repeat(100_000) + '</i>'.repeat(100_000)),
  page('50,000 nested tables', '<table><tr><td>'.repeat(50_000)),
  page('50,000 nested lists', '<ul><li>x'.repeat(50_000)),
  page('50,000 nested quotes', '<blockquote>x'.repeat(50_000)),
  page(
    'cells that span everything',
    `<table>${'<tr><td colspan=1000 rowspan=65534>x<td colspan=1000 rowspan=0>y'.repeat(2_000)}</table>`,
  ),
  page('a table of 300,000 cells', `<table>${times(3_000, () => `<tr>${'<td>x'.repeat(100)}`)}</table>`),
  page('a line of 20 MB', 'words '.repeat((20 * MEGABYTE) / 6)),
  page('a word of 20 MB', 'x'.repeat(20 * MEGABYTE)),
  page(
    'an attribute of 20 MB',
    `<a href="/${'x'.repeat(10 * MEGABYTE)}" title="${'&amp;'.repeat(2 * MEGABYTE)}">x</a>`,
  ),
  page('1,000,000 attributes', `<p ${times(1_000_000, (n) => `a${n}=x `)}>`),
  page(
    '200,000 headings with ids',
    times(200_000, (n) => `<h${(n % 6) + 1} id="${n}">${n}</h${(n % 6) + 1}>`),
  ),
  page('3,000,000 tags', '<p>x'.repeat(3_000_000), 'error SITE_FAILED'),
  page('1,000,000 comments', `${'<!-- x -->'.repeat(1_000_000)}${'<!--'.repeat(1_000_000)}`),
  page(
    '2,000,000 entities',
    `${'&amp'.repeat(MEGABYTE)}${'&#x110000;&#xd800;&NotAnEntityOfAnyKind;'.repeat(20_000)}`,
  ),
  page('unfinished tags', '<a '.repeat(500_000) + '<'.repeat(500_000)),
  page('foreign elements', '<svg><math><foreignObject><template>'.repeat(25_000)),
  page(
    'structured data that is nested deeply',
    `<script type="application/ld+json">${'[{"a":'.repeat(500_000)}</script>`,
  ),
  page('100,000 dates', `<time datetime="${'9'.repeat(300)}">x</time>`.repeat(100_000)),
  page(
    '5 MB of spaces',
    `<h1>a${' '.repeat(5 * MEGABYTE)}b</h1><p>${'&nbsp;'.repeat(MEGABYTE)}</p><pre>${' \n'.repeat(MEGABYTE)}x</pre>`,
  ),
  page('combining characters', `<p>${'\u0301'.repeat(MEGABYTE)}</p>`),
  page('controls of direction', `<p>${'\u202e\u2066\u200b'.repeat(MEGABYTE / 3)}</p>`),
  head(
    '10,000 canonical links',
    '<link rel="canonical" href="/a"><link rel=canonical href="/b">'.repeat(5_000),
  ),
  head(
    '200,000 metas',
    times(100_000, (n) => `<meta name="robots" content="a${n}, ,"><meta property="og:title" content="">`),
  ),
  head(
    'metas of 1 MB of spaces',
    [
      'robots',
      'description',
      'og:title',
      'date',
      'author',
      'og:locale',
      'content-language',
      'article:published_time',
    ]
      .map((name) => `<meta name="${name}" content="x${' '.repeat(MEGABYTE)}x">`)
      .join(''),
  ),
  head('a title of 5 MB of separators', `<title>${' | - – '.repeat(600_000)}</title>`),
  head(
    'a refresh of 1 MB',
    `<meta http-equiv="refresh" content="${' '.repeat(MEGABYTE)}1${'.1'.repeat(MEGABYTE)}x">`,
  ),
  head('a refresh to a file', '<meta http-equiv="refresh" content="0; url=file:///etc/passwd">'),
  head(
    '100,000 feeds and sitemaps',
    times(
      50_000,
      (n) =>
        `<link rel="alternate" type="application/rss+xml" href="/f${n}"><link rel=sitemap href="/s${n}">`,
    ),
    'synched',
  ),
  ...[
    'utf-7',
    'constructor',
    '__proto__',
    'x-user-defined',
    'iso-2022-kr',
    'replacement',
    'x'.repeat(10_000),
    '"',
  ].map((charset) =>
    page(
      `the charset ${charset.slice(0, 20)}`,
      latin1('\u00ff\u00fe+ADw-script+AD4-'),
      'synched',
      `text/html; charset=${charset}`,
    ),
  ),
  page(
    'bytes that are no UTF-8',
    latin1('\u00c3\u00f5\u00ff\u0080'.repeat(MEGABYTE)),
    'synched',
    'text/html; charset=utf-8',
  ),
  page(
    'an odd number of UTF-16 bytes',
    Buffer.concat([Buffer.from(`\ufeff<p>${PLAIN_WORDS}`, 'utf16le'), Buffer.from([0xd8, 0xd8, 0x00])]),
  ),
  page('a type of many parameters', `<p>x`, 'synched', `text/html${';a=b'.repeat(3_000)}`),
  page('a type that is a lie', Buffer.alloc(MEGABYTE, '%PDF-1.7\n'), 'synched', 'text/html'),
];
