import { brotliCompressSync, gzipSync } from 'node:zlib';
import { headOf, redirectTo, respond, sendEndlessly } from './hostile-server.js';
import { type HostileSite, MEGABYTE, times } from './hostile-content.js';

const START = {
  '/': respond('<p>The page of a hostile site tells of nothing, at some length and in plain words.</p>'),
};
const XML = { 'content-type': 'application/xml' };
const PLAIN = { 'content-type': 'text/plain' };
const urls = (entries: string): string =>
  `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${entries}</urlset>`;
const index = (...addresses: string[]): string =>
  `<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${addresses.map((loc) => `<sitemap><loc>${loc}</loc></sitemap>`).join('')}</sitemapindex>`;

const robots = (name: string, body: string, outcome = 'synched'): HostileSite => ({
  name: `robots.txt with ${name}`,
  routes: { ...START, '/robots.txt': respond(body, PLAIN) },
  outcome,
});
const sitemap = (name: string, body: string | Uint8Array, outcome = 'synched'): HostileSite => ({
  name: `a sitemap with ${name}`,
  routes: { ...START, '/sitemap.xml': respond(body, XML) },
  outcome,
});

/** robots.txt and sitemaps that take the crawler as long as possible. */
export const HOSTILE_SITEMAPS: readonly HostileSite[] = [
  {
    name: 'an endless robots.txt',
    routes: {
      ...START,
      '/robots.txt': sendEndlessly(headOf('200 OK', PLAIN), 'Disallow: /x\n'.repeat(5_000)),
    },
    outcome: 'synched',
  },
  {
    name: 'a robots.txt that is a bomb',
    routes: {
      ...START,
      '/robots.txt': respond(brotliCompressSync(Buffer.alloc(100 * MEGABYTE)), { 'content-encoding': 'br' }),
    },
    outcome: 'synched',
  },
  {
    name: 'a robots.txt that redirects to itself',
    routes: { ...START, '/robots.txt': redirectTo('/robots.txt') },
    outcome: 'synched',
  },
  robots('one line of 500 kB', `User-agent: *\nDisallow: /${'*a'.repeat(250_000)}`),
  robots('250,000 wildcards', `User-agent: *\nDisallow: /${'*a'.repeat(240_000)}$\n`),
  {
    name: 'robots.txt with 33,000 slow rules and 500 long addresses',
    routes: {
      '*': respond('<p>A page.</p>'),
      '/': respond(
        `<p>Links.</p>${times(500, (n) => `<a href="/${n}${'a'.repeat(1_000)}?${'a'.repeat(900)}">x</a>`)}`,
      ),
      '/robots.txt': respond(`User-agent: *\n${'Disallow:/*aab\n'.repeat(33_000)}`, PLAIN),
      '/sitemap.xml': respond('', {}, '404 Not Found'),
      '/sitemap_index.xml': respond('', {}, '404 Not Found'),
    },
    outcome: 'synched PARTIAL',
  },
  robots(
    '100,000 agents and groups',
    `${'User-agent: a\nDisallow: /\n'.repeat(18_000)}User-agent: *\nAllow: /\n`,
  ),
  robots(
    '10,000 sitemaps',
    times(10_000, (n) => `Sitemap: /s/${n}.xml\n`),
    'synched PARTIAL',
  ),
  robots(
    'bytes of no encoding',
    `User-agent: *\n${'\u0000\u00ff\u0085'.repeat(100_000)}: \nDisallow: /%%%\n`,
  ),
  {
    name: 'a sitemap of 100 MB',
    routes: {
      ...START,
      '/sitemap.xml': sendEndlessly(headOf('200 OK', XML), '<url><loc>/x</loc></url>'.repeat(5_000)),
    },
    outcome: 'synched',
  },
  {
    name: 'a sitemap that drips',
    routes: { ...START, '/sitemap.xml': sendEndlessly(headOf('200 OK', XML), '<', 1_000) },
    outcome: 'synched PARTIAL',
  },
  sitemap(
    '50,000 addresses of 900 characters',
    gzipSync(urls(times(50_000, (n) => `<url><loc>/${n}${'x'.repeat(900)}</loc></url>`))),
    'error SITE_FAILED',
  ),
  sitemap('itself', index('/sitemap.xml', '/sitemap.xml#1', '/sitemap_index.xml')),
  {
    name: 'sitemaps that list each other without end',
    routes: {
      ...START,
      '*': (socket) =>
        respond(index(...Array.from({ length: 100 }, () => `/${Math.random()}.xml`)), XML)(socket),
    },
    outcome: 'synched PARTIAL',
  },
  sitemap(
    '50,000 sitemaps',
    index(...Array.from({ length: 50_000 }, (_, n) => `/s/${n}.xml`)),
    'synched PARTIAL',
  ),
  sitemap('a bomb', gzipSync(Buffer.alloc(300 * MEGABYTE, urls('').slice(0, 60))), 'synched PARTIAL'),
  sitemap('1,000,000 open elements', `<urlset>${'<url>'.repeat(1_000_000)}`, 'synched PARTIAL'),
  sitemap('1,000,000 attributes', `<urlset ${times(1_000_000, (n) => `a${n}="x" `)}>`),
  sitemap('a name of 10 MB', `<${'a'.repeat(10 * MEGABYTE)}>`),
  sitemap('an attribute of 10 MB', `<urlset a="${'&amp;'.repeat(2 * MEGABYTE)}">`),
  sitemap(
    'nested entities',
    `<!DOCTYPE x [<!ENTITY a "${'ha'.repeat(100)}"><!ENTITY b "${'&a;'.repeat(100)}">]>${urls('<url><loc>/&b;</loc></url>')}`,
  ),
  sitemap('a comment of 20 MB', `<!--${'-- '.repeat(7 * MEGABYTE)}`),
  sitemap('an unknown encoding', `<?xml version="1.0" encoding="${'x'.repeat(500)}"?>${urls('')}`),
  sitemap(
    'files and data',
    urls(
      ['file:///etc/passwd', 'data:,x', 'http://127.0.0.2/', '//']
        .map((loc) => `<url><loc>${loc}</loc></url>`)
        .join(''),
    ),
  ),
  sitemap('one text line of 20 MB', `http://127.0.0.1/${'x'.repeat(20 * MEGABYTE)}`),
];
