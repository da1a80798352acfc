import { UrlScope } from '@citewell/web';
import { describe, expect, it } from '@jest/globals';
import { discoverLinks } from './discover-links.js';
import { PAGE_URL, readPage } from './responses.fixtures.js';

const SITE = {
  scope: new UrlScope({ start: 'https://site.example/', exclude: ['/private/**'], maxDepth: 2 }),
  userAgent: 'Citewell/1.0',
};
const signal = new AbortController().signal;

async function found(
  urls: readonly string[],
  { depth = 0, nofollow = false, robotsTags = [] as string[] } = {},
): Promise<string[]> {
  const links = urls.map((url) => ({ url, nofollow: url.endsWith('?ugc') }));
  const page = readPage('text', { links, robots: { noindex: false, nofollow } });
  const discovered = await discoverLinks({ url: PAGE_URL, depth }, page, robotsTags, SITE, signal);
  for (const one of discovered)
    expect([one.kind, one.origin, one.depth]).toEqual(['page', 'link', depth + 1]);
  return discovered.map(({ url }) => url.replace('https://site.example', ''));
}

describe('discoverLinks', () => {
  it('finds each URL of the site once, normalized, without the page itself', async () => {
    const urls = ['/a', '/a#top', '/b?utm_source=x', '/guide/intro'].map(
      (path) => `https://site.example${path}`,
    );
    expect(await found(urls)).toEqual(['/a', '/b']);
  });

  it('leaves out other hosts, excluded pages, nofollow links and traps', async () => {
    const urls = [
      'https://elsewhere.example/',
      'https://site.example/private/a',
      'https://site.example/a?ugc',
      'https://site.example/x/y/x/y/x/y',
      `https://site.example/${'long/'.repeat(250)}`,
      'mailto:somebody@site.example',
    ];
    expect(await found(urls)).toEqual([]);
  });

  it('ends at the depth limit', async () => {
    expect(await found(['https://site.example/a'], { depth: 1 })).toEqual(['/a']);
    expect(await found(['https://site.example/a'], { depth: 2 })).toEqual([]);
  });

  it('obeys nofollow of the page and of its headers', async () => {
    const urls = ['https://site.example/a'];
    expect(await found(urls, { nofollow: true })).toEqual([]);
    expect(await found(urls, { robotsTags: ['nofollow'] })).toEqual([]);
    expect(await found(urls, { robotsTags: ['otherbot: nofollow'] })).toEqual(['/a']);
  });
});
