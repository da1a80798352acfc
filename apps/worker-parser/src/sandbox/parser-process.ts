import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { formatBytes } from '@citewell/contracts/errors';
import { DocumentError, type Progress } from '@citewell/documents';
import {
  confined,
  endWithParent,
  lowerPriority,
  type ProcessUsage,
  processUsage,
} from '@citewell/observability/child-processes';
import {
  type ChildRequest,
  type ParsedFile,
  type ParseReply,
  type ParseRequest,
  readReply,
  type RecognizeRequest,
} from './parse-protocol.js';

export interface ProcessLimits {
  /** CPU time of a file. Small files get less; see {@link timeLimitMs}. */
  readonly timeoutMs: number;
  /** Resident memory of the process. Unlike V8's own limit, this includes buffers. */
  readonly maxMemoryBytes: number;
  /** A process that uses nearly no CPU time for this long ends. Default 60,000. */
  readonly stallTimeoutMs?: number;
  /** Length of the canonical text in UTF-16 code units. */
  readonly maxOutputCharacters: number;
  /** Folder of added languages of text recognition, which the process may read. It need not exist. */
  readonly languageFolder?: string;
}

export interface ProcessCall {
  readonly signal: AbortSignal;
  readonly onProgress: (progress: Progress) => void;
  /** Called before the result or the failure, with the numbers of pages that look like images of text. */
  readonly onScans: (pages: readonly number[]) => void;
  /** Called before the result or the failure, with each picture in a document that may show text. */
  readonly onPicture?: (number: number, file: Uint8Array) => void;
}

export interface ParserProcessOptions extends ProcessLimits {
  /** The only folder, apart from code and languages, that the process can read. Must exist. */
  readonly scratchDirectory: string;
  /** Path of the process's main file. */
  readonly script: string;
  /** Command prefix that removes network access; see `networkIsolation`. */
  readonly isolation: readonly string[];
}

const CHECK_MS = 200;
const DEFAULT_STALL_TIMEOUT_MS = 60_000;
/** A process that uses a smaller share of a CPU hangs. Even on a machine that is busy with other work, it gets more. */
const LEAST_SHARE = 0.005;
const MEGABYTE = 1024 * 1024;
/** The only file that a process can write. */
const TABLES_NAME = 'tables.sqlite';
const MAX_TABLES_BYTES = 1024 * MEGABYTE;
const STDERR_TAIL_CHARACTERS = 4000;
/** CPU time for the recognition of a page. A dense page takes 10 s, and four times as long when it is turned. */
const PAGE_TIMEOUT_MS = 120_000;

interface AskCall<Result> {
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  readonly kept?: (failure: Error) => Result | undefined;
}

/**
 * A child process that parses one file after the other and can read only code and its scratch folder. A file
 * that exceeds a limit, crashes the process or is aborted ends the process, because its state is unknown
 * afterwards.
 */
export class ParserProcess {
  private readonly child: ChildProcess;
  private readonly exited: Promise<void>;
  private stderrTail = '';
  private isDead = false;
  private busyMs = 0;
  private files = 0;
  private isOverHalfMemory = false;
  /** Time of the last check after a file. */
  private checkedAt = -CHECK_MS;

  constructor(private readonly options: ParserProcessOptions) {
    this.child = startChild(options);
    this.exited = new Promise((resolve) => {
      // Not on `exit`: stderr may not be read to its end by then.
      this.child.once('close', () => {
        this.isDead = true;
        resolve();
      });
      // The process could not be started, or a message could not be sent. Neither can be repaired.
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
   * How many files this process may still parse; 0 when it must be replaced. That is the case when it is
   * dead, has been busy for `timeoutMs`, has parsed `maxFiles` files, or uses more than half of the memory
   * limit after a file. Leaks and fragmentation of earlier files must not count against the next one.
   */
  filesLeft(maxFiles: number): number {
    if (this.isDead || this.isOverHalfMemory || this.busyMs >= this.options.timeoutMs) return 0;
    return Math.max(0, maxFiles - this.files);
  }

  /**
   * Parses one file. Must not be called again before the promise has settled.
   *
   * @throws DocumentError of the parser, or PARSE_TIMEOUT, PARSE_MEMORY, PARSER_CRASHED
   * @throws the signal's reason when it is aborted
   */
  async parse(
    request: Omit<ParseRequest, 'maxCharacters' | 'tablesPath'>,
    { signal, onProgress, onScans, onPicture }: ProcessCall,
  ): Promise<ParsedFile> {
    const { source } = request;
    const bytes = typeof source === 'string' ? (await stat(source)).size : source.byteLength;
    const tablesPath = join(this.scratchDirectory, TABLES_NAME);
    let parsed: ParsedFile | undefined;
    // The tables took too long, or too much memory. The document is read.
    const kept = (tablesFailure: Error): ParsedFile | undefined => parsed && { ...parsed, tablesFailure };
    return this.ask<ParsedFile>(
      { ...request, maxCharacters: this.options.maxOutputCharacters, tablesPath },
      { signal, timeoutMs: timeLimitMs(bytes, this.options.timeoutMs), kept },
      (reply, resolve) => {
        if (reply.kind === 'progress') onProgress(reply.progress);
        else if (reply.kind === 'scans') onScans(reply.pages);
        else if (reply.kind === 'picture') onPicture?.(reply.number, reply.file);
        else if (reply.kind === 'document') {
          parsed = reply.file;
          if (!reply.mayHaveTables) resolve(parsed);
        } else if (reply.kind === 'tables' && parsed !== undefined)
          resolve({ ...parsed, tables: reply.count > 0 ? tablesPath : null });
        else throw new TypeError('the parser process sent tables without a document');
      },
    );
  }

  /**
   * Recognizes the text of a page. The rules of {@link parse} apply.
   *
   * @returns Tesseract's tab-separated values; null when the page cannot be decoded
   */
  async recognize(request: RecognizeRequest, signal: AbortSignal): Promise<string | null> {
    const timeoutMs = Math.min(PAGE_TIMEOUT_MS, this.options.timeoutMs);
    return this.ask(request, { signal, timeoutMs }, (reply, resolve) => {
      if (reply.kind === 'recognized') resolve(reply.table);
    });
  }

  /** Makes a JPEG file such as a model gets it; null for a picture that cannot be decoded. The rules of {@link parse} apply. */
  async scale(source: string, signal: AbortSignal): Promise<Uint8Array | null> {
    const timeoutMs = Math.min(PAGE_TIMEOUT_MS, this.options.timeoutMs);
    return this.ask({ kind: 'scale', source }, { signal, timeoutMs }, (reply, resolve) => {
      if (reply.kind === 'scaled') resolve(reply.file);
    });
  }

  /**
   * @param call.timeoutMs CPU time
   * @param call.kept the result if the process fails after it has sent one, unless the call is aborted
   * @param onReply called with all replies but failures
   */
  private async ask<Result>(
    request: ChildRequest,
    { signal, timeoutMs, kept }: AskCall<Result>,
    onReply: (reply: ParseReply, resolve: (result: Result) => void) => void,
  ): Promise<Result> {
    const startedAt = performance.now();
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    const stop = (error: unknown): void => {
      const result = signal.aborted || !(error instanceof Error) ? undefined : kept?.(error);
      if (result !== undefined) resolve(result);
      reject(error);
    };
    const fail = (error: unknown): void => {
      stop(error);
      this.kill();
    };
    const onMessage = (message: unknown): void => {
      try {
        const reply = readReply(message, this.options.maxOutputCharacters);
        if (reply.kind === 'failure') stop(reply.error);
        else onReply(reply, resolve);
      } catch (error) {
        fail(
          new DocumentError('PARSER_CRASHED', 'the parser process sent an invalid message', { cause: error }),
        );
      }
    };
    const onAbort = (): void => fail(signal.reason);
    const checks = this.checkLimits(timeoutMs, fail);
    this.child.on('message', onMessage);
    signal.addEventListener('abort', onAbort, { once: true });
    void this.exited.then(() => stop(this.deathReason()));
    try {
      if (signal.aborted) onAbort();
      else this.child.send(request, (error) => error && fail(this.deathReason()));
      return await promise;
    } finally {
      clearInterval(checks);
      this.child.off('message', onMessage);
      signal.removeEventListener('abort', onAbort);
      this.files += 1;
      this.busyMs += performance.now() - startedAt;
      await this.checkRetainedMemory();
    }
  }

  /** Kills the process and waits until it has ended. */
  async end(): Promise<void> {
    this.kill();
    await this.exited;
  }

  private kill(): void {
    this.isDead = true;
    this.child.kill('SIGKILL');
  }

  /** Fails a file that exceeds a limit. A small file ends before the first check. */
  private checkLimits(timeoutMs: number, fail: (error: DocumentError) => void): NodeJS.Timeout {
    const { maxMemoryBytes, stallTimeoutMs = DEFAULT_STALL_TIMEOUT_MS } = this.options;
    const startedAt = performance.now();
    let first: ProcessUsage | null = null;
    let before = { at: startedAt, cpuMs: 0 };
    const check = async (): Promise<void> => {
      const usage = await this.usage();
      const now = performance.now();
      // It has ended, and `deathReason` tells why.
      if (usage === null && first !== null) return;
      first ??= usage;
      // Where the system does not report CPU time, wall time counts.
      const cpuMs = usage === null ? now - startedAt : usage.cpuMs - (first?.cpuMs ?? 0);
      if (usage !== null && usage.residentBytes > maxMemoryBytes)
        fail(memoryError(maxMemoryBytes, `${formatBytes(usage.residentBytes)} resident`));
      else if (cpuMs >= timeoutMs) fail(timeoutError(timeoutMs));
      else if (now - before.at >= stallTimeoutMs) {
        if (cpuMs - before.cpuMs < stallTimeoutMs * LEAST_SHARE)
          fail(new DocumentError('PARSER_CRASHED', 'the parser process hangs: it uses no CPU time'));
        before = { at: now, cpuMs };
      }
    };
    return setInterval(() => void check(), CHECK_MS);
  }

  private async usage(): Promise<ProcessUsage | null> {
    return this.child.pid === undefined ? null : processUsage(this.child.pid);
  }

  /** Not after each of many small files: reading the memory takes longer than parsing one. */
  private async checkRetainedMemory(): Promise<void> {
    if (performance.now() - this.checkedAt < CHECK_MS) return;
    this.checkedAt = performance.now();
    const usage = this.isDead ? null : await this.usage();
    this.isOverHalfMemory = usage !== null && usage.residentBytes > this.options.maxMemoryBytes / 2;
  }

  private deathReason(): DocumentError {
    const { exitCode, signalCode } = this.child;
    const stderr = this.stderrTail.trim().slice(-500);
    const message = `the parser process ended with ${signalCode ?? exitCode}: ${stderr}`;
    // V8 reports a full heap only by this line and an abort.
    if (this.stderrTail.includes('heap out of memory')) {
      return memoryError(this.options.maxMemoryBytes, message);
    }
    if (signalCode === 'SIGXCPU') return timeoutError(this.options.timeoutMs, message);
    return new DocumentError('PARSER_CRASHED', message);
  }
}

/**
 * Limit on the CPU time of a file in milliseconds: 15 s plus one second per 50 kB, about twenty times what PDFs need. A
 * small file that needs longer is probably hostile, and it blocks other files.
 *
 * @param longestMs limit of any file
 */
export function timeLimitMs(bytes: number, longestMs: number): number {
  return Math.min(longestMs, 15_000 + bytes / 50);
}

function timeoutError(
  timeoutMs: number,
  message = `not done after ${timeoutMs} ms of CPU time`,
): DocumentError {
  const seconds = Math.round(timeoutMs / 1000).toLocaleString('en');
  return new DocumentError('PARSE_TIMEOUT', message, {
    userMessage:
      `Reading the file took longer than ${seconds} s, the limit of this installation. ` +
      'Split it and upload the parts.',
  });
}

function memoryError(maxBytes: number, message: string): DocumentError {
  return new DocumentError('PARSE_MEMORY', message, {
    userMessage:
      `Reading the file needed more than ${formatBytes(maxBytes)} of memory, the limit of this installation. ` +
      'Split it and upload the parts.',
  });
}

function startChild({
  script,
  scratchDirectory,
  languageFolder,
  timeoutMs,
  maxMemoryBytes,
  isolation,
}: ParserProcessOptions): ChildProcess {
  const heapMegabytes = Math.max(64, Math.trunc((maxMemoryBytes / MEGABYTE) * 0.8));
  const hasLanguages = languageFolder !== undefined && existsSync(languageFolder);
  const data = [scratchDirectory, ...(hasLanguages ? [languageFolder] : [])];
  const readable = [...codeFolders(script), ...data.map((folder) => realpathSync(folder))];
  const command: [string, ...string[]] = [
    process.execPath,
    '--permission',
    ...readable.map((folder) => `--allow-fs-read=${folder}`),
    `--allow-fs-write=${join(realpathSync(scratchDirectory), TABLES_NAME)}`,
    `--max-old-space-size=${heapMegabytes}`,
    // Half of V8's default: a PDF of 2,415 pages takes 290 MB instead of 380 MB, in the same time. Lower
    // values cost time.
    '--max-semi-space-size=8',
    '--no-warnings',
    realpathSync(script),
  ];
  // More than `filesLeft` allows, on several threads. Ends a process in an endless loop whose worker is dead.
  const cpuSeconds = 60 + (timeoutMs / 1000) * 6;
  const [program, args] = confined(command, { cpuSeconds, fileBytes: MAX_TABLES_BYTES, isolation });
  const child = spawn(program, args, {
    cwd: scratchDirectory,
    env: {},
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  // The channel ends with this process, too, but a process in an endless loop does not notice.
  endWithParent(child, 'KILL');
  return child;
}

/**
 * Folders that a parser process must read to load its code, for Node's `--allow-fs-read`: the packages of its
 * entry and of `@citewell/*`, and every `node_modules` in which Node resolves imports from there. Other
 * folders are left out, because they may contain data and configuration.
 *
 * @param entry path of the process's main file
 */
function codeFolders(entry: string): string[] {
  const packages = [
    '@citewell/documents',
    '@citewell/contracts/errors',
    '@citewell/retrieval/plain-text',
    '@citewell/tables/writer',
  ].map((name) => realpathSync(fileURLToPath(import.meta.resolve(name))));
  const folders = new Set<string>();
  for (const file of [realpathSync(entry), ...packages]) {
    let isInsidePackage = true;
    for (const folder of ancestors(file)) {
      if (isInsidePackage && existsSync(join(folder, 'package.json'))) {
        isInsidePackage = false;
        folders.add(join(folder, 'dist'));
        folders.add(join(folder, 'package.json'));
      }
      const modules = join(folder, 'node_modules');
      if (existsSync(modules)) folders.add(modules);
    }
    folders.add(dirname(file));
  }
  return [...folders];
}

function* ancestors(file: string): Generator<string> {
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    yield folder;
    if (folder === dirname(folder)) return;
  }
}
