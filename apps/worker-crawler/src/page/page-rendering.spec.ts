import assert from 'node:assert/strict';
import { readPage } from '@citewell/documents/web-page';
import type { FetchResult } from '@citewell/web';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { fetchResult } from '../fetching/fetch-result.fixtures.js';
import { SiteSession } from '../fetching/url-fetcher.js';
import type { ReadPage, ReadRequest } from '../page-reader/page-reader.protocol.js';
import type { PageToRender, RenderMode } from '../rendering/render.protocol.js';
import type { RenderOutcome } from '../rendering/renderer.js';
import type { HtmlPage, PageResponse } from './page-loader.js';
import { PageRendering } from './page-rendering.js';
import { SiteRendering } from './site-rendering.js';

const url = 'https://example.org/page';
const signal = new AbortController().signal;
const SHELL = '<!doctype html><html><body><div id="app"></div><script src="/app.js"></script></body></html>';
const SHELL_WITH_TEXT = SHELL.replace('<div', '<p>Opening soon.</p><div');
const STATIC = '<!doctype html><html><body><main><p>All of it is here already.</p></main></body></html>';
const SHOWN = '<!doctype html><html><body><main><p>Größe</p></main></body></html>';

/** Reads a page like the thread does, without the thread. */
async function read(request: ReadRequest): Promise<ReadPage> {
  const { document, facts } = await readPage(request.bytes, request);
  const text = Buffer.from(document?.text ?? '', 'utf16le');
  const read = {
    text,
    outline: text,
    characters: text.length / 2,
    textHash: text.toString('hex'),
    leftOut: {},
    warning: null,
    tables: null,
  };
  return { facts, document: document && read };
}

describe('PageRendering', () => {
  let outcome: RenderOutcome;
  let rendered: PageToRender[];
  let pacing: string[];
  beforeEach(() => {
    outcome = { kind: 'page', url, html: SHOWN };
    rendered = [];
    pacing = [];
  });
  const rendering = new PageRendering(
    {
      render: async (page) => {
        rendered.push(page);
        return outcome;
      },
    },
    { read },
    {
      run: async (host, _options, request) => {
        pacing.push(`begin ${host}`);
        const result = await request(() => pacing.push('report'));
        pacing.push('end');
        return result;
      },
    },
    { info: () => undefined },
  );

  async function fetched(html: string, headers: FetchResult['headers'] = {}): Promise<HtmlPage> {
    const bytes = Buffer.from(html);
    const answer = fetchResult(url, {
      headers,
      etag: '"1"',
      lastModified: 'yesterday',
      robotsTags: ['noarchive'],
    });
    return { kind: 'html', answer, bytes, page: await read({ bytes, url, contentType: 'text/html' }) };
  }
  const open = async (html: string, mode: RenderMode, answers = false): Promise<PageResponse> =>
    rendering.open(await fetched(html), { url, mode, answers, signal });
  const textOf = (opened: PageResponse): string | undefined =>
    opened.kind === 'html' && opened.page.document !== null
      ? Buffer.from(opened.page.document.text).toString('utf16le')
      : undefined;

  it('renders pages that need it, all pages, or none', async () => {
    for (const [html, mode, times] of [
      [STATIC, 'auto', 0],
      [SHELL, 'never', 0],
      [SHELL, 'auto', 1],
      [SHELL_WITH_TEXT, 'auto', 1],
      [STATIC, 'always', 1],
    ] as const) {
      rendered.length = 0;
      await open(html, mode);
      expect([`${mode} ${html}`, rendered.length]).toEqual([`${mode} ${html}`, times]);
    }
  });

  it('reads what the browser shows, without validators', async () => {
    const opened = await open(SHELL, 'auto');
    assert.ok(opened.kind === 'html');
    expect(textOf(opened) ?? '').toMatch(/Größe/);
    expect([opened.answer.etag, opened.answer.lastModified]).toEqual([null, null]);
    expect(opened.answer.robotsTags).toEqual(['noarchive']);
    // Whatever the page says of its encoding, the bytes say theirs.
    expect([...opened.bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
    expect(pacing).toEqual(['begin example.org', 'end']);
  });

  it('gives the browser the fetched page with the headers that concern it', async () => {
    const headers = {
      'content-type': 'text/html; charset=latin1',
      'set-cookie': ['a=1', 'b=2'],
      etag: '"1"',
    };
    await rendering.open(await fetched(SHELL, headers), { url, mode: 'auto', answers: false, signal });
    expect(rendered).toEqual([
      {
        url,
        body: Buffer.from(SHELL),
        headers: { 'content-type': 'text/html; charset=latin1', 'set-cookie': 'a=1\nb=2' },
      },
    ]);
  });

  it('gives the browser the cookies that earlier pages of the visit have set', async () => {
    const session = new SiteSession();
    session.cookies.store(new URL('https://example.org/'), ['a=1; Path=/', 'b=2; Path=/api; HttpOnly']);
    session.cookies.store(new URL('https://other.example/'), ['c=3']);
    await rendering.open(await fetched(SHELL), { url, mode: 'auto', answers: false, session, signal });
    expect(rendered[0]?.headers['set-cookie']).toBe('a=1; Path=/\nb=2; Path=/api; HttpOnly');
  });

  it('treats navigation by a script as a redirect', async () => {
    outcome = { kind: 'redirect', url: 'https://EXAMPLE.org/next#x' };
    expect(await open(SHELL, 'auto')).toEqual({
      kind: 'redirect',
      location: 'https://EXAMPLE.org/next#x',
      target: 'https://example.org/next',
    });
  });

  it('uses the text of the fetched page when there is no browser or it fails', async () => {
    for (const bad of [
      { kind: 'unavailable' },
      { kind: 'not-started' },
      { kind: 'failed', reason: 'timeout' },
    ] as const) {
      outcome = bad;
      const opened = await open(SHELL_WITH_TEXT, 'auto');
      assert.ok(opened.kind === 'html');
      expect(textOf(opened) ?? '').toMatch(/Opening soon/);
      expect(opened.answer.etag).toBeNull();
      expect(opened.page.document?.warning?.code ?? null).toBe(bad.kind === 'failed' ? 'PARTLY_READ' : null);
    }
  });

  it('does not take a loading screen for a page', async () => {
    outcome = { kind: 'page', url, html: '<p>Loading…</p>' };
    expect(await open(SHELL, 'auto')).toMatchObject({ kind: 'error', error: { kind: 'transient' } });
    outcome = { kind: 'failed', reason: 'timeout' };
    expect((await open('<p>Loading…</p><script src=a></script>', 'auto')).kind).toBe('error');
    outcome = { kind: 'unavailable' };
    const opened = await open('<p>Loading…</p><script src=a></script>', 'auto');
    assert.ok(opened.kind === 'html');
    expect(opened.page.facts.isShell).toBe(true);
  });

  it('keeps the validators of a page to which rendering adds nothing', async () => {
    outcome = { kind: 'page', url, html: SHELL_WITH_TEXT };
    const opened = await open(SHELL_WITH_TEXT, 'auto');
    expect(rendered).toHaveLength(1);
    expect(opened).toMatchObject({ answer: { etag: '"1"', lastModified: 'yesterday' } });
  });

  it('takes a page with links only for a page, if rendering adds nothing', async () => {
    const html = '<theme-switch></theme-switch><a href="/a">Boats</a><script src="/theme.js"></script>';
    outcome = { kind: 'page', url, html: html.replace(/<script.*/, '') };
    const opened = await open(html, 'auto');
    expect(opened).toMatchObject({ kind: 'html', page: { facts: { isShell: false } } });
    outcome = { kind: 'unavailable' };
    const unknown = await open(html, 'auto');
    expect(unknown).toMatchObject({ kind: 'html', page: { facts: { isShell: true } } });
  });

  it('renders no further pages when the time of the crawl is over', async () => {
    const site = new SiteRendering(0);
    const openLate = async (html: string, mode: RenderMode, answers = false): Promise<PageResponse> =>
      rendering.open(await fetched(html), { url, mode, answers, site, signal });
    const late = await openLate(SHELL_WITH_TEXT, 'auto');
    expect(late).toMatchObject({
      kind: 'html',
      answer: { etag: null },
      page: { document: { warning: { code: 'PARTLY_READ' } } },
    });
    expect(textOf(late)).toMatch(/Opening soon/);
    expect(await openLate(SHELL, 'auto')).toEqual({ kind: 'not-rendered' });
    expect(await openLate(STATIC, 'always')).toEqual({ kind: 'not-rendered' });
    expect(await openLate(SHELL, 'auto', true)).toEqual({ kind: 'unchanged', robotsTags: ['noarchive'] });
    const noindex = SHELL_WITH_TEXT.replace('<html>', '<html><head><meta name="robots" content="noindex">');
    expect((await openLate(noindex, 'auto', true)).kind).toBe('html');
    expect(textOf(await openLate(STATIC, 'auto'))).toMatch(/All of it/);
    expect(rendered).toEqual([]);
  });

  it('does not open pages like those that failed, but says so, and keeps content that answers', async () => {
    const site = new SiteRendering();
    outcome = { kind: 'failed', reason: 'timeout' };
    const openNext = async (answers: boolean): Promise<PageResponse> =>
      rendering.open(await fetched(SHELL_WITH_TEXT), { url, mode: 'auto', answers, site, signal });
    for (let trial = 0; trial < 3; trial += 1) await openNext(false);
    outcome = { kind: 'page', url, html: SHOWN };
    expect(await openNext(false)).toMatchObject({
      answer: { etag: null },
      page: {
        document: {
          warning: {
            code: 'PARTLY_READ',
            message: expect.stringContaining('pages like it could not be opened'),
          },
        },
      },
    });
    expect((await openNext(true)).kind).toBe('unchanged');
    expect(rendered).toHaveLength(3);
  });

  it('fails rather than replacing content that answers', async () => {
    const again = () => open(SHELL_WITH_TEXT, 'auto', true);
    outcome = { kind: 'failed', reason: 'timeout' };
    expect((await again()).kind).toBe('error');
    outcome = { kind: 'not-started' };
    await expect(again()).rejects.toMatchObject({ code: 'RENDER_UNAVAILABLE' });
    outcome = { kind: 'unavailable' };
    expect(textOf(await again()) ?? '').toMatch(/Opening soon/);
  });

  it('fails when there is no text, or only rendered text is wanted', async () => {
    outcome = { kind: 'failed', reason: 'timeout' };
    for (const [html, mode] of [
      [SHELL, 'auto'],
      [STATIC, 'always'],
    ] as const) {
      const opened = await open(html, mode);
      expect(opened).toMatchObject({ kind: 'error', error: { kind: 'transient' } });
    }
    outcome = { kind: 'failed', reason: 'too-large' };
    const opened = await open(SHELL, 'auto');
    expect(opened).toMatchObject({ kind: 'error', error: { kind: 'permanent' } });
    outcome = { kind: 'unavailable' };
    await expect(open(STATIC, 'always')).rejects.toMatchObject({ code: 'RENDER_UNAVAILABLE' });
    expect(textOf(await open(SHELL, 'auto'))).toBeUndefined();
  });
});
