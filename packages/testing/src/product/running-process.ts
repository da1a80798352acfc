import { type ChildProcess, spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { endWithParent } from '@citewell/observability/child-processes';

/** The folder that holds `apps`, `packages` and `e2e`. */
const WORKSPACE = new URL('../../../../', import.meta.url);
const KEPT_CHARACTERS = 200_000;
const STOP_TIMEOUT_MS = 40_000;
/** Environment variables that every process gets. `scripts/run-jest.mjs` sets the last one. */
const INHERITED = ['PATH', 'HOME', 'NODE_COMPILE_CACHE'];

/** How a process ended. Exactly one of the two is set. */
export interface ProcessEnd {
  code: number | null;
  signal: NodeJS.Signals | null;
}

export interface ProcessOptions {
  readonly args?: readonly string[];
  /** The complete environment, except for the {@link INHERITED} variables. */
  readonly env?: Readonly<Record<string, string>>;
  /** Options of Node, for a compiled program. */
  readonly nodeOptions?: readonly string[];
  readonly cwd?: string;
  /** Output is appended to this file, too. */
  readonly logFile?: string;
}

/** A child process of a test, which ends with it. Its output is kept in memory. */
export class RunningProcess {
  readonly ended: Promise<ProcessEnd>;
  private text = '';

  private constructor(
    readonly name: string,
    private readonly child: ChildProcess,
    logFile: string | undefined,
  ) {
    const log = logFile === undefined ? undefined : createWriteStream(logFile, { flags: 'a' });
    for (const stream of [child.stdout, child.stderr]) {
      if (log !== undefined) stream?.pipe(log, { end: false });
      stream?.setEncoding('utf8').on('data', (piece: string) => {
        this.text = (this.text + piece).slice(-KEPT_CHARACTERS);
      });
    }
    child.once('error', (error) => (this.text += `${error.message}\n`));
    // Unlike `exit`, `close` is emitted after the last output.
    this.ended = new Promise((resolve) => {
      child.once('close', (code, signal) => {
        log?.end();
        resolve({ code, signal });
      });
    });
  }

  /**
   * Starts a compiled program; an app in its image, if `infra/docker/test-images.sh` has mounted it.
   *
   * @param program its path, relative to the workspace
   */
  static start(name: string, program: string, options: ProcessOptions = {}): RunningProcess {
    const [, app = '', fileOfApp = ''] = /^apps\/([^/]+)\/(.+)$/.exec(program) ?? [];
    const root = imageRootOf(app);
    if (root !== undefined) {
      const script = fileURLToPath(new URL('infra/docker/run-image.sh', WORKSPACE));
      const args = [root, app, '--enable-source-maps', fileOfApp, ...(options.args ?? [])];
      return RunningProcess.run(name, script, { ...options, args });
    }
    const file = fileURLToPath(new URL(program, WORKSPACE));
    const args = [...(options.nodeOptions ?? []), file, ...(options.args ?? [])];
    return RunningProcess.run(name, process.execPath, { ...options, args });
  }

  /** Starts any command. */
  static run(name: string, command: string, options: ProcessOptions): RunningProcess {
    const { args = [], env, cwd, logFile } = options;
    const inherited = Object.fromEntries(INHERITED.map((variable) => [variable, process.env[variable]]));
    const child = spawn(command, args, {
      env: { ...inherited, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      ...(cwd === undefined ? {} : { cwd }),
    });
    endWithParent(child, 'KILL');
    return new RunningProcess(name, child, logFile);
  }

  get pid(): number {
    if (this.child.pid === undefined) throw new Error(`${this.name} did not start`);
    return this.child.pid;
  }

  /** The exit code; null after a signal. */
  get exited(): Promise<number | null> {
    return this.ended.then(({ code }) => code);
  }

  /** The last 200,000 characters of standard output and standard error, interleaved. */
  get output(): string {
    return this.text;
  }

  get isRunning(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  /** Sends SIGKILL and waits for the end. */
  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.ended;
  }

  /**
   * Resolves to the first group of the first match in the output, or to the whole match.
   *
   * @throws Error when the process ends, or after `timeoutMs`
   */
  async waitForOutput(pattern: RegExp, timeoutMs = 120_000): Promise<string> {
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
    return (await this.terminate(signal)).code;
  }

  /** As {@link stop}. @returns how the process ended, and the time in ms that it took */
  async terminate(signal: NodeJS.Signals = 'SIGTERM'): Promise<ProcessEnd & { ms: number }> {
    const started = performance.now();
    if (this.isRunning) this.child.kill(signal);
    const timer = setTimeout(() => this.child.kill('SIGKILL'), STOP_TIMEOUT_MS);
    const end = await this.ended;
    clearTimeout(timer);
    return { ...end, ms: Math.round(performance.now() - started) };
  }
}

/** The root of the file system of an app's image: `TEST_IMAGE_ROOTS` is a list such as `api=/path worker-parser=/path`. */
function imageRootOf(app: string): string | undefined {
  const roots = (process.env['TEST_IMAGE_ROOTS'] ?? '').split(' ').map((entry) => entry.split('='));
  return roots.find(([name]) => name === app)?.[1];
}
