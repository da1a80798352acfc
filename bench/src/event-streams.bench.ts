// Measures the latency of other requests while many event streams are open: first streams of one datasource, then as
// many of different ones, each in progress. The baseline without streams is from the same run.
//
//   node dist/event-streams.bench.js [--streams 2000] [--requests 500] [--repository <compiled checkout>]
import { get, createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parseArgs } from 'node:util';
import { API_KEY, REPOSITORY, withStandalone } from './product/standalone-process.js';
import { Timings } from './product/timings.js';
import { BenchClient } from './product/bench-client.js';

/** Streams that one key may open. */
const STREAMS_PER_KEY = 250;

const { values } = parseArgs({
  options: {
    streams: { type: 'string', default: '2000' },
    requests: { type: 'string', default: '500' },
    repository: { type: 'string', default: REPOSITORY },
  },
});
const streams = Number(values.streams);

// Pages of this site never arrive, so their datasources stay in progress.
const site = createServer((request, response) => {
  if (request.url === '/robots.txt') response.writeHead(404).end();
});
await new Promise<void>((listening) => site.listen(0, '127.0.0.1', listening));
// A server that listens on TCP has an AddressInfo.
const siteUrl = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
const variables = { MAX_CONNECTIONS_PER_ADDRESS: '0', ALLOW_PRIVATE_NETWORKS: '127.0.0.1/32' };

await withStandalone({ variables, repository: values.repository }, async ({ url }) => {
  const client = new BenchClient(url);
  const datastoreId = await client.createDatastore();
  const keys = await Promise.all(Array.from({ length: Math.ceil(streams / STREAMS_PER_KEY) }, createKey));
  const rows: Record<string, Record<string, number>> = { 'no stream': await measure() };
  const ids = await Promise.all(Array.from({ length: streams }, createPage));
  rows['pages in progress, no stream'] = await measure();
  rows[`${streams} streams of one datasource`] = await withStreams(() => ids[0] ?? '');
  rows[`${streams} streams of as many datasources`] = await withStreams((n) => ids[n] ?? '');
  console.table(rows);
  client.close();

  async function createKey(): Promise<string> {
    const body = { name: 'streams', scopes: ['read'] };
    return (await client.json<{ key: string }>('POST', 'api-keys', body)).key;
  }

  async function createPage(_: unknown, n: number): Promise<string> {
    const config = { source_url: `${siteUrl}/${n}` };
    const body = { type: 'web_page', datastoreId, config };
    return (await client.json<{ id: string }>('POST', 'datasources', body)).id;
  }

  async function measure(): Promise<Record<string, number>> {
    const timings = new Timings();
    for (let request = 0; request < Number(values.requests); request += 1)
      await timings.measure(() => client.send('GET', '/api/agents'));
    return timings.row();
  }

  async function withStreams(idOf: (n: number) => string): Promise<Record<string, number>> {
    const open = await Promise.all(
      Array.from({ length: streams }, (_, n) => openStream(idOf(n), keys[Math.floor(n / STREAMS_PER_KEY)])),
    );
    const row = await measure();
    const left = open.filter((response) => !response.destroyed).length;
    for (const response of open) response.destroy();
    return { ...row, 'streams open': left };
  }

  function openStream(id: string, key = API_KEY): Promise<IncomingMessage> {
    const headers = { authorization: `Bearer ${key}` };
    return new Promise((opened, failed) => {
      get(`${url}/api/datasources/${id}/events`, { headers, agent: false }, (response) => {
        response.on('error', () => undefined).resume();
        if (response.statusCode === 200) opened(response);
        else failed(new Error(`stream: ${response.statusCode}`));
      }).on('error', failed);
    });
  }
});
site.close();
site.closeAllConnections();
