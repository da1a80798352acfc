import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A web site that embeds the widget. */
export interface ShopSite {
  port: number;
  /** The script tag of the pages. */
  tag: string;
  /** The address of the service, which the pages may load scripts from and talk to. */
  service: string;
  close(): Promise<void>;
}

const ARTICLE = `<!doctype html><title>Warranty of bicycles</title><h1>Warranty</h1>
<h2>Duration</h2><p>Bicycles are guaranteed for two years from the day of purchase. The battery is guaranteed for
one year, or for 500 charges, whichever comes first. Keep the receipt, because the shop needs the date of purchase.</p>`;

/** Starts a site on 127.0.0.1 and localhost, which are two origins. Its policy allows no inline scripts and styles. */
export async function startShop(): Promise<ShopSite> {
  const server = createServer((request, response) => {
    const { service, tag } = site;
    response.setHeader('Content-Type', 'text/html; charset=utf-8');
    if (request.url === '/warranty') return void response.end(ARTICLE);
    response.setHeader(
      'Content-Security-Policy',
      `default-src 'none'; script-src ${service}; connect-src ${service}; style-src 'self'`,
    );
    return void response.end(
      `<!doctype html><html lang="en"><meta name="viewport" content="width=device-width"><title>Shop</title>
       <meta name="color-scheme" content="light dark"><h1>Bicycles</h1><p>We sell and repair bicycles.</p>${tag}</html>`,
    );
  });
  await new Promise<void>((listening) => server.listen(0, listening));
  const site: ShopSite = {
    // A server that listens on TCP has an AddressInfo.
    port: (server.address() as AddressInfo).port,
    tag: '',
    service: '',
    close: () =>
      new Promise((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
  return site;
}
