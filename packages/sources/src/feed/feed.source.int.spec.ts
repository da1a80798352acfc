import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { FeedSourceConfig } from '@citewell/contracts/schemas';
import { sourceConformance, type SourceWorld } from '../source.conformance.js';
import type { SourceDocument } from '../source.js';
import { escapeHtml } from '../html-page.js';
import { FeedSource } from './feed.source.js';

const never = new AbortController().signal;
const CONTEXT = { folders: [], secrets: {}, allowPrivateNetworks: ['127.0.0.0/8'] };
const PAGE_ENTRIES = 1_000;

async function listen(server: Server, port = 0): Promise<string> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function stop(server: Server): Promise<void> {
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
}

/** A feed with pages, whose entries are documents. */
async function makeWorld(): Promise<SourceWorld> {
  const documents = new Map<string, string>();
  const server = createServer((request, response) => {
    const page = Number(new URL(request.url ?? '/', 'http://x').searchParams.get('page'));
    const items = [...documents]
      .slice(page * PAGE_ENTRIES, (page + 1) * PAGE_ENTRIES)
      .map(([path, content]) => {
        const link = `${url}/${path.split('/').map(encodeURIComponent).join('/')}`;
        return `<item><guid>${escapeHtml(link)}</guid><description>${escapeHtml(escapeHtml(content))}</description></item>`;
      });
    const hasNext = (page + 1) * PAGE_ENTRIES < documents.size;
    const next = hasNext ? `<a:link rel="next" href="/feed?page=${page + 1}"/>` : '';
    response.end(
      `<rss version="2.0" xmlns:a="http://www.w3.org/2005/Atom"><channel><title>T</title>${next}${items.join('')}</channel></rss>`,
    );
  });
  const url = await listen(server);
  const { port } = new URL(url);
  return {
    open: () =>
      Promise.resolve(
        new FeedSource({ kind: 'feed', url: `${url}/feed`, linkedPages: false, maxPages: 100 }, CONTEXT),
      ),
    write: async (path, content) => void documents.set(path, content),
    remove: async (path) => void documents.delete(path),
    rename: async (from, to) => {
      documents.set(to, documents.get(from) ?? '');
      documents.delete(from);
    },
    setReachable: async (isReachable) =>
      isReachable ? void (await listen(server, Number(port))) : stop(server),
    stop: () => stop(server),
  };
}

sourceConformance('feed', makeWorld, {
  isCached: true,
  many: 3_000,
  textOf: (html) =>
    (/<article>\n\n?([^]*)\n<\/article>/.exec(html.toString())?.[1] ?? html.toString())
      .replaceAll('&lt;', '<')
      .replaceAll('&quot;', '"')
      .replaceAll('&amp;', '&'),
});

describe('a feed', () => {
  /** By path. */
  const answers = new Map<
    string,
    { body: string | Buffer; type?: string; status?: number; retryAfter?: string }
  >();
  let server: Server;
  let url: string;
  const opened: FeedSource[] = [];
  beforeEach(async () => {
    answers.clear();
    server = createServer((request, response) => {
      const { body, type, status, retryAfter } = answers.get(request.url ?? '') ?? { body: '', status: 404 };
      response.writeHead(status ?? 200, {
        'content-type': type ?? 'application/xml',
        ...(retryAfter === undefined ? {} : { 'retry-after': retryAfter }),
      });
      response.end(body);
    });
    url = await listen(server);
  });
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((source) => source.close()));
    await stop(server);
  });
  function open(config: Partial<FeedSourceConfig> = {}): FeedSource {
    const source = new FeedSource({ kind: 'feed', url: `${url}/feed`, ...config }, CONTEXT);
    opened.push(source);
    return source;
  }
  async function list(source: FeedSource): Promise<SourceDocument[]> {
    const documents: SourceDocument[] = [];
    for await (const page of source.inventory(null, never)) {
      expect(page.documents.length).toBeLessThanOrEqual(500);
      documents.push(...page.documents);
    }
    return documents;
  }
  async function contentOf(source: FeedSource, document: SourceDocument | undefined): Promise<string> {
    const { content, mediaType } = await source.fetch(document as SourceDocument, never);
    expect(mediaType).toBe('text/html');
    return (await buffer(content)).toString();
  }
  const rss = (items: string): string =>
    `<rss version="2.0"><channel><title>T</title>${items}</channel></rss>`;
  const LONG = '<p>Many words of an article that goes on and on.</p>'.repeat(20);

  it.each([
    [
      'RSS',
      rss(
        '<item><title>One</title><link>/1</link><guid isPermaLink="false">g1</guid><description>Text</description></item>',
      ),
      'g1',
    ],
    [
      'RSS with relative links',
      rss('<item><title>One</title><link>/1</link><description>Text</description></item>'),
      '%/1',
    ],
    [
      'RDF',
      '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"><item rdf:about="%/1"><title>One</title><link>%/1</link><description>Text</description></item></rdf:RDF>',
      '%/1',
    ],
    [
      'Atom',
      '<feed xmlns="http://www.w3.org/2005/Atom" xml:base="/"><entry><id>urn:1</id><title type="html">&lt;b&gt;One&lt;/b&gt;</title><link href="1"/><content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml">Text</div></content></entry></feed>',
      'urn:1',
    ],
    [
      'JSON Feed',
      '{"version":"https://jsonfeed.org/version/1.1","title":"T","items":[{"id":1,"url":"%/1","title":"One","content_text":"Text"}]}',
      '1',
    ],
  ])('reads %s', async (_, feed, id) => {
    answers.set('/feed', { body: feed.replaceAll('%', url) });
    const source = open();
    const [document, ...others] = await list(source);
    expect([document?.id, document?.url, others]).toEqual([id.replace('%', url), `${url}/1`, []]);
    const html = await contentOf(source, document);
    expect(html).toContain('<title>One</title>');
    expect(html).toContain(`<base href="${url}/1">`);
    expect(html).toMatch(/Text/);
    expect(await source.check(never)).toBe('The feed has 1 entry, beginning with “One”.');
  });

  it.each([
    ['a teaser by its page', '<p>Many words …</p>', LONG, 'page'],
    [
      'no entry by a page with menus only',
      '<p>A short note.</p>',
      `<nav>${LONG}</nav><p>Sign in</p>`,
      'entry',
    ],
    ['no whole entry by a shorter page', LONG, '<p>Please pay.</p>', 'entry'],
  ])('replaces %s', async (_, entry, page, expected) => {
    answers.set('/feed', {
      body: rss(
        `<item><title>T</title><link>/1</link><description>${escapeHtml(entry)}</description></item>`,
      ),
    });
    answers.set('/1', { body: `<html><body class="of the page">${page}</body></html>`, type: 'text/html' });
    const source = open();
    const html = await contentOf(source, (await list(source))[0]);
    expect(html.includes('of the page')).toBe(expected === 'page');
  });

  it.each([
    [404, 'entry'],
    [403, 'entry'],
    [503, 'unavailable'],
    [429, 'limited'],
  ])('with a page of status %d gives %s', async (status, expected) => {
    answers.set('/feed', { body: rss('<item><link>/1</link><description>Teaser</description></item>') });
    answers.set('/1', { body: '', status, retryAfter: '7' });
    const source = open();
    const reading = list(source).then(([document]) => contentOf(source, document));
    const outcome = await reading.then(
      (html) => (html.includes('Teaser') ? 'entry' : html),
      (error: unknown) => error,
    );
    if (expected === 'entry') expect(outcome).toBe('entry');
    else expect(outcome).toMatchObject({ kind: expected });
    if (expected === 'limited') expect(outcome).toMatchObject({ options: { retryAfterMs: 7_000 } });
  });

  it.each([
    ['no feed', '<html><body>Hello</body></html>', 200, 'denied'],
    [
      'a feed that is cut off',
      '<rss version="2.0"><channel><item><title>One</title></item><item><tit',
      200,
      'unavailable',
    ],
    [
      'a feed that is cut off between elements',
      '<rss version="2.0"><channel><item><title>One</title>',
      200,
      'unavailable',
    ],
    ['nothing', '', 200, 'denied'],
    ['no such address', '', 404, 'denied'],
    ['a password', '', 401, 'denied'],
    ['too many requests', '', 429, 'limited'],
    ['a fault', '', 502, 'unavailable'],
  ])('fails for %s', async (_, body, status, kind) => {
    answers.set('/feed', { body, status });
    await expect(list(open())).rejects.toMatchObject({ name: 'SourceError', kind });
    await expect(open().check(never)).rejects.toMatchObject({ kind });
  });

  it('fails when a later page fails, and stops at a circle and at the limit', async () => {
    const page = (n: number, next: string): string =>
      JSON.stringify({
        version: 'https://jsonfeed.org/version/1',
        next_url: next,
        items: [{ id: `${n}`, content_text: 'x' }],
      });
    answers.set('/feed', { body: page(1, '/2') }).set('/2', { body: '', status: 500 });
    await expect(list(open())).rejects.toMatchObject({ kind: 'unavailable' });
    answers.set('/2', { body: page(2, '/3') }).set('/3', { body: page(3, '/2') });
    expect((await list(open())).map(({ id }) => id)).toEqual(['1', '2', '3']);
    expect(await list(open({ maxPages: 2 }))).toHaveLength(2);
  });

  it('lists an entry once, and has paths that differ', async () => {
    const item = (guid: string, text: string): string =>
      `<item><guid isPermaLink="false">${guid}</guid><link>/same</link><description>${text}</description></item>`;
    answers.set('/feed', { body: rss(item('a', 'new') + item('b', 'other') + item('a', 'old')) });
    const source = open({ linkedPages: false });
    const documents = await list(source);
    expect(documents.map(({ id }) => id)).toEqual(['a', 'b']);
    expect(new Set(documents.map(({ path }) => path)).size).toBe(2);
    expect(await contentOf(source, documents[0])).toContain('new');
  });

  it.each([
    [
      'as the server says',
      Buffer.from(rss('<item><title>Gr\u00fc\u00dfe</title></item>'), 'latin1'),
      'text/xml; charset=iso-8859-1',
    ],
    [
      'as the feed says',
      Buffer.from(
        `<?xml version="1.0" encoding="iso-8859-1"?>${rss('<item><title>Gr\u00fc\u00dfe</title></item>')}`,
        'latin1',
      ),
      'text/xml',
    ],
    [
      'as the bytes say, against the server',
      Buffer.from(rss('<item><title>Grüße</title></item>')),
      'text/xml; charset=us-asci',
    ],
    [
      'by a byte order mark',
      Buffer.from(`\u{FEFF}${rss('<item><title>Grüße</title></item>')}`, 'utf16le'),
      'text/xml',
    ],
  ])('decodes %s', async (_, body, type) => {
    answers.set('/feed', { body, type });
    const source = open();
    expect(await contentOf(source, (await list(source))[0])).toContain('<title>Grüße</title>');
  });

  it('is large', async () => {
    const items = Array.from(
      { length: 1_200 },
      (_, n) => `<item><guid>${n}</guid><description>${n}</description></item>`,
    );
    answers.set('/feed', { body: rss(items.join('')) });
    expect(await list(open())).toHaveLength(1_200);
    answers.set('/feed', { body: rss('x'.repeat(21 * 1024 * 1024)) });
    await expect(list(open())).rejects.toMatchObject({ name: 'SourceError' });
  });

  it('opens no private network', async () => {
    answers.set('/feed', { body: rss('') });
    const source = new FeedSource({ kind: 'feed', url: `${url}/feed` }, { folders: [], secrets: {} });
    await expect(source.check(never)).rejects.toMatchObject({ kind: 'denied' });
    await source.close();
  });
});
