import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { IngestionError } from '@citewell/contracts/errors';
import { CrawlUrlEntity, type FrontierUrl, RunEntity } from '@citewell/database';
import { pipelineFingerprint } from '@citewell/ingestion';
import { fetchResult } from './fetch-result.fixtures.js';
import { LinkFilter } from './link-filter.js';
import { PageSettler } from './page-settler.js';
import { siteConfigOf } from './site-config.js';
import type { Fetched, FetchUrlOptions } from './url-fetcher.js';

const url = 'https://site.example/page';

/** Settles one page, which is read as `read` says. */
async function settle(found: Partial<FrontierUrl>, fetched: Fetched, read: () => Promise<never>) {
  const site = siteConfigOf({ config: { source_url: 'https://site.example/' } });
  const asked: FetchUrlOptions[] = [];
  const unused = async (): Promise<never> => assert.fail('not asked');
  const settler = new PageSettler(
    {
      fetch: async (_url, options) => {
        asked.push(options);
        return fetched;
      },
    },
    { read },
    { open: unused },
    { outcomeOf: unused },
    { write: unused },
    { read: unused },
    { CRAWL_USER_AGENT: 'Test' },
  );
  const row = Object.assign(new CrawlUrlEntity(), { url, origin: 'sitemap', depth: 0, attempts: 0 });
  const settlement = await settler.settle(
    { row, serving: null, pageId: null, ...found },
    {
      run: new RunEntity(),
      site,
      links: new LinkFilter(site.scope, [], 100),
      pointers: new Map(),
      signal: new AbortController().signal,
    },
  );
  return { settlement, asked };
}

describe('a page of a site', () => {
  const content: Fetched = { kind: 'content', answer: fetchResult(url), bytes: Buffer.from('<p>Text.</p>') };

  it('that cannot be read says what is known of why', async () => {
    const failed = async (error: unknown): Promise<unknown> => {
      const { settlement } = await settle({}, content, () => Promise.reject(error));
      return settlement.kind === 'failed' && settlement.error;
    };
    assert.deepEqual(
      await failed(new IngestionError('TOO_COMPLEX', { detail: 'A table of a million rows.' })),
      {
        code: 'TOO_COMPLEX',
        message: 'A table of a million rows.',
        retryable: false,
      },
    );
    assert.deepEqual(await failed(new IngestionError('EMPTY_DOCUMENT')), {
      code: 'EMPTY_DOCUMENT',
      message: 'No text was found in it.',
      retryable: false,
    });
    await assert.rejects(failed(new Error('out of disk')), /out of disk/);
  });

  it('is asked for with what is known of it, unless this version would read it otherwise', async () => {
    const validators = { etag: '"1"', lastModified: null };
    const made = { contentHash: 'c0ffee', contentType: 'text/html' };
    const serving = { runId: 'run', validators, contentKey: 'key', textHash: 'hash', ...made };
    const fingerprint = pipelineFingerprint({ sha256: made.contentHash, contentType: made.contentType });
    const unread = async (): Promise<never> => assert.fail('read');
    for (const [known, expected] of [
      [fingerprint, validators],
      ['of another version', null],
    ] as const) {
      const found = { serving: { ...serving, fingerprint: known } };
      const { settlement, asked } = await settle(found, { kind: 'unchanged' }, unread);
      assert.equal(settlement.kind, 'unchanged');
      assert.deepEqual(asked[0]?.known, expected);
    }
  });
});
