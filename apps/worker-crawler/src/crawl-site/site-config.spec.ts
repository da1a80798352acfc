import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { siteConfigOf } from './site-config.js';

describe('siteConfigOf', () => {
  it('has defaults', () => {
    const { start, sitemap, maxPages, render } = siteConfigOf({
      config: { source_url: 'HTTPS://Site.example:443/docs/#top' },
    });
    assert.deepEqual([start, sitemap, maxPages, render], ['https://site.example/docs/', null, 1_000, 'auto']);
  });

  it('may be a sitemap alone, whose host is the site', () => {
    const { start, sitemap, scope } = siteConfigOf({
      config: { sitemap: 'https://site.example/sitemap.xml' },
    });
    assert.deepEqual([start, sitemap], [null, 'https://site.example/sitemap.xml']);
    assert.equal(scope.refusalOf('https://site.example/a'), null);
  });

  it('includes the www alias of its host, and no other host', () => {
    for (const [home, alias] of [
      ['https://site.example/', 'https://www.site.example/a'],
      ['https://www.site.example/', 'https://site.example/a'],
      ['http://127.0.0.1:8080/', 'http://127.0.0.1:8080/a'],
    ]) {
      const { scope } = siteConfigOf({ config: { source_url: home } });
      assert.equal(scope.refusalOf(alias ?? ''), null, home);
      assert.equal(scope.refusalOf('https://docs.site.example/a'), 'OTHER_HOST');
    }
    const { scope } = siteConfigOf({ config: { source_url: 'http://127.0.0.1:8080/' } });
    assert.equal(scope.refusalOf('http://127.0.0.1:8081/a'), 'OTHER_HOST');
    assert.ok(siteConfigOf({ config: { source_url: 'http://[::1]:8080/' } }));
  });

  it('has limits, patterns and a render mode', () => {
    const { scope, maxPages, render } = siteConfigOf({
      config: {
        source_url: 'https://site.example/',
        maxPages: 5_000,
        maxDepth: 2,
        include: ['/docs/**'],
        exclude: ['/docs/old/**'],
        render: 'never',
      },
    });
    assert.deepEqual([maxPages, render], [5_000, 'never']);
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
