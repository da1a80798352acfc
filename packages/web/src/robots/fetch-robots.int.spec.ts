import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { GuardedHttpClient } from '../guard/guarded-http.client.js';
import { fetchRobots, robotsFor, type RobotsOutcome } from './fetch-robots.js';
import { MAX_ROBOTS_BYTES } from './robots-file.js';

describe('fetchRobots from a server', () => {
  const client = new GuardedHttpClient({
    userAgent: 'Citewell-test',
    allowPrivateNetworks: ['127.0.0.1/32'],
  });
  let redirects = 0;
  let wall = false;
  let file: Buffer | number = 404;
  let target: string | null = null;
  const server = createServer((incoming, response) => {
    const hops = Number(/^\/hop-(\d+)$/.exec(incoming.url ?? '')?.[1] ?? 0);
    if (wall && incoming.headers.cookie !== 'seen=1')
      response.writeHead(302, { location: incoming.url, 'set-cookie': 'seen=1; Path=/' }).end();
    else if (target !== null) response.writeHead(302, { location: target }).end();
    else if (hops < redirects) response.writeHead(302, { location: `/hop-${hops + 1}` }).end();
    else if (typeof file === 'number') response.writeHead(file).end();
    else response.end(file);
  });
  beforeAll(() => new Promise<void>((done) => server.listen(0, '127.0.0.1', done)));
  afterAll(async () => {
    await client.close();
    server.closeAllConnections();
    server.close();
  });

  const ask = (found: Buffer | number, hops = 0): Promise<RobotsOutcome> => {
    file = found;
    redirects = hops;
    // A server that listens on TCP has an AddressInfo.
    return fetchRobots(client, `http://127.0.0.1:${(server.address() as AddressInfo).port}/some/page?x`);
  };

  it('reads a file', async () => {
    const robots = robotsFor(
      await ask(Buffer.from('User-agent: *\nDisallow: /a\nSitemap: /s.xml')),
      0,
    ).robots;
    expect(robots.rulesFor('x').allows('http://e.org/a')).toBe(false);
    expect(robots.sitemaps[0] ?? '').toMatch(/^http:\/\/127\.0\.0\.1:\d+\/s\.xml$/);
  });

  it('follows five redirects and no more', async () => {
    expect((await ask(Buffer.from(''), 5)).kind).toBe('file');
    expect((await ask(Buffer.from(''), 6)).kind).toBe('too-many-redirects');
  });

  it('reads a file that is behind a redirect with a cookie', async () => {
    wall = true;
    expect((await ask(Buffer.from(''))).kind).toBe('file');
    wall = false;
  });

  it('reads the start of a file that is too long', async () => {
    const outcome = await ask(
      Buffer.concat([Buffer.from('User-agent: *\nDisallow: /a\n'), Buffer.alloc(3_000_000, '#')]),
    );
    assert.ok(outcome.kind === 'file');
    expect(outcome.content.length).toBeLessThan(2 * MAX_ROBOTS_BYTES);
    expect(robotsFor(outcome, 0).robots.rulesFor('x').allows('http://e.org/a')).toBe(false);
  });

  it('reports a file that redirects to a blocked address as unreachable', async () => {
    target = 'http://10.0.0.1/robots.txt';
    const outcome = await ask(404);
    target = null;
    expect(outcome.kind).toBe('unreachable');
    expect(robotsFor(outcome, 0).problem ?? '').toMatch(/robots\.txt.*cannot be read.*private/);
    await expect(fetchRobots(client, 'http://10.0.0.1/page')).rejects.toMatchObject({ kind: 'blocked' });
  });

  it('returns the status', async () => {
    for (const status of [404, 403, 429, 500, 503])
      expect(await ask(status)).toEqual({ kind: 'status', status });
  });
});
