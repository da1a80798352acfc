import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect, it } from '@jest/globals';
import { startEmbedded } from '../../deployments/embedded.deployment.js';

it('a client cannot keep connections open without sending a request', async () => {
  const deployment = await startEmbedded({});
  try {
    const { hostname, port } = new URL(deployment.origin);
    const open = async (text: string): Promise<Socket> => {
      const socket = connect(Number(port), hostname);
      socket.on('error', () => undefined);
      await once(socket, 'connect');
      socket.write(text);
      return socket;
    };
    const started = Date.now();
    for (const socket of [await open(''), await open('GET / HTTP/1.1\r\nHost:')]) {
      socket.resume();
      // `once` would reject when the server resets the connection.
      if (!socket.closed) await new Promise((closed) => socket.once('close', closed));
    }
    expect(Date.now() - started).toBeLessThan(45_000);
  } finally {
    await deployment.stop();
  }
});
