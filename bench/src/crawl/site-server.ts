// Serves a web site on loopback, in a process of its own, and prints where it listens:
//
//   node dist/crawl/site-server.js generated <pages>
//   node dist/crawl/site-server.js folder <path>
//
// Every page has an ETag. Of a folder, addresses of other hosts in its sitemap become those of this server, and
// `/x` is `x.html` or `x/index.html`. `/robots.txt?without-sitemap` is no file of the site: it switches the sitemap off.
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { GeneratedSite } from './generated-site.js';

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

const [kind = '', argument = ''] = process.argv.slice(2);
const pageAt = kind === 'generated' ? generated(Number(argument)) : fromFolder(argument);
let hasSitemap = true;

const server = createServer((request, response) => {
  answer(request, response).catch(() => response.destroy());
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => console.log(origin()));

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname, search } = new URL(request.url ?? '/', origin());
  if (search === '?without-sitemap') hasSitemap = false;
  const page = pathname === '/sitemap.xml' && !hasSitemap ? null : await pageAt(decodeURIComponent(pathname));
  if (page === null) return void response.writeHead(404, { 'content-type': 'text/plain' }).end('not here');
  response.setHeader('etag', page.etag);
  if (request.headers['if-none-match'] === page.etag) return void response.writeHead(304).end();
  response.writeHead(200, { 'content-type': page.type, 'content-length': page.body.length }).end(page.body);
}

function generated(pages: number): (path: string) => Promise<Page | null> {
  const site = new GeneratedSite(pages);
  const made = site.paths.map((_, n) => pageOf(site.html(n), '.html'));
  return async (path) => {
    if (path === '/sitemap.xml') return pageOf(site.sitemap(origin()), '.xml');
    return made[Number(/^\/docs\/page-(\d+)$/.exec(path)?.[1] ?? -1)] ?? null;
  };
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
