import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { RunningProcess } from '@citewell/testing/product';

/** Path of the repository. */
export const REPOSITORY = fileURLToPath(new URL('../../../', import.meta.url));
/** Keys of the products that this module starts. */
export const API_KEY = 'cw_benchmark000000000000000000000000';
export const ADMIN_KEY = 'cw_benchmarkadmin0000000000000000000';

const MAIN = 'apps/standalone/dist/main.js';
/**
 * The options that `npm start` passes to Node. The first saves 60 MB of memory and costs 5 to 11 % of the
 * speed of ingestion. The second saves 50 to 70 MB and costs little.
 */
const NODE_OPTIONS = ['--max-semi-space-size=1', '--heap-growing-percent=80'];
/** As in `npm start`. Without the limit, glibc keeps a heap for many threads: 50 MB more during a crawl. */
const MALLOC_ARENA_MAX = '2';
const START_TIMEOUT_MS = 180_000;

export interface StandaloneOptions {
  /** Data directory. */
  readonly directory: string;
  /** Compiled checkout whose product is started. Default: this one. */
  readonly repository?: string;
  /** Environment variables, added to defaults without a rate limit and with little logging. */
  readonly variables?: Readonly<Record<string, string>>;
  /** Command to run in the repository instead of the compiled main file. */
  readonly command?: readonly [string, ...string[]];
  /** Additional options of Node. */
  readonly nodeOptions?: readonly string[];
}

/** The product as users run it, on a free port. */
export class StandaloneProcess {
  private constructor(
    private readonly process: RunningProcess,
    /** Base URL, without `/api`. */
    readonly url: string,
    /** Time from the start of the command until it prints that it is ready. */
    readonly readyMs: number,
  ) {}

  get pid(): number {
    return this.process.pid;
  }

  /** @throws Error with the last output if the process ends, or is not ready within three minutes */
  static async start({
    directory,
    repository = REPOSITORY,
    variables = {},
    command,
    nodeOptions = [],
  }: StandaloneOptions): Promise<StandaloneProcess> {
    const [file, ...args] = command ?? [
      process.execPath,
      ...NODE_OPTIONS,
      ...nodeOptions,
      join(repository, MAIN),
    ];
    const started = performance.now();
    const standalone = RunningProcess.run('standalone', file, {
      args,
      cwd: repository,
      env: {
        PORT: '0',
        CITEWELL_DATA_DIR: directory,
        CITEWELL_API_KEY: API_KEY,
        CITEWELL_ADMIN_KEY: ADMIN_KEY,
        RATE_LIMIT_PER_MINUTE: '0',
        LOG_LEVEL: 'warn',
        MALLOC_ARENA_MAX,
        ...variables,
      },
    });
    const url = await standalone.waitForOutput(/Citewell is ready at (http:\S+)/, START_TIMEOUT_MS);
    return new StandaloneProcess(standalone, url, performance.now() - started);
  }

  /** Stops the process as Ctrl-C does, and waits for its end. */
  async stop(): Promise<void> {
    await this.process.stop('SIGINT');
  }
}

/** Runs `work` with a temporary directory. */
export async function withDirectory<T>(work: (directory: string) => Promise<T>): Promise<T> {
  const directory = await mkdtemp(join(tmpdir(), 'citewell-bench-'));
  try {
    return await work(directory);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** Runs `work` with a product on an empty temporary data directory. */
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
