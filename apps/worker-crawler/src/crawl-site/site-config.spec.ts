import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { siteConfigOf } from './site-config.js';

describe('the configuration of a site', () => {
  it('has defaults', () => {
    const { start, sitemap, maxPages, maxUrls, render } = siteConfigOf({
      config: { source_url: 'HTTPS://Site.example:443/docs/#top' },
    });
    assert.deepEqual(
      [start, sitemap, maxPages, maxUrls],
      ['https://site.example/docs/', null, 1_000, 10_000],
    );
    assert.equal(render, 'auto');
  });

  it('may be a sitemap alone, whose host is the site', () => {
    const { start, sitemap, scope } = siteConfigOf({
      config: { sitemap: 'https://site.example/sitemap.xml' },
    });
    assert.deepEqual([start, sitemap], [null, 'https://site.example/sitemap.xml']);
    assert.equal(scope.refusalOf('https://site.example/a'), null);
  });

  it('takes the twin with or without www for the same site, and no other host', () => {
    for (const [home, twin] of [
      ['https://site.example/', 'https://www.site.example/a'],
      ['https://www.site.example/', 'https://site.example/a'],
      ['http://127.0.0.1:8080/', 'http://127.0.0.1:8080/a'],
    ]) {
      const { scope } = siteConfigOf({ config: { source_url: home } });
      assert.equal(scope.refusalOf(twin ?? ''), null, home);
      assert.equal(scope.refusalOf('https://docs.site.example/a'), 'OTHER_HOST');
    }
    const { scope } = siteConfigOf({ config: { source_url: 'http://127.0.0.1:8080/' } });
    assert.equal(scope.refusalOf('http://127.0.0.1:8081/a'), 'OTHER_HOST');
    assert.ok(siteConfigOf({ config: { source_url: 'http://[::1]:8080/' } }));
  });

  it('passes on limits and patterns, and looks at ten URLs for each page', () => {
    const { scope, maxPages, maxUrls, render } = siteConfigOf({
      config: {
        source_url: 'https://site.example/',
        maxPages: 5_000,
        maxDepth: 2,
        include: ['/docs/**'],
        exclude: ['/docs/old/**'],
        render: 'never',
      },
    });
    assert.deepEqual([maxPages, maxUrls, render], [5_000, 50_000, 'never']);
    assert.equal(scope.refusalOf('https://site.example/docs/a', 2), null);
    assert.equal(scope.refusalOf('https://site.example/docs/a', 3), 'TOO_DEEP');
    assert.equal(scope.refusalOf('https://site.example/docs/old/a'), 'EXCLUDED');
    assert.equal(scope.refusalOf('https://site.example/blog'), 'NOT_INCLUDED');
  });

  it('needs an address', () => {
    assert.throws(() => siteConfigOf({ config: {} }), TypeError);
    assert.throws(() => siteConfigOf({ config: { source_url: 'nowhere' } }), TypeError);
  });
});
