import { type ChildProcess, spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import {
  confined,
  endWithParent,
  networkIsolation,
  processUsage,
} from '@citewell/observability/child-processes';
import type { QueryErrorCode, QueryReply, QueryRequest, QueryResult } from './query.protocol.js';

/** A statement that has no result. The message is for whoever wrote the statement. */
export class TableQueryError extends Error {
  constructor(
    readonly code: QueryErrorCode,
    message: string,
  ) {
    super(message);
  }
}

/** The process has ended without an answer, and not by a limit. */
export class ProcessEndedError extends TableQueryError {
  constructor() {
    super('UNREADABLE', 'The process of the tables has ended.');
  }
}

const START_TIMEOUT_MS = 20_000;
/** Memory grows by less than 100 MB between two checks. */
const CHECK_MS = 25;
/** CPU time of a process. Ends a process in an endless loop whose parent is dead. */
const CPU_SECONDS = 600;
/** A statement may take this many times its CPU time. */
const MAX_WAIT = 5;

/** A process that answers statements about files, one after the other. After a failed limit it is dead. */
export class QueryProcess {
  private readonly started: Promise<ChildProcess>;
  private last: Promise<unknown> = Promise.resolve();
  private exited: Promise<void> = Promise.resolve();
  isDead = false;

  constructor(
    script: string,
    paths: readonly string[],
    private readonly maxMemoryBytes: number,
  ) {
    this.started = this.start(script, paths);
    // Each statement reports it.
    this.started.catch(() => undefined);
  }

  /** @throws TableQueryError */
  query(request: QueryRequest, timeoutMs: number): Promise<QueryResult> {
    const result = this.last.then(() => this.run(request, timeoutMs));
    this.last = result.catch(() => undefined);
    return result;
  }

  async end(): Promise<void> {
    const child = await this.started.catch(() => undefined);
    this.kill(child);
    // The wait keeps this process alive.
    child?.ref();
    await this.exited;
  }

  private async run(request: QueryRequest, timeoutMs: number): Promise<QueryResult> {
    const child = await this.started;
    if (this.isDead) throw new ProcessEndedError();
    const reply = await this.nextReply(child, timeoutMs, () => child.send(request));
    if (reply.kind === 'result') return reply;
    throw reply.kind === 'failure'
      ? new TableQueryError(reply.code, reply.message)
      : new TableQueryError('UNREADABLE', 'The process of the tables sent an unknown message.');
  }

  private async start(script: string, paths: readonly string[]): Promise<ChildProcess> {
    const isolation = await networkIsolation();
    const command: [string, ...string[]] = [
      process.execPath,
      '--permission',
      `--allow-fs-read=${join(dirname(script), '..')}`,
      `--allow-fs-read=${join(dirname(script), '..', '..', 'package.json')}`,
      ...paths.map((path) => `--allow-fs-read=${path}`),
      '--max-old-space-size=64',
      '--max-semi-space-size=1',
      '--no-warnings',
      script,
      ...paths,
    ];
    const [program, args] = confined(command, { cpuSeconds: CPU_SECONDS, isolation });
    const child = spawn(program, args, {
      cwd: dirname(script),
      env: {},
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    this.exited = new Promise((resolve) => {
      child.once('exit', () => {
        this.isDead = true;
        resolve();
      });
      child.once('error', () => {
        this.kill(child);
        if (child.pid === undefined) resolve();
      });
    });
    endWithParent(child, 'KILL');
    await this.nextReply(child, START_TIMEOUT_MS, () => undefined);
    // An idle process does not keep the parent alive.
    child.unref();
    child.channel?.unref();
    return child;
  }

  /** @throws TableQueryError when the process exceeds a limit or ends; it is dead then */
  private async nextReply(child: ChildProcess, timeoutMs: number, send: () => void): Promise<QueryReply> {
    const { promise, resolve, reject } = Promise.withResolvers<QueryReply>();
    const failWith = (error: TableQueryError): void => {
      this.kill(child);
      reject(error);
    };
    const fail = (code: QueryErrorCode, message: string): void =>
      failWith(new TableQueryError(code, message));
    const onMessage = (message: unknown): void => resolve(message as QueryReply);
    const onExit = (): void => failWith(new ProcessEndedError());
    const tooLong = (): void =>
      fail(
        'TIMEOUT',
        `The statement took longer than ${timeoutMs} ms. Select fewer rows, or group by fewer columns and without functions.`,
      );
    // On a busy machine, a process gets a share of a CPU only.
    const timer = setTimeout(tooLong, timeoutMs * MAX_WAIT);
    let cpuMsBefore: number | undefined;
    const checks = setInterval(() => {
      if (child.pid === undefined) return;
      void processUsage(child.pid).then((usage) => {
        if (usage === null) return;
        cpuMsBefore ??= usage.cpuMs;
        if (usage.residentBytes > this.maxMemoryBytes) fail('MEMORY', 'The statement needs too much memory.');
        else if (usage.cpuMs - cpuMsBefore > timeoutMs) tooLong();
      });
    }, CHECK_MS);
    child.once('message', onMessage);
    child.once('exit', onExit);
    child.once('error', onExit);
    try {
      send();
      return await promise;
    } finally {
      clearTimeout(timer);
      clearInterval(checks);
      child.off('message', onMessage);
      child.off('exit', onExit);
      child.off('error', onExit);
    }
  }

  private kill(child: ChildProcess | undefined): void {
    this.isDead = true;
    child?.kill('SIGKILL');
  }
}
