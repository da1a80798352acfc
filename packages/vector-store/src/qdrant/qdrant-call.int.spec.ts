import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { callQdrant, QdrantNodes } from './qdrant-call.js';

describe('callQdrant', () => {
  it('retries after connections that close before and within a response', async () => {
    let requests = 0;
    const server = createServer((_, response) => {
      requests++;
      // The first connection closes before the response, the second one within it.
      if (requests === 1) response.destroy();
      else if (requests === 2) response.write('{', () => response.destroy());
      else response.end('{}');
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const read = async (): Promise<unknown> => (await fetch(`http://127.0.0.1:${port}`)).json();
    expect(await callQdrant(new QdrantNodes(['http://127.0.0.1:1'], undefined, 1_000), 5000, read)).toEqual(
      {},
    );
    expect(requests).toBe(3);
    server.close();
  });
});
