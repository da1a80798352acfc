// Serves a web site on loopback, in a process of its own, and prints where it listens:
//
//   node dist/crawl/site-server.js generated <pages> sitemap|links [redirects]
//   node dist/crawl/site-server.js scripted <pages> static|app|mixed
//   node dist/crawl/site-server.js folder <path> sitemap|links
//
// Every page has an ETag. With `links`, there is no sitemap. `redirects` adds a meta-refresh redirect to every page. In the
// sitemap of a folder, other hosts are replaced by this server; `/x` is `x.html` or `x/index.html`. `/request-counts` is
// not part of the site: it returns how many URLs were requested once, twice, …. `/crawl-counts` returns the number of requests
// for pages, of conditional ones, and of pages whose scripts were requested, since the last call.
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { GeneratedSite } from './generated-site.js';
import { SCRIPTED_KINDS, ScriptedSite } from './scripted-site.js';

interface Page {
  readonly type: string;
  readonly body: Buffer;
  readonly etag: string;
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.xml': 'application/xml',
  '.txt': 'text/plain; charset=utf-8',
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
};
/** Hosts that stand in a sitemap for its format. */
const FORMAT_HOST = /sitemaps\.org|w3\.org|google\.com/;

const [kind = '', argument = '', by = '', redirects = ''] = process.argv.slice(2);
const pageAt =
  kind === 'generated'
    ? generated(Number(argument))
    : kind === 'scripted'
      ? scripted(Number(argument))
      : fromFolder(argument);
let crawlCounts = { requests: 0, conditional: 0, rendered: 0 };
const requests = new Map<string, number>();

const server = createServer((request, response) => {
  answer(request, response).catch(() => response.destroy());
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => console.log(origin()));

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname } = new URL(request.url ?? '/', origin());
  if (pathname === '/request-counts') return void response.end(JSON.stringify(requestCounts()));
  if (pathname === '/crawl-counts') {
    response.end(JSON.stringify(crawlCounts));
    crawlCounts = { requests: 0, conditional: 0, rendered: 0 };
    return;
  }
  requests.set(pathname, (requests.get(pathname) ?? 0) + 1);
  // Each page is rendered without a cache, and its first script is requested with it.
  if (extname(pathname) === '.js') crawlCounts.rendered += 1;
  else if (!/robots\.txt|sitemap|^\/api\//.test(pathname)) {
    crawlCounts.requests += 1;
    if (request.headers['if-none-match'] !== undefined) crawlCounts.conditional += 1;
  }
  const page =
    pathname === '/sitemap.xml' && by === 'links' ? null : await pageAt(decodeURIComponent(pathname));
  if (page === null) return void response.writeHead(404, { 'content-type': 'text/plain' }).end('not here');
  response.setHeader('etag', page.etag);
  if (request.headers['if-none-match'] === page.etag) return void response.writeHead(304).end();
  response.writeHead(200, { 'content-type': page.type, 'content-length': page.body.length }).end(page.body);
}

function generated(pages: number): (path: string) => Promise<Page | null> {
  const site = new GeneratedSite(pages, redirects === 'redirects');
  const made = site.paths.map((_, n) => pageOf(site.html(n), '.html'));
  return async (path) => {
    if (path === '/sitemap.xml') return pageOf(site.sitemap(origin()), '.xml');
    const [, folder, number] = /^\/(docs|old)\/page-(\d+)$/.exec(path) ?? [];
    if (folder === 'old') return pageOf(site.redirectPage(Number(number)), '.html');
    return made[Number(number ?? -1)] ?? null;
  };
}

function scripted(pages: number): (path: string) => Promise<Page | null> {
  const found = SCRIPTED_KINDS.find((one) => one === by);
  if (found === undefined) throw new Error(`There is no site of the kind "${by}"`);
  const site = new ScriptedSite(pages, found);
  return async (path) => {
    if (path === '/sitemap.xml') return pageOf(site.sitemap(origin()), '.xml');
    const content = site.content(path);
    return content && pageOf(content.text, content.extension);
  };
}

/** How many URLs were requested how often since the last call, without robots.txt and sitemaps. */
function requestCounts(): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const [path, count] of requests)
    if (!/robots\.txt|sitemap/.test(path)) counts[count] = (counts[count] ?? 0) + 1;
  requests.clear();
  return counts;
}

function fromFolder(folder: string): (path: string) => Promise<Page | null> {
  return async (path) => {
    for (const name of [path, `${path}.html`, join(path, 'index.html')]) {
      // No further up than the folder.
      const bytes = await readFile(join(folder, normalize(`/${name}`))).catch(() => null);
      if (bytes === null) continue;
      return pageOf(name.endsWith('sitemap.xml') ? onThisHost(bytes.toString()) : bytes, extname(name));
    }
    return null;
  };
}

function onThisHost(sitemap: string): string {
  return sitemap.replaceAll(/https?:\/\/[^/<"]+/g, (found) => (FORMAT_HOST.test(found) ? found : origin()));
}

function pageOf(content: string | Buffer, extension: string): Page {
  const body = Buffer.from(content);
  const etag = `"${createHash('sha256').update(body).digest('hex').slice(0, 16)}"`;
  return { body, etag, type: TYPES[extension] ?? 'application/octet-stream' };
}

function origin(): string {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('not listening on a port');
  return `http://127.0.0.1:${address.port}`;
}
