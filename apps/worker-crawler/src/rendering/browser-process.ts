import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { lowerPriority, newScratchPath } from '@citewell/observability/child-processes';
import { processGroupsOf } from './process-tree.js';
import type {
  BrowserReply,
  BrowserRequest,
  BrowserSettings,
  PageToRender,
  Rendering,
  RenderLimits,
} from './render.protocol.js';

const SCRIPT = fileURLToPath(new URL('./browser.child.js', import.meta.url));
const START_TIMEOUT_MS = 30_000;
const END_TIMEOUT_MS = 5_000;
/** Added to the time limit of a page. The child process enforces the limit itself unless it hangs. */
const GRACE_PERIOD_MS = 10_000;
const HEAP_MEGABYTES = 256;
/**
 * For the start script of Chromium. The environment has nothing else, because Chromium runs untrusted code.
 */
const PATH = '/usr/local/bin:/usr/bin:/bin';
const STDERR_TAIL_CHARACTERS = 500;

/** The browser has ended while it started or had pages open. Which of the pages caused it is unknown. */
export class BrowserGoneError extends Error {
  override readonly name = 'BrowserGoneError';
}

/** The browser cannot be started. The message has the reason, for the operator. */
export class BrowserNotStartedError extends Error {
  override readonly name = 'BrowserNotStartedError';
}

export interface BrowserProcessOptions {
  readonly settings: BrowserSettings;
  /** A file with CA certificates for Node. Chromium has its own list. */
  readonly extraCaCerts: string | undefined;
  /** Pages after which the browser should be replaced. */
  readonly maxPages: number;
}

/**
 * A child process that runs Chromium. It isolates this process from the data that pages send. When `end` has
 * resolved, no process and no file of it is left. When this process is killed, it ends, because its pipe is
 * closed.
 */
export class BrowserProcess {
  private readonly child: ChildProcess;
  private readonly pages = new Map<number, PromiseWithResolvers<Rendering>>();
  private readonly ready = Promise.withResolvers<void>();
  private readonly exited: Promise<void>;
  private stderrTail = '';
  private pageCount = 0;
  private isGone = false;

  /** @throws BrowserNotStartedError, BrowserGoneError */
  static async start(options: BrowserProcessOptions): Promise<BrowserProcess> {
    const folder = newScratchPath('browser');
    await mkdir(folder, { mode: 0o700 });
    const browser = new BrowserProcess(options, folder);
    const timer = setTimeout(() => browser.kill(), START_TIMEOUT_MS);
    try {
      await browser.ready.promise;
      return browser;
    } catch (error) {
      await browser.end();
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  private constructor(
    private readonly options: BrowserProcessOptions,
    private readonly folder: string,
  ) {
    this.child = startChild(options, folder);
    lowerPriority(this.child.pid);
    this.child.on('message', (reply: BrowserReply) => this.receive(reply));
    this.child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.stderrTail = (this.stderrTail + text).slice(-STDERR_TAIL_CHARACTERS);
    });
    const { promise, resolve } = Promise.withResolvers<void>();
    this.child.once('exit', () => resolve()).once('error', () => resolve());
    this.exited = promise.then(() => this.cleanUp());
    this.send({ kind: 'start', settings: options.settings });
  }

  /** Whether the next page should get another browser. */
  get isSpent(): boolean {
    return this.isGone || this.pageCount >= this.options.maxPages;
  }

  /** Resolves when no page is open. */
  async whenEmpty(): Promise<void> {
    await Promise.allSettled([...this.pages.values()].map(({ promise }) => promise));
  }

  /**
   * An aborted page rejects at once. The browser closes it at its time limit at the latest.
   *
   * @throws BrowserGoneError, or the reason of `signal`
   */
  async render(page: PageToRender, limits: RenderLimits, signal: AbortSignal): Promise<Rendering> {
    signal.throwIfAborted();
    if (this.isGone) throw new BrowserGoneError('the browser has ended');
    const id = (this.pageCount += 1);
    const done = Promise.withResolvers<Rendering>();
    const watchdog = setTimeout(() => this.kill(), limits.timeoutMs + GRACE_PERIOD_MS);
    const onAbort = (): void => done.reject(signal.reason);
    this.pages.set(id, done);
    signal.addEventListener('abort', onAbort, { once: true });
    this.send({ kind: 'render', id, page, limits });
    try {
      return await done.promise;
    } finally {
      signal.removeEventListener('abort', onAbort);
      clearTimeout(watchdog);
      this.pages.delete(id);
    }
  }

  /** Ends the browser. Pages that are open fail with BrowserGoneError. */
  async end(): Promise<void> {
    this.send({ kind: 'end' });
    const timer = setTimeout(() => this.kill(), END_TIMEOUT_MS);
    await this.exited;
    clearTimeout(timer);
  }

  private receive(reply: BrowserReply): void {
    switch (reply.kind) {
      case 'started':
        return this.ready.resolve();
      case 'not-started':
        return this.ready.reject(new BrowserNotStartedError(reply.message));
      case 'done':
        return this.pages.get(reply.id)?.resolve(reply.rendering);
    }
  }

  private kill(): void {
    this.child.kill('SIGKILL');
  }

  private async cleanUp(): Promise<void> {
    this.isGone = true;
    const { exitCode, signalCode } = this.child;
    const error = new BrowserGoneError(
      `the browser ended with ${signalCode ?? exitCode}: ${this.stderrTail.trim()}`,
    );
    this.ready.reject(error);
    for (const { reject } of this.pages.values()) reject(error);
    // Chromium may outlive a child process that was killed.
    for (const group of await processGroupsOf(this.folder)) killGroup(group);
    await rm(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }

  private send(request: BrowserRequest): void {
    // A message that cannot be sent is of no use: the process has ended or is about to.
    if (this.child.connected) this.child.send(request, () => undefined);
  }
}

function startChild({ extraCaCerts }: BrowserProcessOptions, folder: string): ChildProcess {
  return spawn(process.execPath, [`--max-old-space-size=${HEAP_MEGABYTES}`, '--no-warnings', SCRIPT], {
    cwd: folder,
    env: {
      PATH,
      HOME: folder,
      TMPDIR: folder,
      LANG: 'C.UTF-8',
      ...(extraCaCerts === undefined ? {} : { NODE_EXTRA_CA_CERTS: extraCaCerts }),
    },
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
}

function killGroup(leader: number): void {
  try {
    process.kill(-leader, 'SIGKILL');
  } catch {
    // It has ended.
  }
}
