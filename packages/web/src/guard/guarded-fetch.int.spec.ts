import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { guardedFetch, requirePermittedAddress } from './guarded-fetch.js';

const LOOPBACK = ['127.0.0.0/8', '::1/128'];

describe('guardedFetch', () => {
  let server: Server;
  let url: string;
  const paths: (string | undefined)[] = [];
  beforeAll(async () => {
    server = createServer((request, response) => {
      paths.push(request.url);
      if (request.url === '/redirect') response.writeHead(307, { location: `${url}/other` }).end();
      else response.end('text');
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => new Promise((closed) => server.close(closed).closeAllConnections()));

  it('connects to allowed networks only, whatever the name', async () => {
    expect(await (await guardedFetch(LOOPBACK)(url)).text()).toBe('text');
    paths.length = 0;
    for (const address of [url, url.replace('127.0.0.1', 'localhost')]) {
      const cause = { code: 'ADDRESS_BLOCKED' };
      await expect(guardedFetch([])(address)).rejects.toMatchObject({ cause });
      await expect(requirePermittedAddress(address, [])).rejects.toMatchObject(cause);
      await requirePermittedAddress(address, LOOPBACK);
    }
    expect(paths).toEqual([]);
  });

  it('does not follow redirects', async () => {
    await expect(guardedFetch(LOOPBACK)(`${url}/redirect`, { method: 'POST', body: '{}' })).rejects.toThrow();
    expect(paths).toEqual(['/redirect']);
    const response = await guardedFetch(LOOPBACK)(`${url}/redirect`, { redirect: 'manual' });
    await response.body?.cancel();
    expect([response.status, paths]).toEqual([307, ['/redirect', '/redirect']]);
  });
});
