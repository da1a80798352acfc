import { type ChildProcess, spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import type { Readable, Writable } from 'node:stream';
import { confined, endWithParent } from '@citewell/observability/child-processes';
import { SourceError } from '../source.js';

export interface ProgramLimits {
  /** Longest time between a request, or a line, and the next line. */
  readonly silenceMs: number;
  /** Longest line, without its end. */
  readonly lineBytes: number;
}

/** CPU time of one process of the program. */
const CPU_SECONDS = 3_600;
/** Size of a file that the program writes. */
const FILE_BYTES = 2 * 1024 ** 3;
const LINE_FEED = 0x0a;

/**
 * A running program of a source, in a process group of its own. It reads requests as lines of JSON, and writes lines of
 * JSON. What it writes to standard error is discarded, because it may have secrets.
 */
export class ProgramProcess {
  private readonly lines: AsyncGenerator<string>;
  private readonly exited: Promise<number | null>;
  private isDead = false;
  /** Whether the answer to the last request is not complete. */
  isAnswering = false;

  private constructor(
    private readonly child: ChildProcess,
    private readonly requests: Writable,
    answers: Readable,
    private readonly limits: ProgramLimits,
  ) {
    this.lines = linesOf(answers, limits.lineBytes);
    this.exited = new Promise((resolve) => {
      child.once('exit', (status) => {
        // Processes that the program has started keep its output open. What it has written is still read.
        this.killGroup();
        resolve(status);
      });
      child.once('error', () => resolve(null));
    });
    // Writing fails when the program has ended; reading tells it.
    requests.on('error', () => undefined);
  }

  /** @param env the only variables of the program, besides PATH */
  static start(
    command: readonly [string, ...string[]],
    env: Readonly<Record<string, string>>,
    limits: ProgramLimits,
  ): ProgramProcess {
    // Without isolation: it has to reach its source.
    const [program, args] = confined(command, {
      cpuSeconds: CPU_SECONDS,
      fileBytes: FILE_BYTES,
      isolation: [],
    });
    const child = spawn(program, args, {
      cwd: tmpdir(),
      env: { ...(process.env.PATH !== undefined && { PATH: process.env.PATH }), LANG: 'C.UTF-8', ...env },
      detached: true,
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    endWithParent(child, 'KILL', { isGroup: true });
    return new ProgramProcess(child, child.stdin, child.stdout, limits);
  }

  send(request: object): void {
    this.isAnswering = true;
    this.requests.write(`${JSON.stringify(request)}\n`);
  }

  /**
   * Reads one line. When that fails, the program is killed.
   *
   * @throws SourceError `unavailable`; or the reason of the signal
   */
  async next(signal: AbortSignal): Promise<unknown> {
    const { silenceMs } = this.limits;
    const { promise: failure, reject } = Promise.withResolvers<never>();
    const onAbort = (): void => reject(signal.reason);
    const timer = setTimeout(() => {
      const sentence = `The program has not answered for ${silenceMs / 1_000} seconds.`;
      reject(new SourceError('unavailable', sentence));
    }, silenceMs);
    signal.addEventListener('abort', onAbort);
    try {
      signal.throwIfAborted();
      const line = await Promise.race([this.lines.next(), failure]);
      if (line.done !== true) return parseLine(line.value);
      const status = await Promise.race([this.exited, failure]);
      throw new SourceError(
        'unavailable',
        `The program has ended before its answer was complete (${status === null ? 'killed or not started' : `exit status ${status}`}).`,
      );
    } catch (error) {
      this.kill();
      throw error;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
    }
  }

  /** Whether the program can get another request. */
  get isAlive(): boolean {
    return !this.isDead;
  }

  /** Ends the program and all that it has started. What it has written is not read any more. */
  kill(): void {
    this.killGroup();
    this.child.stdout?.destroy();
  }

  private killGroup(): void {
    this.isDead = true;
    const { pid } = this.child;
    if (pid === undefined) return;
    try {
      if (process.platform === 'win32') this.child.kill('SIGKILL');
      else process.kill(-pid, 'SIGKILL');
    } catch {
      // It has ended.
    }
  }

  /** Kills the program, and waits for its end. */
  async end(): Promise<void> {
    this.kill();
    await this.exited;
  }
}

/** @throws SourceError `unavailable` for a line that is too long */
async function* linesOf(stream: Readable, maxBytes: number): AsyncGenerator<string> {
  let pending: Buffer[] = [];
  let pendingBytes = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, start)) {
      yield Buffer.concat([...pending, chunk.subarray(start, end)]).toString();
      pending = [];
      pendingBytes = 0;
      start = end + 1;
    }
    pending.push(chunk.subarray(start));
    pendingBytes += chunk.length - start;
    if (pendingBytes > maxBytes)
      throw new SourceError('unavailable', `The program wrote a line of more than ${maxBytes} bytes.`);
  }
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    // Without the cause, which quotes the line: it may have secrets.
    throw new SourceError('unavailable', 'The program wrote a line that is not JSON.');
  }
}
