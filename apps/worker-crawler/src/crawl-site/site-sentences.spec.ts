import assert from 'node:assert/strict';
import { it } from 'node:test';
import { siteConfigOf } from './site-config.js';
import { whyEmpty } from './site-sentences.js';

const site = siteConfigOf({ config: { source_url: 'https://site.example/', render: 'never' } });
const url = 'https://site.example/feed';

it('says why a site has no page: what most of it was left out for, if that says something', () => {
  for (const [reason, expected] of [
    ['NOT_A_PAGE', /site\.example\/feed is a sitemap or a feed, and no page\. Give it as sitemap/],
    ['EXCLUDED', /left out by include and exclude.*\/docs\/\*\*/],
    ['NOINDEX', /asks not to be indexed/],
    ['ROBOTS', /robots\.txt/],
    ['EMPTY', /has no text without a browser, and render is never/],
    ['GONE', /is not there/],
    ['REDIRECT_AWAY', /leads to another host/],
    ['UNSUPPORTED', /no type that can be read/],
  ] as const)
    assert.match(whyEmpty([{ reason, url }], site) ?? '', expected);
  const pointing = { reason: 'REDIRECT', url };
  assert.match(whyEmpty([pointing, { reason: 'ROBOTS', url }], site) ?? '', /robots\.txt/);
  assert.equal(whyEmpty([pointing], site), null);
  assert.equal(whyEmpty([], site), null);
});

it('says that a sitemap lists nothing of the site', () => {
  const listed = siteConfigOf({ config: { sitemap: 'https://site.example/sitemap.xml' } });
  assert.match(whyEmpty([], listed) ?? '', /The sitemap lists no address of the site/);
});
