import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What a WebDAV server answers instead of a listing or a file: a status with headers, or half an answer. */
export type DavFault = { readonly status: number; readonly headers?: Record<string, string> } | 'half';

export interface DavServer {
  readonly url: string;
  /** Paths with `/` at the beginning, and for folders at the end; and content, which folders have not. */
  readonly files: Map<string, string>;
  /** By path. */
  readonly faults: Map<string, DavFault>;
  /** Called before a file is sent. */
  onGet: (path: string) => void;
  close(): Promise<void>;
}

/** A WebDAV server with faults, for what a real one does rarely. */
export async function startDavServer(): Promise<DavServer> {
  const server = createServer((request, response) => answer(dav, request, response));
  const dav: Omit<DavServer, 'url'> = {
    files: new Map(),
    faults: new Map(),
    onGet: () => undefined,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return Object.assign(dav, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` });
}

function answer(dav: Omit<DavServer, 'url'>, request: IncomingMessage, response: ServerResponse): void {
  const path = decodeURI(request.url ?? '/');
  const fault = dav.faults.get(path);
  if (fault !== undefined && fault !== 'half') {
    response.writeHead(fault.status, fault.headers).end();
    return;
  }
  if (request.method === 'GET') dav.onGet(path);
  const entry = dav.files.get(path) ?? dav.files.get(`${path}/`);
  if (entry === undefined && path !== '/') {
    response.writeHead(404).end();
    return;
  }
  const body = Buffer.from(request.method === 'GET' ? (entry ?? '') : listing(dav.files, path, request));
  response.writeHead(request.method === 'GET' ? 200 : 207, { 'content-length': body.length });
  response.write(body.subarray(0, fault === 'half' ? body.length / 2 : body.length));
  if (fault === 'half') setTimeout(() => response.destroy(), 50);
  else response.end();
}

/** The answer to PROPFIND (RFC 4918, section 9.1). */
function listing(files: Map<string, string>, path: string, { headers }: IncomingMessage): string {
  const isChild = (name: string): boolean =>
    headers.depth === '1' && name.startsWith(path) && /^[^/]+\/?$/.test(name.slice(path.length));
  const names = [...files.keys()].filter((name) => name === path || isChild(name));
  const parts = [...new Set([...(path.endsWith('/') ? [path] : []), ...names])].map((name) => {
    const content = files.get(name) ?? '';
    const type = name.endsWith('/') ? '<d:collection/>' : '';
    return `<d:response><d:href>${encodeURI(name)}</d:href><d:propstat><d:status>HTTP/1.1 200 OK</d:status><d:prop><d:resourcetype>${type}</d:resourcetype><d:getcontentlength>${content.length}</d:getcontentlength><d:getlastmodified>Tue, 01 Dec 2026 02:${content.length % 60 < 10 ? '0' : ''}${content.length % 60}:00 GMT</d:getlastmodified></d:prop></d:propstat></d:response>`;
  });
  return `<?xml version="1.0"?><d:multistatus xmlns:d="DAV:">${parts.join('')}</d:multistatus>`;
}
