import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { UrlScope } from '@citewell/web';
import { LinkFilter } from './link-filter.js';

const at = (path: string): string => `https://site.example${path}`;
const known = (path: string, kind: 'page' | 'sitemap' = 'page', depth = 0) => ({
  url: at(path),
  kind,
  depth,
});
const scope = (options: Partial<ConstructorParameters<typeof UrlScope>[0]> = {}): UrlScope =>
  new UrlScope({ start: at('/'), ...options });

describe('the links of a site', () => {
  it('are new once, whatever they look like', async () => {
    const links = await LinkFilter.after([known('/known')], { scope: scope(), maxUrls: 100 });
    assert.deepEqual(links.newOf([at('/a#one'), at('/a#two'), at('/a?utm_source=x'), at('/known')], 1), [
      at('/a'),
    ]);
    assert.deepEqual(links.newOf([at('/a')], 2), []);
    assert.deepEqual(
      [links.has(at('/a')), links.has(at('/known')), links.has(at('/b'))],
      [true, true, false],
    );
  });

  it('belong to the site, are addresses, and fit into an index', () => {
    const links = new LinkFilter(scope({ exclude: ['/private/**'] }), 100);
    const offered = [
      'https://other.example/',
      'mailto:a@site.example',
      'not a url',
      at('/private/x'),
      at(`/${'x'.repeat(2_100)}`),
    ];
    assert.deepEqual(links.newOf(offered, 1), []);
    assert.deepEqual(links.newListed(at(`/?q=${'x'.repeat(2_100)}`)), []);
  });

  it('lead no further than maxDepth; what a sitemap lists is where it is', () => {
    const links = new LinkFilter(scope({ maxDepth: 1 }), 100);
    assert.deepEqual(links.newOf([at('/a')], 2), []);
    assert.deepEqual(links.newOf([at('/a')], 1), [at('/a')]);
    assert.deepEqual(links.newListed(at('/b')), [at('/b')]);
  });

  it('come nearer where somebody has said how far a site goes', async () => {
    const found = [known('/a', 'page', 3), known('/start', 'page', 0)];
    const links = await LinkFilter.after(found, { scope: scope({ maxDepth: 3 }), maxUrls: 100 });
    assert.deepEqual(links.newOf([at('/a'), at('/start')], 3), []);
    assert.deepEqual(links.newOf([at('/a'), at('/start')], 2), [at('/a')]);
    assert.deepEqual([links.depthOf(at('/a')), links.newOf([at('/a')], 2)], [2, []]);
    const endless = await LinkFilter.after(found, { scope: scope(), maxUrls: 100 });
    assert.deepEqual(endless.newOf([at('/a')], 2), [], 'else it does not matter how near a page is');
  });

  it('are bounded by shape, as a sitemap is not', () => {
    const links = new LinkFilter(scope({ maxEntries: 2 }), 100);
    const items = [1, 2, 3, 4].map((n) => at(`/item/${n}`));
    assert.deepEqual(links.newOf(items, 1), items.slice(0, 2));
    assert.deepEqual(links.newListed(at('/item/9')), [at('/item/9')]);
    assert.equal(links.hasOverflown, false, 'a trap does not end the crawl');
    assert.equal(links.oneTooMany, at('/item/3'));
  });

  it('that were pages before are no traps, and count', async () => {
    const pages = new Set([at('/item/8'), at('/events/2012/05/07')]);
    const links = await LinkFilter.after([], { scope: scope({ maxEntries: 2 }), maxUrls: 100, pages });
    const offered = [at('/item/1'), at('/item/2'), ...pages, at('/events/2012/06/07')];
    assert.deepEqual(links.newOf(offered, 1), [at('/item/1'), ...pages]);
    assert.equal(links.oneTooMany, at('/item/2'));
  });

  it('are bounded by shape over all turns of a crawl', async () => {
    const before = [known('/item/1'), known('/item/2')];
    const links = await LinkFilter.after(before, { scope: scope({ maxEntries: 2 }), maxUrls: 100 });
    assert.deepEqual(links.newOf([at('/item/3')], 1), []);
  });

  it('are bounded in all, sitemaps included, and say so', async () => {
    const links = await LinkFilter.after([known('/a')], { scope: scope(), maxUrls: 3 });
    assert.deepEqual(links.newSitemap('https://cdn.example/sitemap.xml'), [
      'https://cdn.example/sitemap.xml',
    ]);
    assert.deepEqual(links.newSitemap('https://cdn.example/sitemap.xml'), []);
    assert.deepEqual(links.newOf([at('/b'), at('/c')], 1), [at('/b')]);
    assert.equal(links.hasOverflown, true);
    assert.deepEqual([links.newListed(at('/d')), links.newSitemap(at('/s.xml'))], [[], []]);
  });

  it('that are known or foreign do not overflow', async () => {
    const links = await LinkFilter.after([known('/a')], { scope: scope(), maxUrls: 1 });
    links.newOf([at('/a'), 'https://other.example/'], 1);
    assert.equal(links.hasOverflown, false);
    links.newOf([at('/b')], 1);
    assert.equal(links.hasOverflown, true);
  });

  it('overflow with one too many of a shape, too, where there is room for none', async () => {
    const links = await LinkFilter.after([known('/item/1')], { scope: scope({ maxEntries: 1 }), maxUrls: 1 });
    assert.deepEqual(links.newOf([at('/item/2')], 1), []);
    assert.equal(links.hasOverflown, true);
  });

  it('lead on where they lead to another page of the crawl', async () => {
    const links = await LinkFilter.after([known('/'), known('/map', 'sitemap')], {
      scope: scope(),
      maxUrls: 100,
    });
    assert.equal(links.leadOn([at('/#top'), at('/elsewhere'), at('/map')], at('/')), false);
    assert.equal(links.leadOn([at('/#top')], at('/page')), true);
  });

  it('may be a sitemap and a page', async () => {
    const links = await LinkFilter.after([known('/map', 'sitemap')], { scope: scope(), maxUrls: 100 });
    assert.deepEqual([links.newSitemap(at('/map')), links.newOf([at('/map')], 1)], [[], [at('/map')]]);
    assert.deepEqual([links.newSitemap(at('/')), links.newListed(at('/'))], [[at('/')], [at('/')]]);
  });

  it('that were pages before lead no further than maxDepth either', () => {
    const links = new LinkFilter(scope({ maxDepth: 1 }), 100);
    assert.deepEqual([links.newKnown(at('/a'), 2), links.newKnown(at('/b'), 1)], [[], [at('/b')]]);
  });

  it('that were pages before have their places, however many others there are', () => {
    const links = new LinkFilter(scope(), 1);
    assert.deepEqual([links.newListed(at('/a')), links.newListed(at('/b'))], [[at('/a')], []]);
    assert.deepEqual([links.newKnown(at('/b'), 1), links.newKnown(at('/b'), 1)], [[at('/b')], []]);
  });
});
