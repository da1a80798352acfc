import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { Duplex } from 'node:stream';
import type { Socket } from 'node:net';

/**
 * Agents whose connections are closed when the server is silent for too long, also in the middle of a response: the
 * network may have lost them, which the client does not notice. A connection that waits for the reader of a response is
 * left alone.
 */
export function watchedAgents(silenceLimitMs: number): { httpAgent: HttpAgent; httpsAgent: HttpsAgent } {
  const options = { keepAlive: true, maxSockets: 50, timeout: silenceLimitMs };
  return { httpAgent: watched(new HttpAgent(options)), httpsAgent: watched(new HttpsAgent(options)) };
}

function watched<Agent extends HttpAgent>(agent: Agent): Agent {
  const connect = agent.createConnection.bind(agent);
  agent.createConnection = (...args) => {
    const connection = connect(...args);
    if (isSocket(connection)) connection.on('timeout', () => endSilence(connection));
    return connection;
  };
  return agent;
}

function endSilence(socket: Socket): void {
  // The time is over once; it begins again.
  if (socket.isPaused()) socket.setTimeout(socket.timeout ?? 0);
  else socket.destroy(Object.assign(new Error('The server does not answer'), { code: 'ETIMEDOUT' }));
}

function isSocket(connection: Duplex | null | undefined): connection is Socket {
  return connection !== null && connection !== undefined && 'setTimeout' in connection;
}
