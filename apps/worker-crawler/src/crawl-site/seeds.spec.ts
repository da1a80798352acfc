import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { RobotsFile } from '@citewell/web';
import { Seeds } from './seeds.js';
import { siteConfigOf } from './site-config.js';

describe('the seeds of a crawl', () => {
  const home = 'https://site.example/';

  /** What a crawl begins with, by a robots.txt. */
  async function seedsBy(robots: string): Promise<string[]> {
    const file = new RobotsFile(robots, `${home}robots.txt`);
    const answer = {
      state: 'file',
      robots: file,
      expiresAtMs: 0,
      unreachableSinceMs: null,
      problem: null,
    } as const;
    const seeds = new Seeds({ answerFor: async () => answer }, { CRAWL_USER_AGENT: 'Test' });
    const found = await seeds.of(siteConfigOf({ config: { source_url: home } }), [], {
      signal: new AbortController().signal,
    });
    return found.map(({ url }) => url);
  }

  it('are the sitemaps that robots.txt names, else the usual places', async () => {
    assert.deepEqual(await seedsBy('Sitemap: /a.xml\nSitemap: https://cdn.example/b.xml'), [
      `${home}a.xml`,
      'https://cdn.example/b.xml',
    ]);
    assert.deepEqual(await seedsBy('User-agent: *'), [`${home}sitemap.xml`, `${home}sitemap_index.xml`]);
  });

  it('fit into an index, as links do', async () => {
    const long = `Sitemap: /${'x'.repeat(2_100)}.xml`;
    assert.deepEqual(await seedsBy(`${long}\nSitemap: /a.xml`), [`${home}a.xml`]);
    assert.equal((await seedsBy(long)).length, 2, 'the usual places');
  });
});
