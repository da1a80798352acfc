import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { Duplex } from 'node:stream';
import type { Socket } from 'node:net';

/** A large request may be on its way for long after the system has taken it: at this rate, if the network is slow. */
const MIN_BYTES_PER_SECOND = 64 * 1024;

/**
 * Agents whose connections are closed when the server is silent for too long, also in the middle of a response: the
 * network may have lost them, which the client does not notice. A connection that waits for the reader of a response is
 * left alone.
 *
 * @param silenceLimitMs in all, during a request. Its bytes, at 64 KiB a second, are added
 */
export function watchedAgents(silenceLimitMs: number): { httpAgent: HttpAgent; httpsAgent: HttpsAgent } {
  const options = { keepAlive: true, maxSockets: 50, timeout: silenceLimitMs };
  return {
    httpAgent: watched(new HttpAgent(options), silenceLimitMs),
    httpsAgent: watched(new HttpsAgent(options), silenceLimitMs),
  };
}

function watched<Agent extends HttpAgent>(agent: Agent, silenceLimitMs: number): Agent {
  const connect = agent.createConnection.bind(agent);
  agent.createConnection = (...args) => {
    const connection = connect(...args);
    if (isSocket(connection)) watch(connection, silenceLimitMs);
    return connection;
  };
  return agent;
}

function watch(socket: Socket, silenceLimitMs: number): void {
  let answeredBytes = 0;
  let silentMs = 0;
  socket.on('free', () => {
    answeredBytes = socket.bytesWritten;
    silentMs = 0;
  });
  socket.on('timeout', () => {
    if (!socket.isPaused()) silentMs += silenceLimitMs;
    const sendingMs = ((socket.bytesWritten - answeredBytes) / MIN_BYTES_PER_SECOND) * 1_000;
    // The time is over once; it begins again.
    if (socket.isPaused() || silentMs <= sendingMs) socket.setTimeout(silenceLimitMs);
    else socket.destroy(Object.assign(new Error('The server does not answer'), { code: 'ETIMEDOUT' }));
  });
}

function isSocket(connection: Duplex | null | undefined): connection is Socket {
  return connection !== null && connection !== undefined && 'setTimeout' in connection;
}
