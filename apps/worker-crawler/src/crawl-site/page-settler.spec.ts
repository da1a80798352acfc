import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import { BlobStoreUnavailableError } from '@citewell/blob-store';
import { IngestionError } from '@citewell/contracts/errors';
import {
  CrawlUrlEntity,
  type FrontierUrl,
  RunEntity,
  type Validators,
  type WrittenBlob,
} from '@citewell/database';
import { documentHash, pipelineFingerprint } from '@citewell/ingestion';
import { WebFetchError } from '@citewell/web';
import type { ReadPage } from '../page-reader/page-reader.protocol.js';
import { fetchResult } from './fetch-result.fixtures.js';
import { HostBusyError } from './host-busy.error.js';
import { LinkFilter } from './link-filter.js';
import { PageSettler } from './page-settler.js';
import { ANY_ROOM, ANY_SEAT } from './seat.fixtures.js';
import { sha256 } from './sha256.js';
import { siteConfigOf } from './site-config.js';
import { turnsOfOthersDuring } from './turns-of-others.fixtures.js';
import type { Fetched, FetchUrlOptions } from './url-fetcher.js';

const url = 'https://site.example/page';
const RUN = 'this run';
/** The twin of the site's host, which a page names as the one that it stands for. */
const NAMED = 'https://www.site.example/page';

const rowOf = (fields: Partial<CrawlUrlEntity>): CrawlUrlEntity =>
  Object.assign(new CrawlUrlEntity(), {
    url,
    origin: 'sitemap',
    depth: 0,
    attempts: 0,
    lastmod: null,
    settledIn: null,
    outcome: null,
    target: null,
    reopenedIn: null,
    confirmedAt: null,
    ...fields,
  });

/** Of a page that was fetched a day ago. */
function servingOf({ contentHash = 'c0ffee' }): NonNullable<FrontierUrl['serving']> {
  const contentType = 'text/html';
  return {
    fetchedAt: new Date(Date.now() - 24 * 3_600_000),
    validators: { etag: '"1"', lastModified: null },
    contentKey: 'key',
    contentHash,
    contentType,
    textHash: 'hash',
    fingerprint: pipelineFingerprint({ sha256: contentHash, contentType }),
  };
}

/** What writing a run's blobs returns. */
const KEPT = { key: 'key', bytes: 1, sha256: 'c0ffee' };

/** Settles one page, which is read as `read` says, and of which is kept what `kept` says. */
async function settle(
  found: Partial<FrontierUrl>,
  fetched: Fetched,
  read: () => Promise<ReadPage>,
  kept?: WrittenBlob,
) {
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
    { open: async ({ answer, bytes, page }) => ({ kind: 'content', answer, bytes, page }) },
    { decisionsOn: unused, isNamed: async (_run, named) => named === NAMED },
    { write: async () => [kept ?? assert.fail('not asked')] },
    {
      read: async () => Buffer.from('<p>Text.</p>'),
      put: async (_key, bytes) => ({ bytes: (bytes as Buffer).length, sha256: sha256(bytes as Buffer) }),
    },
    { CRAWL_USER_AGENT: 'Test' },
    { error: () => undefined },
  );
  const settlement = await settler.settle(
    { row: rowOf({}), serving: null, pageId: null, ...found },
    {
      run: Object.assign(new RunEntity(), { id: RUN }),
      site,
      links: new LinkFilter(site.scope, 100),
      pointers: new Map(),
      answers: new Map(),
      room: ANY_ROOM,
      seat: ANY_SEAT,
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
      message:
        'No text was found in the document. Check that it contains text, then upload or sync it again.',
      retryable: false,
    });
  });

  it('that cannot be fetched is none where only another one names it, on the twin of its host', async () => {
    const refused: Fetched = {
      kind: 'error',
      error: new WebFetchError('permanent', 'HTTP_STATUS', 'No.', { status: 403 }),
    };
    for (const [address, expected] of [
      [NAMED, false],
      ['https://www.site.example/listed', true],
      [url, true],
    ] as const) {
      const unread = async (): Promise<never> => assert.fail('read');
      const { settlement } = await settle({ row: rowOf({ url: address }) }, refused, unread);
      assert.ok(settlement.kind === 'failed');
      assert.equal(settlement.isPage, expected, address);
    }
  });

  it('that is a file with the bytes of before is asked for with what they are called now', async () => {
    const pdf = Buffer.from('%PDF-1.7');
    const answer = { ...fetchResult(url), contentType: 'application/pdf', etag: '"2"' };
    const serving = { ...servingOf({ contentHash: sha256(pdf) }), validators: null };
    const unread = async (): Promise<never> => assert.fail('read');
    const { settlement } = await settle({ serving }, { kind: 'content', answer, bytes: pdf }, unread);
    assert.ok(settlement.kind === 'unchanged');
    assert.deepEqual(settlement.renewed?.validators, { etag: '"2"', lastModified: null });
  });

  it('that brings out a defect of ours is tried again, then fails alone', async () => {
    const outcome = async (attempts: number): Promise<unknown> => {
      const found = { row: rowOf({ attempts }) };
      const { settlement } = await settle(found, content, () => Promise.reject(new TypeError('a defect')));
      return settlement.kind === 'failed' ? settlement.error.code : settlement.kind;
    };
    assert.deepEqual([await outcome(0), await outcome(3)], ['again', 'INTERNAL']);
  });

  it('that brings it out after its links were read has led to them all the same', async () => {
    const facts = { needsRendering: null, canonicalUrl: null, robots: {}, links: [{ url: `${url}/next` }] };
    const document = { characters: 5, textHash: 'new' };
    // What it says cannot be kept in this test.
    const { settlement } = await settle(
      { row: rowOf({ origin: 'link' }) },
      content,
      async () => ({ facts, document }) as unknown as ReadPage,
    );
    assert.deepEqual([settlement.kind, settlement.leadsOn], ['again', true]);
    assert.deepEqual(
      settlement.found.map((found) => found.url),
      [`${url}/next`],
    );
  });

  it('leads on if something of the site is where it leads; what is not read says nothing of that', async () => {
    const linking =
      (addresses: string[], needsRendering: string | null = null) =>
      async () =>
        ({
          facts: {
            needsRendering,
            canonicalUrl: null,
            robots: {},
            links: addresses.map((to) => ({ url: to })),
          },
          document: null,
        }) as unknown as ReadPage;
    const link = { row: rowOf({ origin: 'link' }) };
    const error = (status: number): Fetched => ({
      kind: 'error',
      error: new WebFetchError('permanent', 'HTTP_STATUS', 'No.', { status }),
    });
    const feed: Fetched = { ...content, bytes: Buffer.from('<rss version="2.0"><channel></channel></rss>') };
    const away: Fetched = { kind: 'redirect', location: null, target: 'https://other.example/' };
    const here: Fetched = { kind: 'redirect', location: null, target: `${url}/next` };
    const inside = linking([`${url}/next`]);
    const rows: [string, Partial<FrontierUrl>, Fetched, () => Promise<ReadPage>, boolean | null][] = [
      ['a link', link, content, inside, true],
      [
        'a link to itself or elsewhere',
        link,
        content,
        linking([`${url}#a`, 'https://other.example/']),
        false,
      ],
      ['a link of what a sitemap lists', {}, content, inside, false],
      ['a shell', link, content, linking([], 'EMPTY'), null],
      ['a shell with a link', link, content, linking([`${url}/next`], 'EMPTY'), true],
      ['a feed', link, feed, inside, false],
      ['a redirect', link, here, inside, true],
      ['a redirect away', link, away, inside, false],
      ['not there', link, error(404), inside, false],
      ['refused', link, error(403), inside, null],
      ['not for robots', link, { kind: 'forbidden' }, inside, false],
      ['unreadable', link, content, () => Promise.reject(new IngestionError('TOO_COMPLEX')), null],
    ];
    for (const [name, found, fetched, read, expected] of rows)
      assert.equal((await settle(found, fetched, read)).settlement.leadsOn, expected, name);
  });

  it('leads nowhere as long as a header asks not to follow it, of the page or of the answer that it is the same', async () => {
    const facts = { needsRendering: null, canonicalUrl: null, robots: {}, links: [{ url: `${url}/next` }] };
    const document = { characters: 5, textHash: 'new', text: Buffer.from(''), outline: Buffer.from('') };
    const read = async () => ({ facts, document }) as unknown as ReadPage;
    const kept: (Validators | null)[] = [];
    const found = { row: rowOf({ origin: 'link' }), serving: servingOf({}) };
    for (const robotsTags of [['nofollow'], ['noarchive']]) {
      const same = await settle(found, { kind: 'unchanged', robotsTags }, read);
      const answer = { ...fetchResult(url), robotsTags, etag: '"1"' };
      const anew = await settle({ ...found, serving: null }, { ...content, answer }, read, KEPT);
      for (const { settlement } of [same, anew])
        assert.equal(settlement.leadsOn, robotsTags[0] === 'noarchive', robotsTags.join());
      assert.ok(anew.settlement.kind === 'page');
      kept.push(anew.settlement.content.validators);
    }
    assert.deepEqual(
      kept,
      [null, { etag: '"1"', lastModified: null }],
      'whether it may be sent without its headers',
    );
  });

  it('does not keep others waiting, however many links it has', async () => {
    const links = Array.from({ length: 50 }, (_, index) => ({ url: `${url}/${index}` }));
    const facts = { needsRendering: null, canonicalUrl: null, robots: {}, links };
    const turns = await turnsOfOthersDuring(() =>
      settle(
        { row: rowOf({ origin: 'link' }) },
        content,
        async () => ({ facts, document: null }) as unknown as ReadPage,
      ),
    );
    assert.ok(turns >= links.length, `${turns} turns`);
  });

  it('waits for what all pages wait for', async () => {
    for (const away of [new BlobStoreUnavailableError('read'), new HostBusyError('site.example', 1_000)])
      await assert.rejects(
        settle({}, content, () => Promise.reject(away)),
        away,
      );
  });

  it('with the bytes of before is not looked at, unless headers may say otherwise, or it is a shell', async () => {
    const contentHash = createHash('sha256').update('<p>Text.</p>').digest('hex');
    const serving = servingOf({ contentHash });
    const reading = (needsRendering: string | null) => async () =>
      ({ facts: { needsRendering, links: [], robots: {} }, document: null }) as unknown as ReadPage;
    assert.equal((await settle({ serving }, content, reading(null))).settlement.kind, 'unchanged');
    const robotsTags = ['noindex'];
    const tagged: Fetched = { ...content, answer: { ...content.answer, robotsTags } };
    assert.equal((await settle({ serving }, tagged, reading(null))).settlement.kind, 'left-out');
    assert.equal((await settle({ serving }, content, reading('EMPTY'))).settlement.kind, 'failed');
  });

  it('is not asked whether it has changed where its server failed to answer that', async () => {
    const unread = async (): Promise<never> => assert.fail('read');
    for (const attempts of [0, 1]) {
      const found = { serving: servingOf({}), row: rowOf({ attempts }) };
      const { asked } = await settle(found, { kind: 'unchanged', robotsTags: [] }, unread);
      assert.equal(asked[0]?.known !== null, attempts === 0);
    }
  });

  it('is not asked whether it has changed when its sitemap says so', async () => {
    const serving = servingOf({});
    const hour = 3_600_000;
    const after = (hours: number): Date => new Date(serving.fetchedAt.getTime() + hours * hour);
    for (const [lastmod, isAsked, confirmedAt = null] of [
      [after(-1), true],
      [after(1), false],
      [after(1), true, after(2)],
      [after(3), false, after(2)],
      [after(1), false, after(-2)],
      [new Date(Date.now() + 24 * hour), true],
    ] as const) {
      const unread = async (): Promise<never> => assert.fail('read');
      const { asked } = await settle(
        { serving, row: rowOf({ lastmod, confirmedAt }) },
        { kind: 'unchanged', robotsTags: [] },
        unread,
      );
      assert.equal(asked[0]?.known !== null, isAsked, lastmod.toISOString());
    }
  });

  it('that is the start leads on as such where it only refreshes to another, and has not changed', async () => {
    const target = 'https://site.example/other';
    const found = {
      row: rowOf({ origin: 'seed', outcome: 'page', target }),
      serving: servingOf({}),
    };
    const origins: unknown[] = [];
    for (const refresh of [{ delaySeconds: 0, url: target }, null]) {
      const facts = { needsRendering: null, canonicalUrl: target, robots: {}, links: [], refresh };
      const read = async (): Promise<ReadPage> =>
        ({ facts, document: { characters: 5 } }) as unknown as ReadPage;
      const { settlement } = await settle(found, { kind: 'unchanged', robotsTags: [] }, read);
      origins.push(...settlement.found.map(({ origin }) => origin));
    }
    assert.deepEqual(origins, ['seed', 'link']);
  });

  it('that points to what was no page is asked for as any other, with that; put back, as if it were new', async () => {
    const target = 'https://site.example/other';
    const pointing = { outcome: 'page', target } as const;
    const serving = servingOf({});
    const unread = async (): Promise<never> => assert.fail('read');
    const before = await settle(
      { serving, row: rowOf({ ...pointing, reopenedIn: 'the run before' }) },
      { kind: 'unchanged', robotsTags: [] },
      unread,
    );
    assert.deepEqual(before.asked[0]?.known, serving.validators);
    assert.deepEqual(before.settlement, {
      url,
      pageId: null,
      kind: 'unchanged',
      contentHash: serving.contentHash,
      leadsOn: true,
      followedAt: null,
      answer: null,
      target,
      found: [{ url: target, kind: 'page', origin: 'sitemap', depth: 0 }],
    });
    const contentHash = createHash('sha256').update('<p>Text.</p>').digest('hex');
    const putBack = { serving: servingOf({ contentHash }), row: rowOf({ ...pointing, reopenedIn: RUN }) };
    await assert.rejects(settle(putBack, content, () => Promise.reject(new HostBusyError('read', 1))));
    const { asked } = await settle(putBack, { kind: 'unchanged', robotsTags: [] }, unread);
    assert.equal(asked[0]?.known, null);
  });

  it('whose other bytes say the same has these from then on, and is asked for with what they are called', async () => {
    const facts = { needsRendering: null, canonicalUrl: null, robots: {}, links: [] };
    const document = { characters: 5, textHash: 'hash' };
    const serving = { ...servingOf({}), textHash: documentHash('hash') };
    const read = async () => ({ facts, document }) as unknown as ReadPage;
    const answer = { ...fetchResult(url), etag: '"2"' };
    const { settlement } = await settle({ serving }, { ...content, answer }, read);
    assert.ok(settlement.kind === 'unchanged');
    const written = { key: 'key', bytes: content.bytes.length, sha256: sha256(content.bytes) };
    assert.equal(settlement.contentHash, written.sha256);
    assert.deepEqual(settlement.renewed, {
      key: 'key',
      validators: { etag: '"2"', lastModified: null },
      others: {
        blob: written,
        fingerprint: pipelineFingerprint({ sha256: written.sha256, contentType: 'text/html' }),
      },
    });
    const unnamed = await settle({ serving }, content, read);
    assert.ok(unnamed.settlement.kind === 'unchanged');
    assert.equal(unnamed.settlement.renewed?.validators, null);
    const contentHash = sha256(content.bytes);
    const shell = { ...facts, needsRendering: 'EMPTY' };
    const shown = async () => ({ facts: shell, document }) as unknown as ReadPage;
    const before = { ...servingOf({ contentHash }), textHash: documentHash('hash'), validators: null };
    const kept = await settle({ serving: before }, content, shown);
    assert.deepEqual(kept.settlement.kind === 'unchanged' && kept.settlement.renewed, undefined, 'not again');
  });

  it('that becomes a stub serves on as long as it leads nowhere, and stands for no bytes', async () => {
    const refresh = { delaySeconds: 0, url: 'https://site.example/gone' };
    const facts = { needsRendering: null, canonicalUrl: null, robots: {}, links: [], refresh };
    const read = async () => ({ facts, document: null }) as unknown as ReadPage;
    for (const fingerprint of [servingOf({}).fingerprint, 'of another version']) {
      const found = { serving: { ...servingOf({}), fingerprint }, row: rowOf({ target: refresh.url }) };
      const { settlement } = await settle(found, content, read);
      assert.ok(settlement.kind === 'unchanged');
      assert.deepEqual([settlement.contentHash, settlement.target], [null, refresh.url]);
    }
  });

  it('is asked for with what is known of it, unless this version would read it otherwise', async () => {
    const serving = servingOf({});
    const { fingerprint, validators } = serving;
    const unread = async (): Promise<never> => assert.fail('read');
    for (const [known, expected] of [
      [fingerprint, validators],
      ['of another version', null],
    ] as const) {
      const found = { serving: { ...serving, fingerprint: known } };
      const { settlement, asked } = await settle(found, { kind: 'unchanged', robotsTags: [] }, unread);
      assert.equal(settlement.kind, 'unchanged');
      assert.deepEqual(asked[0]?.known, expected);
    }
  });
});
