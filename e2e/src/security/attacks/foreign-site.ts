import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What the pages know of the service and of the user whom they attack. */
export interface Target {
  origin: string;
  datastoreId: string;
  datasourceId: string;
  /** An API key of the attacker's own organization. */
  attackerKey: string;
}

/** Functions of the pages. Each resolves when the service has answered or the browser has refused. */
const SCRIPT = `
  const api = target.origin + '/api';
  const actions = {
    '/datastores': { name: 'Forged' },
    '/api-keys': { name: 'Forged', scopes: ['admin'] },
    ['/datasources/' + target.datasourceId + '/sync']: {},
    '/session': { key: target.attackerKey },
  };
  async function tryAll(attempt) {
    for (const [path, body] of Object.entries(actions)) await attempt(path, body).catch(String);
  }

  /** Resolves when a window has left this site: its address cannot be read any more. */
  async function arrival(popup) {
    for (;;) {
      try { popup.location.href; } catch { return; }
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }
  async function submit(path, enctype, fields) {
    const form = document.body.appendChild(document.createElement('form'));
    Object.assign(form, { method: 'post', action: api + path, enctype, target: 'popup' });
    for (const [name, value] of Object.entries(fields))
      form.append(Object.assign(document.createElement('textarea'), { name, value }));
    const popup = open('about:blank', 'popup');
    form.submit();
    await arrival(popup);
    popup.close();
  }
  /** The lines of a form with the type text/plain are name=value, and may be JSON. */
  const jsonFields = (body) => ({ [JSON.stringify({ ...body, x: '' }).slice(0, -2)]: '"}' });

  async function request(path, init) {
    const response = await fetch(api + path, { credentials: 'include', ...init });
    return response.text();
  }
  function load(tag, properties) {
    const element = Object.assign(document.createElement(tag), properties);
    document.body.append(element);
    return new Promise((resolve) => { element.onload = element.onerror = () => resolve(''); });
  }
  async function readWindow(path) {
    const popup = open(target.origin + path);
    await arrival(popup);
    try { return popup.document.body.innerText; } finally { popup.close(); }
  }
  function listen(path) {
    const events = new EventSource(api + path, { withCredentials: true });
    return new Promise((resolve) => {
      events.onmessage = ({ data }) => resolve(data);
      events.onerror = () => { events.close(); resolve(''); };
    });
  }
`;

/** A site of an attacker, on 127.0.0.1 and localhost, which are two hosts for a browser. */
export async function startForeignSite(target: Target): Promise<{ port: number; close(): Promise<void> }> {
  const page = `<!doctype html><title>Prizes</title><body><script>const target = ${JSON.stringify(target)};${SCRIPT}</script>`;
  const server = createServer((_, response) => {
    response.setHeader('Content-Type', 'text/html; charset=utf-8');
    response.end(page);
  });
  await new Promise<void>((listening) => server.listen(0, listening));
  return {
    // A server that listens on TCP has an AddressInfo.
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}
