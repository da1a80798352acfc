import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

const ETAG = '"1"';
const shell = (code: string): string => `<!doctype html><html lang="en"><head><title>Harbour</title></head>
<body><div id="root"></div><noscript>You need to enable JavaScript.</noscript><script>${code}</script></body></html>`;
const plain = (title: string, text: string, links = ''): string =>
  `<!doctype html><html lang="en"><title>${title}</title><main><h1>${title}</h1><p>${text}</p>${links}</main></html>`;

/** Addresses of a folder. */
const pathsOf = (folder: string, count: number): string[] =>
  Array.from({ length: count }, (_, n) => `/${folder}/${n}`);
const linksTo = (paths: readonly string[]): string =>
  paths.map((path) => `<a href="${path}">${path}</a>`).join(' ');
/** Short pages whose script adds the same menu to each of them. */
export const NOTES = pathsOf('notes', 6);
/** Pages of an application, which shows a text of its own on each of them, beside the same title. */
export const BERTHS = pathsOf('berths', 6);
/** Pages without text, which their script shows after a second. */
export const HOURS = pathsOf('hours', 4);

/** A site on loopback. Some of its pages need a browser. */
export class HarbourSite {
  /** Paths of all requests; URLs of requests to a proxy. */
  readonly requested: string[] = [];
  /** Paths of the requests that were answered with 304. */
  readonly unchanged: string[] = [];
  private readonly server: Server = createServer((incoming, response) => {
    const requested = incoming.url ?? '';
    // Requests to a proxy name the whole URL.
    const url = URL.parse(requested)?.pathname ?? requested;
    this.requested.push(requested);
    const page = this.pages[url];
    if (url === '/api/pilots')
      response.end('{"text":"The pilots of Ystad board ships two miles off the mole."}');
    else if (page === undefined) response.writeHead(404).end();
    else if (incoming.headers['if-none-match'] === ETAG) {
      this.unchanged.push(url);
      response.writeHead(304).end();
    } else if (NOTES.includes(url))
      response.setHeader('etag', ETAG).setHeader('content-type', 'text/html').end(page);
    else response.setHeader('content-type', 'text/html').end(page);
  });

  private readonly pages: Readonly<Record<string, string>> = {
    '/': plain(
      'Harbour office',
      'The office of the harbour is open from Monday to Friday, in summer on Saturdays too.',
      '<a href="/pilots">Pilots</a> <a href="/tides">Tides</a>',
    ),
    '/tides': plain(
      'Tides',
      'The tide tables of the harbour are printed every November for the year to come.',
    ),
    '/tugs': plain('Tugs', 'Three tugs lie ready at the northern quay, the strongest pulls sixty tonnes.'),
    '/pilots': shell(`
      fetch('/api/pilots').then((answer) => answer.json()).then(({ text }) => {
        root.innerHTML = '<main><h1 id="pilots">Pilots</h1><p>' + text + '</p><a href="/tugs">Tugs</a>'
          + '<img src="/pilot.png"><video src="/pilot.mp4"></video></main>';
      });`),
    '/buoys': shell(
      `root.innerHTML = '<main><h1>Buoys</h1><p>The outer buoys are lit from dusk to dawn.</p></main>';`,
    ),
    '/mixed': plain(
      'Notes and berths',
      'The notes of the harbour office are plain pages; the berths are shown by an application.',
      linksTo([...NOTES, ...BERTHS]),
    ),
    ...Object.fromEntries(
      NOTES.map((path) => [
        path,
        `${plain(`Note ${path}`, `Crane number ${path} is out of service.`)}<nav id="menu"></nav><script src="/notes.js"></script>`,
      ]),
    ),
    ...Object.fromEntries(
      BERTHS.map((path) => [
        path,
        `<title>Berths</title><h1>Berths</h1><div id="root"></div><script src="/berths.js"></script>`,
      ]),
    ),
    '/hours': plain('Opening hours', 'The opening hours of the harbour by its parts.', linksTo(HOURS)),
    ...Object.fromEntries(
      HOURS.map((path) => [
        path,
        shell(
          `setTimeout(() => { root.innerHTML = '<main><p>Part ${path} opens at nine.</p></main>'; }, 1_000);`,
        ),
      ]),
    ),
    '/notes.js': `menu.innerHTML = '<a href="/tides">Tides</a>';`,
    '/berths.js': `root.innerHTML = '<p>The berth at ' + location.pathname + ' takes boats with a draught of two metres.</p>';`,
    '/away': shell(`location.href = 'http://169.254.169.254/latest/meta-data';`),
    '/moved': shell(`location.replace('/pilots');`),
    '/loop': shell('for (;;) {}'),
    '/memory': shell(
      'const all = []; setInterval(() => { for (let i = 0; i < 4; i += 1) all.push(new Uint8Array(2 ** 26).fill(1)); }, 20);',
    ),
    '/slow': shell(`setInterval(() => fetch('/api/pilots'), 100);`),
    '/some': shell('').replace('<div id="root"></div>', '<p>Closed for the winter.</p><div id="root"></div>'),
  };

  get origin(): string {
    // A server that listens on TCP has an AddressInfo.
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async start(): Promise<void> {
    await new Promise<void>((listening) => this.server.listen(0, '127.0.0.1', listening));
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}
