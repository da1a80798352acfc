import { createHash } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** The response of a path. */
export interface Resource {
  /** Default 200. */
  readonly status?: number;
  /** Default `text/html; charset=utf-8`. */
  readonly type?: string | null;
  readonly body?: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
  /** Pause before the response. */
  readonly delayMs?: number;
  /** Whether the response has an `ETag`, with 304 for a matching one; `date`: a `Last-Modified` instead. Default true. */
  readonly validator?: boolean | 'date';
}

/** A resource, or one made for each request. @param count requests for this path so far, this one included */
export type Responder = Resource | ((count: number, path: string, headers: IncomingHttpHeaders) => Resource);

export interface SeenRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly startedAtMs: number;
  status: number;
}

/** A web site on loopback that records every request. */
export class TestSite {
  readonly requests: SeenRequest[] = [];
  /** The highest number of concurrent requests. */
  maxConcurrent = 0;
  /** Pause before every response. */
  delayMs = 0;
  private readonly resources = new Map<string, Responder>();
  private readonly server = createServer((request, response) => {
    this.answer(request, response).catch(() => response.destroy());
  });
  private concurrent = 0;

  private constructor(private readonly host: string) {}

  static async start(host = '127.0.0.1'): Promise<TestSite> {
    const site = new TestSite(host);
    await new Promise<void>((listening) => site.server.listen(0, host, listening));
    return site;
  }

  /** Without a slash at its end. */
  get origin(): string {
    const address = this.server.address();
    if (address === null || typeof address === 'string') throw new Error('not listening on a port');
    return `http://${this.host}:${address.port}`;
  }

  /** @param path with its query; `*` at its end stands for the rest. An exact path takes precedence */
  set(path: string, responder: Responder): this {
    this.resources.set(path, responder);
    return this;
  }

  remove(path: string): this {
    this.resources.delete(path);
    return this;
  }

  /** Serves a sitemap of these paths. */
  sitemap(paths: readonly string[], at = '/sitemap.xml'): this {
    return this.set(at, {
      type: 'application/xml',
      body: sitemapOf(paths.map((path) => this.origin + path)),
    });
  }

  url(path: string): string {
    return this.origin + path;
  }

  /** Requests for anything but robots.txt and sitemaps. */
  get pageRequests(): SeenRequest[] {
    return this.requests.filter(({ path }) => !/^\/robots\.txt$|sitemap/.test(path));
  }

  countOf(path: string): number {
    return this.requests.filter((request) => request.path === path).length;
  }

  forgetRequests(): void {
    this.requests.length = 0;
    this.maxConcurrent = 0;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? '/';
    const seen: SeenRequest = { path, headers: request.headers, startedAtMs: performance.now(), status: 0 };
    this.requests.push(seen);
    this.concurrent += 1;
    response.once('close', () => (this.concurrent -= 1));
    this.maxConcurrent = Math.max(this.maxConcurrent, this.concurrent);
    const resource = this.resourceAt(path, request.headers);
    await sleep(this.delayMs + (resource.delayMs ?? 0));
    seen.status = send(request, response, resource);
  }

  private resourceAt(path: string, headers: IncomingHttpHeaders): Resource {
    const pattern = [...this.resources.keys()].find(
      (key) => key.endsWith('*') && path.startsWith(key.slice(0, -1)),
    );
    const responder = this.resources.get(path) ?? this.resources.get(pattern ?? '');
    if (!responder) return { status: 404, body: 'nothing here', type: 'text/plain' };
    return typeof responder === 'function' ? responder(this.countOf(path), path, headers) : responder;
  }
}

const EPOCH = Date.parse('2026-01-01T00:00:00Z');

/** @returns the status */
function send(request: IncomingMessage, response: ServerResponse, resource: Resource): number {
  const { status = 200, type = 'text/html; charset=utf-8', headers = {}, validator = true } = resource;
  const body = Buffer.from(resource.body ?? '');
  const hash = createHash('sha256').update(body).digest('hex');
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
  if (status === 200 && validator === true) response.setHeader('etag', `"${hash.slice(0, 16)}"`);
  if (status === 200 && validator === 'date')
    response.setHeader(
      'last-modified',
      new Date(EPOCH + parseInt(hash.slice(0, 6), 16) * 1_000).toUTCString(),
    );
  const isUnchanged =
    (response.hasHeader('etag') && request.headers['if-none-match'] === response.getHeader('etag')) ||
    (response.hasHeader('last-modified') &&
      request.headers['if-modified-since'] === response.getHeader('last-modified'));
  if (isUnchanged) {
    response.writeHead(304).end();
    return 304;
  }
  if (type !== null) response.setHeader('content-type', type);
  response.writeHead(status).end(body);
  return status;
}

export function sitemapOf(locations: readonly string[]): string {
  const entries = locations.map((loc) => `<url><loc>${loc.replaceAll('&', '&amp;')}</loc></url>`);
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${entries.join('\n')}</urlset>`;
}

export function sitemapIndexOf(locations: readonly string[]): string {
  const entries = locations.map((loc) => `<sitemap><loc>${loc}</loc></sitemap>`);
  return `<?xml version="1.0"?><sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${entries.join('')}</sitemapindex>`;
}

/** A redirect response. */
export function redirectTo(location: string, status = 302): Resource {
  return { status, headers: { location } };
}

export interface PageParts {
  /** Markup for the head. */
  readonly head?: string;
  /** Targets of links in the navigation, which is not part of the page's text. */
  readonly links?: readonly string[];
}

/** A page with navigation, a main part with sections that have ids, and a footer. */
export function pageOf(
  title: string,
  sections: Readonly<Record<string, string>>,
  parts: PageParts = {},
): string {
  const links = (parts.links ?? []).map((href) => `<li><a href="${href}">to ${href}</a></li>`).join('');
  const main = Object.entries(sections)
    .map(
      ([heading, text]) =>
        `<h2 id="${heading.toLowerCase().replaceAll(' ', '-')}">${heading}</h2><p>${text}</p>`,
    )
    .join('\n');
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title>${parts.head ?? ''}</head>
<body><nav><ul>${links}</ul></nav><main><h1>${title}</h1>${main}</main><footer>All rights reserved</footer></body></html>`;
}

/** A page whose text is "This page tells of NAME". */
export function article(name: string, parts: PageParts = {}): string {
  return pageOf(
    `About ${name}`,
    { Overview: `This page tells of ${name}, at some length and in plain words.` },
    parts,
  );
}

/** The head of a page that names a canonical URL. */
export function canonical(url: string): string {
  return `<link rel="canonical" href="${url}">`;
}

/** A page that only refreshes to another one. */
export function refreshTo(path: string): string {
  return `<html><head><meta http-equiv="refresh" content="0; url=${path}"></head><body>Go on at ${path}</body></html>`;
}
