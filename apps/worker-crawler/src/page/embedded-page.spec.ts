import assert from 'node:assert/strict';
import { readPage, withEmbeddedPage as combine } from '@citewell/documents/web-page';
import { WebFetchError } from '@citewell/web';
import { describe, expect, it } from '@jest/globals';
import { fetchResult } from '../fetching/fetch-result.fixtures.js';
import type { Fetched, FetchUrlOptions } from '../fetching/url-fetcher.js';
import type { ReadPage, ReadRequest } from '../page-reader/page-reader.protocol.js';
import { withEmbeddedPage } from './embedded-page.js';
import type { PageResponse } from './page-loader.js';

const PAGE_URL = 'https://site.example/prices';
const TARIFF_URL = 'https://site.example/tariff';
const PAGE = '<title>Prices</title><main><h1>Prices</h1><iframe src="/tariff"></iframe></main>';
const TARIFF = '<main><p>A boat costs nine €.</p><a href="/old">Before</a></main>';

/** Reads a page like the thread does, without the thread. */
async function read({ bytes, url, contentType, embedded }: ReadRequest): Promise<ReadPage> {
  const html = embedded && (await combine(bytes, contentType, embedded));
  const { document, facts } = await readPage(html ?? bytes, { url, contentType });
  const text = Buffer.from(document?.text ?? '', 'utf16le');
  const found = {
    text,
    outline: text,
    characters: text.length / 2,
    textHash: text.toString('hex'),
    leftOut: {},
    warning: null,
    tables: null,
  };
  return { facts, document: document && found, ...(html === undefined ? {} : { html }) };
}

function content(html: string, contentType = 'text/html', robotsTags: string[] = []): Fetched {
  const answer = fetchResult(TARIFF_URL, { contentType, robotsTags });
  return { kind: 'content', answer, bytes: Buffer.from(html) };
}

async function open(html: string, answers: Record<string, Fetched>): Promise<[PageResponse, string[]]> {
  const bytes = Buffer.from(html);
  const answer = fetchResult(PAGE_URL, { etag: '"1"' });
  const page = await read({ bytes, url: PAGE_URL, contentType: 'text/html' });
  const requested: string[] = [];
  const fetcher = {
    fetch: async (url: string): Promise<Fetched> => {
      requested.push(url);
      return answers[url] ?? { kind: 'forbidden' };
    },
  };
  // The fakes need no options.
  const options = {} as FetchUrlOptions;
  const ports = { fetcher, reader: { read }, allows: () => true };
  return [await withEmbeddedPage({ kind: 'html', answer, bytes, page }, PAGE_URL, options, ports), requested];
}

function textOf(response: PageResponse): string | undefined {
  assert.ok(response.kind === 'html');
  return response.page.document === null
    ? undefined
    : Buffer.from(response.page.document.text).toString('utf16le');
}

describe('withEmbeddedPage', () => {
  it('reads an embedded page with its page, without validators, and stores both', async () => {
    const [opened, requested] = await open(PAGE, { [TARIFF_URL]: content(TARIFF) });
    const whole = 'Prices\n\nA boat costs nine €.\n\nBefore';
    expect([textOf(opened), requested]).toEqual([whole, [TARIFF_URL]]);
    assert.ok(opened.kind === 'html');
    expect(opened.answer.etag).toBeNull();
    expect(opened.page.facts.links).toEqual([{ url: 'https://site.example/old', nofollow: false }]);
    const stored = await readPage(opened.bytes, { url: PAGE_URL, contentType: 'text/html; charset=latin1' });
    expect([stored.document?.text, stored.document?.title]).toEqual([whole, 'Prices']);
  });

  it('follows redirects on the host', async () => {
    const target = 'https://site.example/tariff/2026';
    const answers: Record<string, Fetched> = {
      [TARIFF_URL]: { kind: 'redirect', location: target, target },
      [target]: content(TARIFF),
    };
    expect(textOf((await open(PAGE, answers))[0])).toContain('nine €');
    const elsewhere = 'https://other.example/';
    answers[TARIFF_URL] = { kind: 'redirect', location: elsewhere, target: elsewhere };
    expect((await open(PAGE, answers))[1]).toEqual([TARIFF_URL]);
  });

  it('keeps a page as it is whose embedded page is none, or must not be indexed', async () => {
    const gone = new WebFetchError('permanent', 'HTTP_STATUS', 'Gone');
    for (const answer of [
      content('%PDF', 'application/pdf'),
      content(`<meta name=robots content=noindex>${TARIFF}`),
      content(TARIFF, 'text/html', ['noindex']),
      content(''),
      { kind: 'error', error: gone },
      { kind: 'forbidden' },
    ] as const) {
      const [opened] = await open(PAGE, { [TARIFF_URL]: answer });
      expect(textOf(opened)).toBe('Prices');
      expect(opened.kind === 'html' && opened.answer.etag).toBe('"1"');
    }
  });

  it('fails for now with its embedded page', async () => {
    const error = new WebFetchError('transient', 'TIMEOUT', 'Slow');
    const [opened] = await open(PAGE, { [TARIFF_URL]: { kind: 'error', error } });
    expect(opened).toEqual({ kind: 'error', error });
  });

  it('requests nothing for a page with text', async () => {
    const [opened, requested] = await open(`<p>${'All of it is here. '.repeat(20)}</p>${PAGE}`, {});
    expect([requested, textOf(opened)?.includes('All of it')]).toEqual([[], true]);
  });
});
