import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { limitConnections, limitPipelining } from './connection-limits.js';

const INTERVAL_MS = 100;

/** Unlike `once`, ignores the error that comes first when the server resets the connection. */
const closed = (socket: Socket): Promise<unknown> =>
  socket.closed ? Promise.resolve() : new Promise((done) => socket.once('close', done));

/** Whether the server answers before it closes the connection. */
async function answered(socket: Socket): Promise<boolean> {
  const answer = new Promise<boolean>((done) => socket.once('data', () => done(true)));
  return Promise.race([answer, closed(socket).then(() => false)]);
}

describe('limitConnections', () => {
  let server: Server;
  afterEach(() => {
    server.close();
    server.closeAllConnections();
  });

  /** @param reads whether the server reads the bodies of requests */
  async function start({ maxPerAddress = 0, reads = true, intervalMs = INTERVAL_MS } = {}): Promise<
    () => Promise<Socket>
  > {
    server = createServer((request, response) => {
      if (reads) request.resume();
      request.once('end', () => response.end('read'));
    });
    limitConnections(server, maxPerAddress, intervalMs);
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
    const fast = await (await start({ intervalMs: 5 * INTERVAL_MS }))();
    const answer = answered(fast);
    fast.write(head(20_000));
    for (let sent = 0; sent < 20_000; sent += 1_000) {
      fast.write('x'.repeat(1_000));
      await sleep(INTERVAL_MS / 2);
    }
    expect(await answer).toBe(true);
    server.close();
    server.closeAllConnections();

    const waiting = await (await start({ reads: false }))();
    waiting.write(head(10_000_000) + 'x'.repeat(1_000_000));
    await sleep(5 * INTERVAL_MS);
    expect(waiting.closed).toBe(false);
  });

  it('gives every body a whole interval, whenever it begins', async () => {
    const intervalMs = 10 * INTERVAL_MS;
    const open = await start({ intervalMs });
    const sendLate = async (startMs: number): Promise<boolean> => {
      await sleep(startMs);
      const socket = await open();
      const answer = answered(socket);
      socket.write(head(1));
      await sleep(intervalMs / 2);
      socket.write('x');
      return answer;
    };
    const starts = [0, 0.2, 0.4, 0.6, 0.8].map((part) => part * intervalMs);
    expect(await Promise.all(starts.map(sendLate))).toEqual(starts.map(() => true));
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

  it('closes a connection that pipelines many requests, and keeps one that waits for its responses', async () => {
    const open = await start();
    const [handle] = server.listeners('request');
    let handled = 0;
    server.removeAllListeners('request').on(
      'request',
      limitPipelining((request, response) => {
        handled += 1;
        handle?.(request, response);
      }),
    );
    const get = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';
    const patient = await open();
    for (let count = 0; count < 50; count += 1) {
      patient.write(get);
      await once(patient, 'data');
    }
    const greedy = await open();
    greedy.write(get.repeat(1_000));
    await closed(greedy);
    expect([handled, patient.closed]).toEqual([50 + 32, false]);
  });
});
