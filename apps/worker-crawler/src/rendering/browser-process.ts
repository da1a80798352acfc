import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { newScratchPath } from '@citewell/ingestion';
import { groupsAtHome, isPageProcess, type ProcessMemory, processTree } from './process-tree.js';
import type {
  BrowserReply,
  BrowserRequest,
  BrowserSettings,
  PageToRender,
  Rendering,
  RenderLimits,
} from './render.protocol.js';

const SCRIPT = fileURLToPath(new URL('./browser.child.js', import.meta.url));
const START_MS = 30_000;
const END_MS = 5_000;
const MEMORY_CHECK_MS = 250;
const GROUP_CHECK_MS = 20;
/** How long Chromium has for its own end. */
const GROUP_END_MS = 1_000;
/** Beyond a page's own limit, which the process keeps itself as long as it is alive. */
const HANGING_MS = 10_000;
/** With so much of its memory still in use after a page, the next one gets another browser. */
const SWOLLEN_SHARE = 0.7;
const HEAP_MEGABYTES = 256;
/** Where Chromium's start script finds its tools. Nothing else is in its environment: it runs strangers' code. */
const PATH = '/usr/local/bin:/usr/bin:/bin';
const STDERR_TAIL_CHARACTERS = 2_000;

/** The browser has ended at its start or under a page; which of its pages was to blame is not known. */
export class BrowserGoneError extends Error {
  override readonly name = 'BrowserGoneError';
}

/** The browser cannot be started. The message says why, for the operator. */
export class BrowserNotStartedError extends Error {
  override readonly name = 'BrowserNotStartedError';
}

export interface BrowserProcessOptions {
  readonly settings: BrowserSettings;
  /** A file of the operator's with CAs, for Node alone; Chromium has a list of its own. */
  readonly extraCaCerts: string | undefined;
  /** Of all processes of the browser together, what is mapped from files not counted. */
  readonly maxMemoryBytes: number;
  /** After so many pages, or so much time, it is spent. */
  readonly maxPages: number;
  readonly maxAgeMs: number;
}

interface OpenPage {
  readonly done: PromiseWithResolvers<Rendering>;
  readonly watchdog: NodeJS.Timeout;
}

/**
 * A child process with Chromium below it. It holds what pages send away from the process that serves others, and ends
 * whole: nothing of it is left when `end` has resolved, nor, for want of a pipe, when this process is killed.
 */
export class BrowserProcess {
  private readonly child: ChildProcess;
  /** It leads a process group of its own. Unknown where there is no `/proc`. */
  private chromiumPid: number | undefined;
  private readonly pages = new Map<number, OpenPage>();
  private readonly exited: Promise<void>;
  private readonly startedAt = performance.now();
  private readonly ready = Promise.withResolvers<void>();
  private memoryCheck: NodeJS.Timeout | undefined;
  private stderrTail = '';
  private pagesEver = 0;
  private isSwollen = false;
  private isGone = false;

  /** @throws BrowserNotStartedError, BrowserGoneError */
  static async start(options: BrowserProcessOptions): Promise<BrowserProcess> {
    const folder = newScratchPath('browser');
    await mkdir(folder, { mode: 0o700 });
    const browser = new BrowserProcess(options, folder);
    const timer = setTimeout(() => void browser.kill(), START_MS);
    try {
      await browser.ready.promise;
      browser.chromiumPid = await browser.firstChild();
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
    this.child.on('message', (reply: BrowserReply) => this.take(reply));
    this.child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.stderrTail = (this.stderrTail + text).slice(-STDERR_TAIL_CHARACTERS);
    });
    this.exited = new Promise((resolve) => {
      this.child.once('exit', () => resolve());
      this.child.once('error', () => resolve());
    });
    void this.exited.then(() => this.gone());
    this.send({ kind: 'start', settings: options.settings });
  }

  /** Whether the next page should get another browser. */
  get isSpent(): boolean {
    const { maxPages, maxAgeMs } = this.options;
    const ageMs = performance.now() - this.startedAt;
    return this.isGone || this.isSwollen || this.pagesEver >= maxPages || ageMs >= maxAgeMs;
  }

  /** Resolves when no page is open. */
  async whenEmpty(): Promise<void> {
    await Promise.allSettled([...this.pages.values()].map(({ done }) => done.promise));
  }

  /** @throws BrowserGoneError, or the signal's reason */
  async render(page: PageToRender, limits: RenderLimits, signal: AbortSignal): Promise<Rendering> {
    signal.throwIfAborted();
    if (this.isGone) throw new BrowserGoneError('the browser has ended');
    const id = (this.pagesEver += 1);
    const done = Promise.withResolvers<Rendering>();
    const watchdog = setTimeout(() => void this.kill(), limits.timeoutMs + HANGING_MS);
    const onAbort = (): void => {
      this.send({ kind: 'cancel', id });
      done.reject(signal.reason);
    };
    this.pages.set(id, { done, watchdog });
    this.memoryCheck ??= setInterval(() => void this.checkMemory(), MEMORY_CHECK_MS);
    signal.addEventListener('abort', onAbort, { once: true });
    this.send({ kind: 'render', id, page, limits });
    try {
      return await done.promise;
    } finally {
      signal.removeEventListener('abort', onAbort);
      await this.closed(id);
    }
  }

  /** Ends it and waits until nothing of it is left. */
  async end(): Promise<void> {
    this.send({ kind: 'end' });
    const timer = setTimeout(() => void this.kill(), END_MS);
    await this.exited;
    clearTimeout(timer);
    await this.chromiumEnded();
    await rm(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }

  /** Chromium notices by itself that nobody speaks to it any more, and takes a moment to put its files away. */
  private async chromiumEnded(): Promise<void> {
    // A child that has ended before it was ready may have started one without a word.
    const groups = this.chromiumPid === undefined ? await groupsAtHome(this.folder) : [this.chromiumPid];
    for (const group of groups) {
      for (let waitedMs = 0; signalGroup(group, 0); waitedMs += GROUP_CHECK_MS) {
        if (waitedMs >= GROUP_END_MS) signalGroup(group, 'SIGKILL');
        await sleep(GROUP_CHECK_MS);
      }
    }
  }

  private async firstChild(): Promise<number | undefined> {
    return (await this.tree()).find(({ parentPid }) => parentPid === this.child.pid)?.pid;
  }

  private take(reply: BrowserReply): void {
    switch (reply.kind) {
      case 'started':
        return this.ready.resolve();
      case 'not-started':
        return this.ready.reject(new BrowserNotStartedError(reply.message));
      case 'done':
        return this.pages.get(reply.id)?.done.resolve(reply.rendering);
    }
  }

  private async closed(id: number): Promise<void> {
    clearTimeout(this.pages.get(id)?.watchdog);
    this.pages.delete(id);
    if (this.pages.size > 0) return;
    clearInterval(this.memoryCheck);
    this.memoryCheck = undefined;
    this.isSwollen = bytesOf(await this.tree()) > this.options.maxMemoryBytes * SWOLLEN_SHARE;
  }

  /** Too much memory is one page's doing, and its process has most of it. */
  private async checkMemory(): Promise<void> {
    const tree = await this.tree();
    if (bytesOf(tree) <= this.options.maxMemoryBytes) return;
    const [largest] = tree.toSorted((one, other) => other.bytes - one.bytes);
    if (largest && (await isPageProcess(largest.pid))) killProcess(largest.pid);
    else await this.kill();
  }

  /** At once, without a word. The one that starts others goes first. */
  private async kill(): Promise<void> {
    const tree = await this.tree();
    this.child.kill('SIGKILL');
    for (const { pid } of tree) killProcess(pid);
  }

  /** The child and all below it; empty when it could not be started. */
  private async tree(): Promise<ProcessMemory[]> {
    return this.child.pid === undefined ? [] : processTree(this.child.pid);
  }

  private gone(): void {
    this.isGone = true;
    clearInterval(this.memoryCheck);
    const { exitCode, signalCode } = this.child;
    const message = `the browser ended with ${signalCode ?? exitCode}: ${this.stderrTail.trim().slice(-500)}`;
    const error = new BrowserGoneError(message);
    this.ready.reject(error);
    for (const { done } of this.pages.values()) done.reject(error);
  }

  private send(request: BrowserRequest): void {
    // One that cannot be sent has nobody to read it; `exited` tells whoever waits.
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

function bytesOf(tree: readonly ProcessMemory[]): number {
  return tree.reduce((sum, { bytes }) => sum + bytes, 0);
}

/** @returns whether there was a process left to get it */
function signalGroup(leader: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-leader, signal);
  } catch {
    return false;
  }
}

function killProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}
