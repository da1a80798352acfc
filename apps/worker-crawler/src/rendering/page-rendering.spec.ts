import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { IngestionError } from '@citewell/contracts/errors';
import { readPage } from '@citewell/documents/web-page';
import type { FetchResult } from '@citewell/web';
import { fetchResult } from '../crawl-site/fetch-result.fixtures.js';
import { ANY_SEAT } from '../crawl-site/seat.fixtures.js';
import type { ReadPage, ReadRequest } from '../page-reader/page-reader.protocol.js';
import { type FetchedPage, type OpenedPage, PageRendering } from './page-rendering.js';
import type { RenderMode } from './render-mode.js';
import type { PageToRender } from './render.protocol.js';
import type { RenderOutcome } from './renderer.js';

const url = 'https://example.org/page';
const signal = new AbortController().signal;
const SHELL = '<!doctype html><html><body><div id="app"></div><script src="/app.js"></script></body></html>';
const SHELL_WITH_TEXT = SHELL.replace('<div', '<p>Opening soon.</p><div');
const STATIC = '<!doctype html><html><body><main><p>All of it is here already.</p></main></body></html>';
const SHOWN = '<!doctype html><html><body><main><p>Größe</p></main></body></html>';

/** As the thread reads pages, without the thread. */
async function read(request: ReadRequest): Promise<ReadPage> {
  const { document, facts } = await readPage(request.bytes, request);
  const text = Buffer.from(document?.text ?? '', 'utf16le');
  const read = { text, outline: text, characters: text.length / 2, textHash: text.toString('hex') };
  return { facts, document: document && read };
}

describe('PageRendering', () => {
  let outcome: RenderOutcome;
  let rendered: PageToRender[];
  let turns: string[];
  beforeEach(() => {
    outcome = { kind: 'page', url, html: SHOWN };
    rendered = [];
    turns = [];
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
      take: async (host, _options, work) => {
        turns.push(`take ${host}`);
        const done = await work(() => turns.push('tell'));
        turns.push('give');
        return done;
      },
    },
    { info: () => undefined },
  );

  async function fetched(html: string, headers: FetchResult['headers'] = {}): Promise<FetchedPage> {
    const bytes = Buffer.from(html);
    const answer = fetchResult(url, {
      headers,
      etag: '"1"',
      lastModified: 'yesterday',
      robotsTags: ['noarchive'],
    });
    return { answer, bytes, page: await read({ bytes, url, contentType: 'text/html' }) };
  }
  const open = async (html: string, mode: RenderMode): Promise<OpenedPage> =>
    rendering.open(await fetched(html), { url, mode, seat: ANY_SEAT, signal });
  const textOf = (opened: OpenedPage): string | undefined =>
    opened.kind === 'content' && opened.page.document !== null
      ? Buffer.from(opened.page.document.text).toString('utf16le')
      : undefined;

  it('opens what needs it, or everything, or nothing', async () => {
    for (const [html, mode, times] of [
      [STATIC, 'auto', 0],
      [SHELL, 'never', 0],
      [SHELL, 'auto', 1],
      [SHELL_WITH_TEXT, 'auto', 1],
      [STATIC, 'always', 1],
    ] as const) {
      rendered.length = 0;
      await open(html, mode);
      assert.equal(rendered.length, times, `${mode} ${html}`);
    }
  });

  it('reads what the browser shows, and asks for it anew the next time', async () => {
    const opened = await open(SHELL, 'auto');
    assert.ok(opened.kind === 'content');
    assert.match(textOf(opened) ?? '', /Größe/);
    assert.deepEqual([opened.answer.etag, opened.answer.lastModified], [null, null]);
    assert.deepEqual(opened.answer.robotsTags, ['noarchive']);
    // Whatever the page says of its encoding, the bytes say theirs.
    assert.deepEqual([...opened.bytes.subarray(0, 3)], [0xef, 0xbb, 0xbf]);
    assert.deepEqual(turns, ['take example.org', 'give']);
  });

  it('gives the browser what came, with the headers that concern it', async () => {
    const headers = {
      'content-type': 'text/html; charset=latin1',
      'set-cookie': ['a=1', 'b=2'],
      etag: '"1"',
    };
    await rendering.open(await fetched(SHELL, headers), { url, mode: 'auto', seat: ANY_SEAT, signal });
    assert.deepEqual(rendered, [
      {
        url,
        body: Buffer.from(SHELL),
        headers: { 'content-type': 'text/html; charset=latin1', 'set-cookie': 'a=1\nb=2' },
      },
    ]);
  });

  it('takes where a script leads for a redirect', async () => {
    outcome = { kind: 'redirect', url: 'https://EXAMPLE.org/next#x' };
    assert.deepEqual(await open(SHELL, 'auto'), {
      kind: 'redirect',
      location: 'https://EXAMPLE.org/next#x',
      target: 'https://example.org/next',
    });
  });

  it('does with the text of a shell, and without validators, when there is no browser or it fails', async () => {
    for (const bad of [
      { kind: 'unavailable' },
      { kind: 'not-started' },
      { kind: 'failed', reason: 'timeout' },
    ] as const) {
      outcome = bad;
      const opened = await open(SHELL_WITH_TEXT, 'auto');
      assert.match(textOf(opened) ?? '', /Opening soon/);
      assert.equal(opened.kind === 'content' && opened.answer.etag, null);
    }
  });

  it('does with what serves, rather, when there is a browser and it fails', async () => {
    const again = async (): Promise<OpenedPage> =>
      rendering.open(await fetched(SHELL_WITH_TEXT), {
        url,
        mode: 'auto',
        serves: true,
        seat: ANY_SEAT,
        signal,
      });
    outcome = { kind: 'failed', reason: 'timeout' };
    assert.equal((await again()).kind, 'error');
    outcome = { kind: 'not-started' };
    await assert.rejects(again(), { code: 'RENDER_UNAVAILABLE' });
    outcome = { kind: 'unavailable' };
    assert.match(textOf(await again()) ?? '', /Opening soon/);
  });

  it('says what is wrong where there is no text, or none is wanted but the browser’s', async () => {
    outcome = { kind: 'failed', reason: 'timeout' };
    for (const [html, mode] of [
      [SHELL, 'auto'],
      [STATIC, 'always'],
    ] as const) {
      const opened = await open(html, mode);
      assert.ok(opened.kind === 'error' && opened.error.kind === 'transient', opened.kind);
    }
    outcome = { kind: 'failed', reason: 'too-large' };
    const opened = await open(SHELL, 'auto');
    assert.ok(opened.kind === 'error' && opened.error.kind === 'permanent');
    outcome = { kind: 'unavailable' };
    await assert.rejects(open(STATIC, 'always'), { code: 'RENDER_UNAVAILABLE' });
    assert.equal(textOf(await open(SHELL, 'auto')), undefined);
  });

  it('has a code for every failure of a page that was not read yet', async () => {
    const unread = async (html: string, mode: RenderMode = 'auto') =>
      rendering.openUnread(
        { kind: 'content', ...(await fetched(html)) },
        { url, mode, seat: ANY_SEAT, signal },
      );
    for (const [bad, code] of [
      [{ kind: 'unavailable' }, 'RENDER_UNAVAILABLE'],
      [{ kind: 'failed', reason: 'timeout' }, 'PARSE_TIMEOUT'],
      [{ kind: 'failed', reason: 'crashed' }, 'PARSE_MEMORY'],
      [{ kind: 'failed', reason: 'too-large' }, 'PAGE_TOO_LARGE'],
    ] as const) {
      outcome = bad;
      await assert.rejects(unread(SHELL), (error) => error instanceof IngestionError && error.code === code);
    }
    assert.equal((await unread(SHELL, 'never')).kind, 'content');
    const unchanged = { kind: 'unchanged', robotsTags: [] } as const;
    assert.deepEqual(
      await rendering.openUnread(unchanged, { url, mode: 'always', seat: ANY_SEAT, signal }),
      unchanged,
    );
  });
});
