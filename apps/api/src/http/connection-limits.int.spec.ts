import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { limitConnections } from './connection-limits.js';

const INTERVAL_MS = 100;

/** Unlike `once`, ignores the error that comes first when the server resets the connection. */
const closed = (socket: Socket): Promise<unknown> =>
  socket.closed ? Promise.resolve() : new Promise((done) => socket.once('close', done));

describe('limitConnections', () => {
  let server: Server;
  afterEach(() => {
    server.close();
    server.closeAllConnections();
  });

  /** @param reads whether the server reads the bodies of requests */
  async function start({ maxPerAddress = 0, reads = true } = {}): Promise<() => Promise<Socket>> {
    server = createServer((request, response) => {
      if (reads) request.resume();
      request.once('end', () => response.end('read'));
    });
    limitConnections(server, maxPerAddress, INTERVAL_MS);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    // A server that listens on TCP has an AddressInfo.
    const { port } = server.address() as AddressInfo;
    return async () => {
      const socket = connect(port, '127.0.0.1');
      socket.on('error', () => undefined);
      socket.resume();
      await once(socket, 'connect');
      return socket;
    };
  }

  const head = (length: number): string => `POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\n\r\n`;

  it('closes a connection whose body arrives too slowly', async () => {
    const open = await start();
    const socket = await open();
    socket.write(`${head(1_000_000)}x`);
    const drip = setInterval(() => socket.write('x'), 20);
    await closed(socket);
    clearInterval(drip);
  });

  it('keeps a connection whose body arrives fast enough, or whose body waits for the server', async () => {
    const fast = await (await start())();
    let answer = '';
    fast.on('data', (bytes: Buffer) => (answer += bytes.toString()));
    fast.write(head(20_000));
    for (let sent = 0; sent < 20_000; sent += 2_000) {
      fast.write('x'.repeat(2_000));
      await sleep(INTERVAL_MS / 2);
    }
    while (!answer) await sleep(10);
    expect(answer).toMatch(/read/);
    server.close();
    server.closeAllConnections();

    const waiting = await (await start({ reads: false }))();
    waiting.write(head(10_000_000) + 'x'.repeat(1_000_000));
    await sleep(5 * INTERVAL_MS);
    expect(waiting.closed).toBe(false);
  });

  it('gives every body a whole interval, whenever it begins', async () => {
    const open = await start();
    for (let pause = 0; pause < INTERVAL_MS; pause += 10) {
      const socket = await open();
      let answer = '';
      socket.on('data', (bytes: Buffer) => (answer += bytes.toString()));
      socket.write(head(1));
      await sleep(INTERVAL_MS - 20);
      socket.write('x');
      while (!answer && !socket.closed) await sleep(5);
      expect(answer).toMatch(/read/);
      await sleep(pause);
    }
  });

  it('refuses connections of an address beyond the limit, until others are closed', async () => {
    const open = await start({ maxPerAddress: 2 });
    const [first, second] = [await open(), await open()];
    const refused = await open();
    await closed(refused);
    first.destroy();
    await sleep(50);
    const next = await open();
    await sleep(50);
    expect([second.closed, next.closed]).toEqual([false, false]);
  });
});
