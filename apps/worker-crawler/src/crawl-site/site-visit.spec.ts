import { describe, expect, it } from '@jest/globals';
import { siteConfigOf } from './site-visit.js';

describe('siteConfigOf', () => {
  it('has defaults', () => {
    const { start, sitemap, maxPages, render } = siteConfigOf({
      config: { source_url: 'HTTPS://Site.example:443/docs/#top' },
    });
    expect([start, sitemap, maxPages, render]).toEqual(['https://site.example/docs/', null, 1_000, 'auto']);
  });

  it('may be a sitemap alone, whose host is the site', () => {
    const { start, sitemap, scope } = siteConfigOf({
      config: { sitemap: 'https://site.example/sitemap.xml' },
    });
    expect([start, sitemap]).toEqual([null, 'https://site.example/sitemap.xml']);
    expect(scope.refusalOf('https://site.example/a')).toBeNull();
  });

  it('includes the www alias of its host, and no other host', () => {
    for (const [home, alias] of [
      ['https://site.example/', 'https://www.site.example/a'],
      ['https://www.site.example/', 'https://site.example/a'],
      ['http://127.0.0.1:8080/', 'http://127.0.0.1:8080/a'],
    ]) {
      const { scope } = siteConfigOf({ config: { source_url: home } });
      expect([home, scope.refusalOf(alias ?? '')]).toEqual([home, null]);
      expect(scope.refusalOf('https://docs.site.example/a')).toBe('OTHER_HOST');
    }
    const { scope } = siteConfigOf({ config: { source_url: 'http://127.0.0.1:8080/' } });
    expect(scope.refusalOf('http://127.0.0.1:8081/a')).toBe('OTHER_HOST');
    expect(siteConfigOf({ config: { source_url: 'http://[::1]:8080/' } }).start).toBe('http://[::1]:8080/');
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
    expect([maxPages, render]).toEqual([5_000, 'never']);
    expect(scope.refusalOf('https://site.example/docs/a', 2)).toBeNull();
    expect(scope.refusalOf('https://site.example/docs/a', 3)).toBe('TOO_DEEP');
    expect(scope.refusalOf('https://site.example/docs/old/a')).toBe('EXCLUDED');
    expect(scope.refusalOf('https://site.example/blog')).toBe('NOT_INCLUDED');
  });

  it('needs an address', () => {
    expect(() => siteConfigOf({ config: {} })).toThrow(TypeError);
    expect(() => siteConfigOf({ config: { source_url: 'nowhere' } })).toThrow(TypeError);
  });
});
