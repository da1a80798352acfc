import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { endWithParent } from '@citewell/observability/end-with-parent';

/** The folder that holds `apps`, `packages` and `e2e`. */
const WORKSPACE = new URL('../../../', import.meta.url);
const KEPT_CHARACTERS = 200_000;
const STOP_TIMEOUT_MS = 40_000;

/** A compiled program of the workspace in a child process. Its output is kept in memory. */
export class RunningProcess {
  private text = '';
  /** The exit code; null after a signal. */
  readonly exited: Promise<number | null>;

  private constructor(
    readonly name: string,
    private readonly child: ChildProcess,
  ) {
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (piece: string) => {
        this.text = (this.text + piece).slice(-KEPT_CHARACTERS);
      });
    }
    // Unlike `exit`, `close` is emitted after the last output.
    this.exited = once(child, 'close').then(([code]) => (typeof code === 'number' ? code : null));
  }

  /**
   * @param program path of a compiled file, relative to the workspace
   * @param env the complete environment, except for `PATH`
   * @param nodeOptions options of Node
   */
  static start(
    name: string,
    program: string,
    env: Readonly<Record<string, string>>,
    args: readonly string[] = [],
    nodeOptions: readonly string[] = [],
  ): RunningProcess {
    const file = fileURLToPath(new URL(program, WORKSPACE));
    const child = spawn(process.execPath, ['--enable-source-maps', ...nodeOptions, file, ...args], {
      env: { PATH: process.env.PATH ?? '', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    endWithParent(child, 'KILL');
    return new RunningProcess(name, child);
  }

  get pid(): number {
    if (this.child.pid === undefined) throw new Error(`${this.name} did not start`);
    return this.child.pid;
  }

  /** The last 200,000 characters of standard output and standard error, interleaved. */
  get output(): string {
    return this.text;
  }

  get isRunning(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  kill(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  /**
   * Resolves to the first group of the first match in the output, or to the whole match.
   *
   * @throws Error when the process ends, or after `timeoutMs`
   */
  async waitForOutput(pattern: RegExp, timeoutMs = 30_000): Promise<string> {
    const deadline = Date.now() + timeoutMs;
    for (;;) {
      const found = pattern.exec(this.text);
      if (found) return found[1] ?? found[0];
      if (!this.isRunning) throw new Error(`${this.name} ended:\n${this.text.slice(-4_000)}`);
      if (Date.now() > deadline) throw new Error(`${this.name} did not print ${pattern}:\n${this.text}`);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }

  /** Sends `signal`, then SIGKILL after 40 s. @returns the exit code, null after a signal */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    if (this.isRunning) this.child.kill(signal);
    const timer = setTimeout(() => this.child.kill('SIGKILL'), STOP_TIMEOUT_MS);
    const code = await this.exited;
    clearTimeout(timer);
    return code;
  }
}
