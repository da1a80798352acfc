import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

const script = (code: string): string => `<!doctype html><html lang="en"><head><title>Shell</title></head>
<body><div id="app"></div><noscript>Please enable JavaScript</noscript><script>${code}</script></body></html>`;

/** Test pages by path. */
const PAGES: Readonly<Record<string, string>> = {
  '/app': script(`
    document.title = 'Lighthouses';
    fetch('/data.json').then((answer) => answer.json()).then(({ text }) => {
      app.innerHTML = '<main><h1 id="lamp">Lamp</h1><p>' + text + '</p><a href="/next">next</a>'
        + '<img src="/lamp.png"><video src="/lamp.mp4"></video></main>';
    });
    const style = document.createElement('style');
    style.textContent = '@font-face{font-family:x;src:url(/x.woff2)} body{font-family:x;background:url(/back.png)}';
    document.head.append(style);`),
  '/late': script(`setTimeout(() => { app.innerHTML = '<main><p>Came late.</p></main>' }, 1500);`),
  '/shadow': script(`
    customElements.define('x-note', class extends HTMLElement {
      connectedCallback() { this.attachShadow({ mode: 'open' }).innerHTML = '<p>In the shadow: <slot></slot></p>'; }
    });
    app.innerHTML = '<main><x-note>slotted</x-note></main>';`),
  '/cookie': script(`
    const visits = Number(localStorage.visits ?? 0) + 1;
    localStorage.visits = visits;
    document.cookie = 'seen=yes';
    app.innerHTML = '<main><p>Visit ' + visits + ', cookies: ' + document.cookie + '</p></main>';`),
  '/private': script(`location.href = 'http://10.0.0.1/secret';`),
  '/leaks': script(`
    const print = (text) => { app.innerHTML += '<p>' + text + '</p>'; };
    const [, http, udp] = location.hash.match(/(\\d+),(\\d+)/);
    const asked = ['127.0.0.2', '[::1]', '0x7f.2', '2130706434'].map((host) =>
      fetch('http://' + host + ':' + http + '/', { mode: 'no-cors' }).catch(() => undefined));
    const socket = new Promise((resolve) => { new WebSocket('ws://127.0.0.2:' + http).onerror = resolve; });
    const peer = new RTCPeerConnection({ iceServers: [{ urls: 'stun:127.0.0.1:' + udp }] });
    peer.createDataChannel('x');
    peer.onicecandidate = ({ candidate }) => candidate && print('candidate ' + candidate.candidate);
    peer.createOffer().then((offer) => peer.setLocalDescription(offer));
    Promise.all([...asked, socket]).then(() => setTimeout(print, 1000, 'all attempts are done'));`),
  '/rude': script(`
    window.open('/popup'); alert('hello'); confirm('sure?'); print();
    const frame = document.createElement('iframe'); frame.src = '/frame'; document.body.append(frame);
    navigator.serviceWorker?.register('/worker.js').catch(() => {});
    app.innerHTML = '<main><p>Rude but read.</p></main>';`),
  '/frames': script(`
    for (let i = 0; i < 100; i += 1) {
      const frame = document.createElement('iframe');
      frame.src = 'http://site-' + i + '.example/';
      document.body.append(frame);
    }
    setTimeout(() => { app.innerHTML = '<main><p>Among frames.</p></main>'; }, 2000);`),
  '/reload': script(`
    if (document.cookie) app.innerHTML = '<main><p>Let in.</p></main>';
    else { document.cookie = 'pass=1'; location.reload(); }`),
  '/circle': script(`location.reload();`),
  '/loop': script(`for (;;) {}`),
  '/heap': script(`const all = []; for (;;) all.push(new Array(1_000_000).fill(all.length + 0.5));`),
  '/memory': script(`
    const all = []; setInterval(() => { for (let i = 0; i < 4; i += 1) all.push(new Uint8Array(2 ** 26).fill(1)); }, 20);
    setInterval(() => fetch('/data.json'), 100);`),
  '/flood': script(`const text = 'x'.repeat(2 ** 26); for (let i = 0; i < 40; i += 1) console.log(text + i);
    setInterval(() => fetch('/data.json'), 100);`),
  '/huge': script(`app.innerHTML = '<p hidden>' + 'large '.repeat(3_600_000) + '</p>';`),
  '/endless': script(`
    fetch('/stream').then(async ({ body }) => { for await (const piece of body); });`),
};

export interface PageServer {
  readonly url: string;
  /** Paths of all requests. */
  readonly requests: string[];
  /** A page as it is after fetching. */
  page(path: string): { url: string; body: Uint8Array; headers: Record<string, string> };
  stop(): void;
}

/** Serves the pages on the loopback interface. */
export async function startPageServer(): Promise<PageServer> {
  const requests: string[] = [];
  const server: Server = createServer((incoming, response) => {
    requests.push(incoming.url ?? '');
    answer(incoming, response);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  // A server that listens on TCP has an AddressInfo.
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    requests,
    page: (path) => ({
      url: url + path,
      body: Buffer.from(PAGES[path.split('#', 1)[0] ?? ''] ?? ''),
      headers: { 'content-type': 'text/html' },
    }),
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}

function answer({ url = '' }: IncomingMessage, response: ServerResponse): void {
  response.on('error', () => undefined);
  if (url === '/data.json') response.end('{"text":"The lamp turns every nine seconds."}');
  else if (url === '/stream') {
    const piece = Buffer.alloc(1024 * 1024, 32);
    const more = (): void => {
      while (!response.destroyed && response.write(piece));
    };
    response.on('drain', more);
    more();
  } else response.setHeader('content-type', 'text/html').end(PAGES[url] ?? 'something');
}
