import { type ChildProcess, spawn } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { DocumentError, type Progress } from '@citewell/documents';
import { codeFolders } from './code-folders.js';
import { confined } from './confined-command.js';
import { lowerPriority } from './lower-priority.js';
import { type ParsedFile, type ParseRequest, readReply } from './parse-protocol.js';
import { residentBytes } from './resident-memory.js';

export interface ProcessLimits {
  /** The most of any file, wall time; a small one has less. */
  readonly timeoutMs: number;
  /** Resident memory of the process; buffers count, which V8's own limit does not see. */
  readonly maxMemoryBytes: number;
  /** UTF-16 units of canonical text. */
  readonly maxOutputCharacters: number;
}

export interface ProcessCall {
  readonly signal: AbortSignal;
  readonly onProgress: (progress: Progress) => void;
  /** Told before the end, also before a failure, which pages look like pictures of text. */
  readonly onScans: (pages: readonly number[]) => void;
}

export interface ParserProcessOptions extends ProcessLimits {
  /** The one folder, besides code, that the process can read. Exists. */
  readonly scratchDirectory: string;
  /** The process's main file. */
  readonly script: string;
  /** See `networkIsolation`. */
  readonly isolation: readonly string[];
}

const MEMORY_CHECK_MS = 200;
const MEGABYTE = 1024 * 1024;
const STDERR_TAIL_CHARACTERS = 4000;

/**
 * A child process that parses one file after the other, with nothing in its reach but code and its scratch folder.
 * The first file that breaks a limit, crashes it or is aborted ends it; there is no way back to a known state.
 */
export class ParserProcess {
  private readonly child: ChildProcess;
  private readonly exited: Promise<void>;
  private stderrTail = '';
  private isDead = false;
  private busyMs = 0;
  private files = 0;
  private isSwollen = false;

  constructor(private readonly options: ParserProcessOptions) {
    this.child = startChild(options);
    this.exited = new Promise((resolve) => {
      // Not at `exit`: the last words on stderr may still be on their way.
      this.child.once('close', () => {
        this.isDead = true;
        resolve();
      });
      // Could not be started, or a message could not be sent: either way it is of no use any more.
      this.child.once('error', () => {
        this.kill();
        if (this.child.pid === undefined) resolve();
      });
    });
    this.child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.stderrTail = (this.stderrTail + text).slice(-STDERR_TAIL_CHARACTERS);
    });
    lowerPriority(this.child.pid);
  }

  get pid(): number | undefined {
    return this.child.pid;
  }

  get scratchDirectory(): string {
    return this.options.scratchDirectory;
  }

  /**
   * How many files it can still take. One that has worked for the time of one file, that has had `maxFiles`, or that
   * kept half of the memory limit after a file is replaced: leaks and fragments of earlier files must not count
   * against the next one.
   */
  filesLeft(maxFiles: number): number {
    if (this.isDead || this.isSwollen || this.busyMs >= this.options.timeoutMs) return 0;
    return Math.max(0, maxFiles - this.files);
  }

  /**
   * Parses one file; not to be called again before it is settled.
   *
   * @throws DocumentError what the parser said, or PARSE_TIMEOUT, PARSE_MEMORY, PARSER_CRASHED
   * @throws the signal's reason when it is aborted
   */
  async parse(
    request: Omit<ParseRequest, 'maxCharacters'>,
    { signal, onProgress, onScans }: ProcessCall,
  ): Promise<ParsedFile> {
    const startedAt = performance.now();
    const { maxOutputCharacters } = this.options;
    const timeoutMs = timeLimitMs((await stat(request.path)).size, this.options.timeoutMs);
    const { promise, resolve, reject } = Promise.withResolvers<ParsedFile>();
    const fail = (error: unknown): void => {
      reject(error);
      this.kill();
    };
    const onMessage = (message: unknown): void => {
      try {
        const reply = readReply(message, maxOutputCharacters);
        if (reply.kind === 'progress') onProgress(reply.progress);
        else if (reply.kind === 'scans') onScans(reply.pages);
        else if (reply.kind === 'document') resolve(reply.file);
        else reject(reply.error);
      } catch (error) {
        fail(new DocumentError('PARSER_CRASHED', 'the parser process sent nonsense', { cause: error }));
      }
    };
    const onAbort = (): void => fail(signal.reason);
    const onTimeout = (): void => fail(tooSlow(timeoutMs));
    const timeout = setTimeout(onTimeout, timeoutMs);
    const memory = setInterval(() => void this.checkMemory(fail), MEMORY_CHECK_MS);
    this.child.on('message', onMessage);
    signal.addEventListener('abort', onAbort, { once: true });
    void this.exited.then(() => reject(this.deathReason()));
    try {
      if (signal.aborted) onAbort();
      else
        this.child.send(
          { ...request, maxCharacters: maxOutputCharacters },
          (error) => error && fail(this.deathReason()),
        );
      return await promise;
    } finally {
      clearTimeout(timeout);
      clearInterval(memory);
      this.child.off('message', onMessage);
      signal.removeEventListener('abort', onAbort);
      this.files += 1;
      this.busyMs += performance.now() - startedAt;
      await this.checkSwelling();
    }
  }

  /** Kills it and waits until it is gone. */
  async end(): Promise<void> {
    this.kill();
    await this.exited;
  }

  private kill(): void {
    this.isDead = true;
    this.child.kill('SIGKILL');
  }

  private async checkMemory(fail: (error: unknown) => void): Promise<void> {
    const { maxMemoryBytes } = this.options;
    const bytes = this.child.pid === undefined ? null : await residentBytes(this.child.pid);
    if (bytes !== null && bytes > maxMemoryBytes) {
      fail(tooLarge(maxMemoryBytes, `${Math.round(bytes / MEGABYTE)} MB resident`));
    }
  }

  private async checkSwelling(): Promise<void> {
    const bytes = this.isDead || this.child.pid === undefined ? null : await residentBytes(this.child.pid);
    this.isSwollen = bytes !== null && bytes > this.options.maxMemoryBytes / 2;
  }

  private deathReason(): DocumentError {
    const { exitCode, signalCode } = this.child;
    const message = `the parser process ended with ${signalCode ?? exitCode}: ${this.stderrTail.trim().slice(-500)}`;
    // V8 has no other way to say that its heap is full than this line and an abort.
    if (this.stderrTail.includes('heap out of memory')) {
      return tooLarge(this.options.maxMemoryBytes, message);
    }
    if (signalCode === 'SIGXCPU') return tooSlow(this.options.timeoutMs, message);
    return new DocumentError('PARSER_CRASHED', message);
  }
}

/**
 * How long a file may take, in milliseconds: 15 s, and a second for each 50 kB, some twenty times what PDFs take. A small
 * file that needs longer was made to, and others wait for its process.
 *
 * @param longest of any file
 */
export function timeLimitMs(bytes: number, longest: number): number {
  return Math.min(longest, 15_000 + bytes / 50);
}

function tooSlow(timeoutMs: number, message = `not done after ${timeoutMs} ms`): DocumentError {
  const seconds = Math.round(timeoutMs / 1000).toLocaleString('en');
  return new DocumentError('PARSE_TIMEOUT', message, {
    userMessage: `Reading it took longer than the ${seconds} s that this installation allows. Split it and upload the parts.`,
  });
}

function tooLarge(maxBytes: number, message: string): DocumentError {
  const megabytes = Math.round(maxBytes / MEGABYTE).toLocaleString('en');
  return new DocumentError('PARSE_MEMORY', message, {
    userMessage: `Reading it needed more than the ${megabytes} MB of memory that this installation allows. Split it and upload the parts.`,
  });
}

function startChild({
  script,
  scratchDirectory,
  timeoutMs,
  maxMemoryBytes,
  isolation,
}: ParserProcessOptions): ChildProcess {
  const heapMegabytes = Math.max(64, Math.trunc((maxMemoryBytes / MEGABYTE) * 0.8));
  const readable = [...codeFolders(script), realpathSync(scratchDirectory)];
  const command: [string, ...string[]] = [
    process.execPath,
    '--permission',
    ...readable.map((folder) => `--allow-fs-read=${folder}`),
    `--max-old-space-size=${heapMegabytes}`,
    // Half of V8's own: 2,415 pages take 290 MB with it and 380 without, in the same time; smaller ones cost time.
    '--max-semi-space-size=8',
    '--no-warnings',
    realpathSync(script),
  ];
  // What `filesLeft` allows, on several threads: a process that spins does not notice that its worker is gone.
  const cpuSeconds = 60 + (timeoutMs / 1000) * 6;
  const [program, args] = confined(command, { cpuSeconds, isolation });
  return spawn(program, args, {
    cwd: scratchDirectory,
    env: {},
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
}
