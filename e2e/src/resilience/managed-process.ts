import { type ChildProcess, spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { endWithParent } from '@citewell/observability/end-with-parent';

/** How a process ended. Exactly one of the two is set. */
export interface ProcessEnd {
  code: number | null;
  signal: NodeJS.Signals | null;
}

export interface ProcessOptions {
  command: string;
  args: readonly string[];
  /** Environment in addition to `PATH` and `HOME`. */
  env?: Readonly<Record<string, string>>;
  /** Output is appended to this file. */
  logFile: string;
}

/** A child process of a test, with its output in a log file. */
export class ManagedProcess {
  readonly ended: Promise<ProcessEnd>;
  private readonly child: ChildProcess;
  private end: ProcessEnd | null = null;

  constructor({ command, args, env = {}, logFile }: ProcessOptions) {
    const { PATH = '', HOME = '' } = process.env;
    this.child = spawn(command, args, {
      env: { PATH, HOME, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    endWithParent(this.child, 'KILL');
    const log = createWriteStream(logFile, { flags: 'a' });
    this.child.stdout?.pipe(log, { end: false });
    this.child.stderr?.pipe(log, { end: false });
    this.ended = new Promise((resolve) => {
      this.child.once('error', (error) => log.write(`${error.message}\n`));
      this.child.once('close', (code, signal) => {
        this.end = { code, signal };
        log.end();
        resolve(this.end);
      });
    });
  }

  get pid(): number {
    if (this.child.pid === undefined) throw new Error('The process could not be started');
    return this.child.pid;
  }

  get isRunning(): boolean {
    return this.end === null;
  }

  /** Sends SIGKILL and waits for the end. */
  async kill(): Promise<void> {
    if (this.isRunning) this.child.kill('SIGKILL');
    await this.ended;
  }

  /**
   * Sends SIGTERM, and SIGKILL after `limitMs`.
   *
   * @returns how the process ended, and the time in ms that it took
   */
  async terminate(limitMs = 30_000): Promise<ProcessEnd & { ms: number }> {
    const started = performance.now();
    if (this.isRunning) this.child.kill('SIGTERM');
    const timer = setTimeout(() => this.child.kill('SIGKILL'), limitMs);
    const end = await this.ended;
    clearTimeout(timer);
    return { ...end, ms: Math.round(performance.now() - started) };
  }
}

/** Path of an app's compiled main file. */
export function appScript(app: string): string {
  return fileURLToPath(new URL(`../../../apps/${app}/dist/main.js`, import.meta.url));
}
