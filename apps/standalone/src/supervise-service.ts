import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

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

/** Ends this process as another one has ended. */
export function endLike(code: number | null, signal: NodeJS.Signals | null): never {
  if (signal !== null) process.kill(process.pid, signal);
  process.exit(code ?? 1);
}

/** Ends this process by SIGKILL as soon as the one that started it has ended: it can work for nobody. */
export function endWithSupervisor(): void {
  const end = (): boolean => process.kill(process.pid, 'SIGKILL');
  process.once('disconnect', end);
  // It ended before. Without a channel, nobody has started this process in this way.
  if (process.connected === false) end();
}

/** A process that has worked for this long has started well. */
const GOOD_START_MS = 60_000;

/** How long to wait before a process that has ended is started again. */
export class RestartPause {
  private pauseMs: number;

  constructor(private readonly limits: { readonly firstMs: number; readonly longestMs: number }) {
    this.pauseMs = limits.firstMs;
  }

  /**
   * @param startedAt of the process that has ended, by `performance.now()`
   * @returns milliseconds: the first pause if the process had started well, otherwise twice the last pause, up to the longest
   */
  next(startedAt: number): number {
    const { firstMs, longestMs } = this.limits;
    const isGood = performance.now() - startedAt > GOOD_START_MS;
    this.pauseMs = isGood ? firstMs : Math.min(2 * this.pauseMs, longestMs);
    return this.pauseMs;
  }
}
