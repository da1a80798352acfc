import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { incompleteSentence, safetyCheckSentence, whyEmpty } from './site-sentences.js';

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
      assert.match(
        whyEmpty(
          [
            { reason: 'UNKNOWN', url },
            { reason, url },
          ],
          site,
        ) ?? '',
        expected,
      );
    assert.equal(whyEmpty([], site), null);
    assert.match(whyEmpty([], { ...site, sitemap: url }) ?? '', /lists no address of the site/);
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
      assert.equal(incompleteSentence({ url, kind, origin, reason }), expected);
  });

  it('count pages in good English', () => {
    assert.match(safetyCheckSentence(1, 1), /^1 of 1 pages was not found or is gone\. It keeps answering\./);
  });
});
