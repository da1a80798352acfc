import { describe, expect, it } from '@jest/globals';
import { incompleteSentence, noPageSentence, safetyCheckSentence, whyEmpty } from './crawl-finisher.js';

const site = { render: 'never', sitemap: null } as const;
const url = 'https://site.example/a';

describe('sentences about a site', () => {
  it('tell why it is empty, by the most frequent reason that says something', () => {
    for (const [reason, expected] of [
      ['NOT_A_PAGE', /is a sitemap or a feed, not a page/],
      ['EXCLUDED', /left out by include and exclude/],
      ['NOINDEX', /ask not to be indexed/],
      ['ROBOTS', /robots\.txt/],
      ['EMPTY', /Set render to auto/],
      ['GONE', /do not exist/],
      ['REDIRECT', /redirect to another site/],
      ['UNSUPPORTED', /not supported/],
    ] as const)
      expect(
        whyEmpty(
          [
            { reason: 'UNKNOWN', url },
            { reason, url },
          ],
          site,
        ) ?? '',
      ).toMatch(expected);
    expect(whyEmpty([], site)).toBeNull();
    expect(whyEmpty([], { ...site, sitemap: url }) ?? '').toMatch(/lists no address of the site/);
  });

  it('tell which addresses bring nothing', () => {
    const other = { reason: 'GONE', url };
    expect(noPageSentence([other])).toBeNull();
    expect(noPageSentence([other, { reason: 'NOT_FOUND_PAGE', url }])).toMatch(
      `addresses that do not exist, such as ${url}, with a page`,
    );
    expect(noPageSentence([{ reason: 'REPEATED', url }])).toMatch(/have the same text/);
  });

  it('tell what could not be read', () => {
    for (const [kind, origin, reason, expected] of [
      ['sitemap', 'seed', 'PAGE_GONE', `The sitemap ${url} does not exist.`],
      ['sitemap', 'seed', 'TRUNCATED', `The sitemap ${url} could not be read completely (TRUNCATED).`],
      ['page', 'seed', 'FETCH_FAILED', `The start page ${url} could not be read.`],
      [
        'page',
        'link',
        'FETCH_FAILED',
        `The page ${url} could not be read, so pages that only it links to may be missing.`,
      ],
    ] as const)
      expect(incompleteSentence({ url, kind, origin, reason })).toBe(expected);
  });

  it('count pages in good English', () => {
    expect(safetyCheckSentence(1, 1)).toMatch(
      /^1 of 1 pages was not found or is gone\. It keeps answering\./,
    );
  });
});
