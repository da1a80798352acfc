import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The repository's folder. */
export const REPOSITORY = fileURLToPath(new URL('../../../', import.meta.url));
/** The keys of a product that was started here. */
export const API_KEY = 'cw_benchmark000000000000000000000000';
export const ADMIN_KEY = 'cw_benchmarkadmin0000000000000000000';

const MAIN = join(REPOSITORY, 'apps/standalone/dist/main.js');
/** What `npm start` gives Node: 60 MB less in memory for 5 to 11 % of the speed of ingestion, and 50 to 70 MB less for little. */
const NODE_OPTIONS = ['--max-semi-space-size=1', '--heap-growing-percent=80'];
/** Likewise: glibc keeps a heap for each of many threads otherwise, 50 MB of them while a site is crawled. */
const MALLOC_ARENA_MAX = '2';
const START_TIMEOUT_MS = 180_000;

export interface StandaloneOptions {
  /** Where the data lives. */
  readonly directory: string;
  /** Variables beside those that make it quiet and unlimited. */
  readonly variables?: Readonly<Record<string, string>>;
  /** What to run instead of the compiled main file, in the repository's folder. */
  readonly command?: readonly [string, ...string[]];
  /** Options of Node. */
  readonly nodeOptions?: readonly string[];
}

/** The product as people run it, on a free port, with data of its own. */
export class StandaloneProcess {
  private constructor(
    private readonly child: ChildProcess,
    /** Its address, without `/api`. */
    readonly url: string,
    /** From the start of the command to its line that it is ready. */
    readonly readyMs: number,
  ) {}

  get pid(): number {
    return this.child.pid ?? 0;
  }

  /** @throws Error with its last words when it ends, or is not ready within three minutes */
  static async start({
    directory,
    variables = {},
    command,
    nodeOptions = [],
  }: StandaloneOptions): Promise<StandaloneProcess> {
    const [file, ...args] = command ?? [process.execPath, ...NODE_OPTIONS, ...nodeOptions, MAIN];
    const started = performance.now();
    const child = spawn(file, args, {
      cwd: REPOSITORY,
      // Nothing of ours may point it at other engines.
      env: {
        PATH: process.env['PATH'],
        HOME: process.env['HOME'],
        PORT: '0',
        CITEWELL_DATA_DIR: directory,
        CITEWELL_API_KEY: API_KEY,
        CITEWELL_ADMIN_KEY: ADMIN_KEY,
        RATE_LIMIT_PER_MINUTE: '0',
        LOG_LEVEL: 'warn',
        MALLOC_ARENA_MAX,
        ...variables,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const url = await addressOf(child);
    return new StandaloneProcess(child, url, performance.now() - started);
  }

  /** Stops it as Ctrl-C does, and waits until it is gone. */
  async stop(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const exited = once(this.child, 'exit');
    this.child.kill('SIGINT');
    await exited;
  }
}

/** Runs something with a directory that is gone afterwards. */
export async function withDirectory<T>(work: (directory: string) => Promise<T>): Promise<T> {
  const directory = await mkdtemp(join(tmpdir(), 'citewell-bench-'));
  try {
    return await work(directory);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** Runs something against a fresh product. */
export async function withStandalone<T>(
  options: Omit<StandaloneOptions, 'directory'>,
  work: (product: StandaloneProcess, directory: string) => Promise<T>,
): Promise<T> {
  return withDirectory(async (directory) => {
    const product = await StandaloneProcess.start({ ...options, directory });
    try {
      return await work(product, directory);
    } finally {
      await product.stop();
    }
  });
}

function addressOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = '';
    const fail = (reason: string): void => {
      child.kill('SIGTERM');
      reject(new Error(`${reason}: ${output.trim()}`));
    };
    const timer = setTimeout(() => fail('not ready in time'), START_TIMEOUT_MS);
    const onText = (text: string): void => {
      output = `${output}${text}`.slice(-10_000);
      const url = /Citewell is ready at (http:\S+)/.exec(output)?.[1];
      if (url === undefined) return;
      clearTimeout(timer);
      resolve(url);
    };
    child.stdout?.setEncoding('utf8').on('data', onText);
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      onText(text);
      process.stderr.write(text);
    });
    child.once('error', (error) => fail(error.message));
    child.once('exit', () => {
      clearTimeout(timer);
      fail('it ended');
    });
  });
}
