import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { endWithParent } from '@citewell/observability/end-with-parent';
import { freePort } from './postgres.js';

/** A temporary Redis server. `stop()` deletes its data. */
export interface RedisServer {
  readonly url: string;
  readonly process: ChildProcess;
  stop(): Promise<void>;
}

/**
 * Starts `redis-server` from the PATH on a free port of the loopback interface.
 *
 * @param options further options of the command line
 */
export async function startRedis(options: readonly string[] = []): Promise<RedisServer> {
  const directory = await mkdtemp(join(tmpdir(), 'citewell-redis-'));
  const port = await freePort();
  const settings = [
    '--port',
    `${port}`,
    '--bind',
    '127.0.0.1',
    '--dir',
    directory,
    '--appendonly',
    'yes',
    '--maxmemory-policy',
    'noeviction',
    ...options,
  ];
  const child = spawn('redis-server', settings, { stdio: 'ignore' });
  endWithParent(child, 'KILL');
  const exited = once(child, 'exit');
  await waitForPort(port);
  return {
    url: `redis://127.0.0.1:${port}`,
    process: child,
    async stop() {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
      await exited;
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/**
 * Resolves when a server accepts connections on a port of the loopback interface.
 *
 * @param timeoutMs default 10,000
 * @throws Error after the timeout
 */
export async function waitForPort(port: number, timeoutMs = 10_000): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  while (Date.now() < deadline) {
    const socket = connect(port, '127.0.0.1');
    const open = await Promise.race([
      once(socket, 'connect').then(() => true),
      once(socket, 'error').then(() => false),
    ]).catch(() => false);
    socket.destroy();
    if (open) return;
    await sleep(25);
  }
  throw new Error(`Nothing listens on port ${port} after ${timeoutMs} ms`);
}
