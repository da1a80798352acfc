import { realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ProcessEndedError, QueryProcess } from './query-process.js';
import type { QueryRequest, QueryResult, SqlValue, TableView } from './query.protocol.js';

export interface TableEngineOptions {
  /** Processes at the same time; each has one file open, or those of one statement. Default 2. */
  readonly processes?: number;
  /** Resident memory of a process. Default 256 MB. */
  readonly maxMemoryBytes?: number;
  /** A process without a statement for this long is ended. Default 30,000. */
  readonly idleTimeoutMs?: number;
}

export interface QueryOptions {
  /** Rows that are returned. Default 200. */
  readonly limit?: number;
  /** CPU time for the statement, without the start of the process. Default 2,000. */
  readonly timeoutMs?: number;
  /** What the statement may read. Default: all tables. */
  readonly views?: readonly TableView[];
}

interface OpenFile {
  /** Of all files. */
  readonly key: string;
  readonly process: QueryProcess;
  /** The statements that use the process or wait for it. */
  users: number;
  timer?: NodeJS.Timeout;
}

const CHILD_SCRIPT = realpathSync.native(join(dirname(fileURLToPath(import.meta.url)), 'query-child.js'));

/**
 * Answers `SELECT` statements about files that `writeTables` has written. A file, or the files of one statement, are opened in a
 * process of their own, which has no environment and no network, and is kept for a while, so that further statements are fast.
 */
export class TableEngine {
  private readonly files = new Map<string, OpenFile>();
  private waiting: (() => void)[] = [];
  private isClosed = false;

  constructor(private readonly options: TableEngineOptions = {}) {}

  /**
   * @param path of a file that does not change; of several, `d2.t1` is a table of the second
   * @param statement one `SELECT`
   * @param params values of its `?`, in order
   * @throws TableQueryError
   */
  async query(
    path: string | readonly string[],
    statement: string,
    params: readonly SqlValue[] = [],
    { limit = 200, timeoutMs = 2_000, views = [] }: QueryOptions = {},
  ): Promise<QueryResult> {
    const paths = [path].flat();
    const request = { statement, params, limit, views };
    try {
      return await this.ask(paths, request, timeoutMs);
    } catch (error) {
      // The system has ended the process, maybe while it was idle. A file that cannot be opened ends the next one, too.
      if (!(error instanceof ProcessEndedError) || this.isClosed) throw error;
      return this.ask(paths, request, timeoutMs);
    }
  }

  private async ask(
    paths: readonly string[],
    request: QueryRequest,
    timeoutMs: number,
  ): Promise<QueryResult> {
    const file = await this.take(paths);
    try {
      return await file.process.query(request, timeoutMs);
    } finally {
      file.users -= 1;
      if (file.process.isDead) this.forget(file);
      else this.keepIdle(file);
      this.waiting.shift()?.();
    }
  }

  /** Ends all processes. Running statements are rejected. */
  async close(): Promise<void> {
    this.isClosed = true;
    for (const resolve of this.waiting.splice(0)) resolve();
    await Promise.all([...this.files.values()].map((file) => this.end(file)));
  }

  private async take(paths: readonly string[]): Promise<OpenFile> {
    const key = paths.join('\n');
    for (;;) {
      if (this.isClosed) throw new Error('the engine of tables is closed');
      const file = this.files.get(key) ?? this.open(key, paths);
      if (file !== undefined) {
        file.users += 1;
        clearTimeout(file.timer);
        return file;
      }
      await new Promise<void>((resolve) => this.waiting.push(resolve));
    }
  }

  /** @returns undefined when all processes are busy */
  private open(key: string, paths: readonly string[]): OpenFile | undefined {
    if (this.files.size >= (this.options.processes ?? 2)) {
      const idle = [...this.files.values()].find(({ users }) => users === 0);
      if (idle === undefined) return undefined;
      void this.end(idle);
    }
    const { maxMemoryBytes = 256 * 1024 * 1024 } = this.options;
    const file = { key, process: new QueryProcess(CHILD_SCRIPT, paths, maxMemoryBytes), users: 0 };
    this.files.set(key, file);
    return file;
  }

  private keepIdle(file: OpenFile): void {
    if (file.users > 0) return;
    // The least recently used file is the first.
    if (this.files.delete(file.key)) this.files.set(file.key, file);
    file.timer = setTimeout(() => void this.end(file), this.options.idleTimeoutMs ?? 30_000);
    file.timer.unref();
  }

  private forget(file: OpenFile): void {
    clearTimeout(file.timer);
    if (this.files.get(file.key) === file) this.files.delete(file.key);
  }

  private async end(file: OpenFile): Promise<void> {
    this.forget(file);
    await file.process.end();
  }
}
