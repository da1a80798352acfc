import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Logger, MetricObject } from '@citewell/observability';
import { RestartPause } from './supervise-service.js';

/** The process ends when it has had no work for this long. */
const IDLE_MS = 60_000;
const CHECK_MS = 10_000;
const METRICS_TIMEOUT_MS = 1_000;

export interface CrawlerProcessOptions {
  readonly databaseUrl: string;
  /** Number of waiting and running jobs of the crawler. */
  readonly countJobs: () => Promise<number>;
  /** After this time a process that was told to stop is killed. */
  readonly stopTimeoutMs: number;
  /** Called instead of a restart, when a process ends unexpectedly. */
  readonly onEnd?: (code: number | null, signal: NodeJS.Signals | null) => void;
  readonly logger: Pick<Logger, 'info' | 'error'>;
}

/**
 * The crawler of the standalone deployment, in a process of its own: what web sites send is not read on the event loop
 * that answers requests. The process is started when there is work, and ends after a minute without any, because it
 * takes some 110 MB.
 */
export class CrawlerProcess {
  private child: ChildProcess | undefined;
  private neededAt = -Infinity;
  private isStopping = false;
  private startedAt = 0;
  private readonly pause = new RestartPause({ firstMs: 1_000, longestMs: 60_000 });
  private readonly timer: NodeJS.Timeout;

  constructor(private readonly options: CrawlerProcessOptions) {
    this.timer = setInterval(() => void this.endIfIdle(), CHECK_MS).unref();
  }

  /** There is work: starts the process unless it runs. */
  need(): void {
    this.neededAt = performance.now();
    if (this.isStopping) return;
    this.child ??= this.start();
  }

  /** The metrics of the process. Empty if it does not run, or does not answer. */
  async metrics(): Promise<MetricObject[]> {
    const { child } = this;
    if (child?.connected !== true) return [];
    child.send('metrics');
    const answer = once(child, 'message', { signal: AbortSignal.timeout(METRICS_TIMEOUT_MS) });
    const [metrics] = await answer.catch(() => [[]]);
    // The process sends nothing else.
    return metrics as MetricObject[];
  }

  /** Lets the process finish or release its jobs, and waits for its end. */
  async stop(): Promise<void> {
    this.isStopping = true;
    clearInterval(this.timer);
    const { child } = this;
    if (child === undefined) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    const timeout = setTimeout(() => child.kill('SIGKILL'), this.options.stopTimeoutMs);
    await ended;
    clearTimeout(timeout);
  }

  private start(): ChildProcess {
    const child = fork(fileURLToPath(new URL('./crawler.main.js', import.meta.url)), {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      env: crawlerEnvironment(process.env, this.options.databaseUrl),
    });
    this.startedAt = performance.now();
    child.once('exit', (code, signal) => this.onEnd(code, signal));
    // Without a process id, it was not started: the system had no process or file left.
    child.on('error', () => child.pid === undefined && this.onEnd(1, null));
    return child;
  }

  private onEnd(code: number | null, signal: NodeJS.Signals | null): void {
    this.child = undefined;
    if (this.isStopping) return;
    const pauseMs = this.pause.next(this.startedAt);
    const isUnexpected = code !== 0;
    if (isUnexpected) {
      this.options.logger.error({ code, signal }, 'the crawler ended unexpectedly');
      this.options.onEnd?.(code, signal);
    }
    // Work may have come while the process was ending.
    const hasWork = performance.now() - this.neededAt < IDLE_MS;
    if (isUnexpected || hasWork) setTimeout(() => this.need(), pauseMs).unref();
  }

  private async endIfIdle(): Promise<void> {
    const isIdle = (): boolean => performance.now() - this.neededAt >= IDLE_MS;
    if (this.child === undefined || !isIdle()) return;
    const jobs = await this.options.countJobs().catch(() => 1);
    if (jobs > 0) this.neededAt = performance.now();
    else if (isIdle()) this.child?.kill('SIGTERM');
  }
}

/** Names of secrets, and of the sender that a mail server requires. */
const SECRET = /_KEY$|_KEY_ID$|SECRET|TOKEN|PASSWORD|^SMTP_URL$|^MAIL_FROM$/;
/** Of the stores that the crawler uses, and what decrypts the secrets of sources. */
const NEEDED = /^(?:S3|AWS|QDRANT)_|^CITEWELL_SECRET$/;

/**
 * The environment of the crawler: without the secrets of the API, its users and the model servers. They are blank, which counts
 * as unset: Node would read an absent variable from the file of `--env-file` again.
 */
export function crawlerEnvironment(env: NodeJS.ProcessEnv, databaseUrl: string): NodeJS.ProcessEnv {
  const blank = Object.keys(env).filter((name) => SECRET.test(name) && !NEEDED.test(name));
  return { ...env, ...Object.fromEntries(blank.map((name) => [name, ''])), DATABASE_URL: databaseUrl };
}
