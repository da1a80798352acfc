import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { endLike } from './process-ends.js';
import { RestartPause } from './restart-pause.js';

/** Message of the service when it answers requests. */
export interface ServiceIsReady {
  /** Where it listens. A restarted service listens there again. */
  readonly port: number;
}

/**
 * Runs the service as a child process. When a service that was ready ends unexpectedly (by its watchdog, by an error that
 * nobody catches, or out of memory), it is started again, with the port as its argument. If the service ends before it is
 * ready, this process ends with the same code: the service has told the reason. SIGINT and SIGTERM are passed on.
 */
export function superviseService(program: URL): void {
  let service: ChildProcess | undefined;
  let isStopping = false;
  let ready: ServiceIsReady | undefined;
  const pause = new RestartPause({ firstMs: 100, longestMs: 30_000 });

  const start = (): void => {
    const startedAt = performance.now();
    const child = fork(fileURLToPath(program), ready === undefined ? [] : [String(ready.port)], {
      stdio: 'inherit',
    });
    service = child;
    child.once('message', (message) => (ready = message as ServiceIsReady));
    const onEnd = (code: number | null, signal: NodeJS.Signals | null): void => {
      service = undefined;
      if (isStopping || code === 0 || ready === undefined) endLike(code, signal);
      process.stderr.write(
        `Citewell ended unexpectedly (${signal ?? `code ${code}`}) and is started again.\n`,
      );
      setTimeout(start, pause.next(startedAt));
    };
    child.once('exit', onEnd);
    // Without a process id, it was not started: the system had no process or file left.
    child.on('error', () => child.pid === undefined && onEnd(1, null));
  };

  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      isStopping = true;
      if (service === undefined) process.exit(0);
      service.kill(signal);
    });
  }
  start();
}
