import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BlobStore } from '@citewell/blob-store';
import { RunningProcess } from '@citewell/testing/product';
import type { VectorStore } from '@citewell/vector-store';
import type { Tenant } from '../client/tenant.js';

/** A running deployment of the product. */
export interface Deployment {
  /** URL of the API, with `/api`. */
  readonly baseUrl: string;
  /** The same without `/api`, for health and metrics. */
  readonly origin: string;
  /** The API key of the organization that exists from the start. */
  readonly apiKey: string;
  readonly adminKey: string;
  /** The organization of `apiKey`. */
  readonly tenant: Tenant;
  /** The product's processes by name. */
  readonly processes: Readonly<Record<string, RunningProcess>>;
  /** For tests that check what is left in the database. All other access is over HTTP. */
  readonly databaseUrl: string;
  /** The blob store of the deployment without its small blobs, which are rows of the database. */
  readonly largeBlobs: BlobStore;
  /** The vector store's server; null where the vector store is embedded. */
  readonly qdrantUrl: string | null;
  /** Opens the stores of the deployment. The caller closes them. */
  engines(): Promise<Engines>;
  /** Runs the command `citewell` with the deployment's environment and waits for its end. */
  citewell(...args: readonly string[]): Promise<CommandOutcome>;
  /** Starts another API process, which ends with the deployment. Null where there is only one process. */
  readonly startAnotherApi: (() => Promise<RunningApi>) | null;
  /** Stops all processes and deletes their files. @param options.keepFiles keeps files and logs, for failed tests */
  stop(options?: { keepFiles?: boolean }): Promise<void>;
}

/** The stores of a deployment, opened by the test. */
export interface Engines {
  readonly databaseUrl: string;
  readonly vectorStore: VectorStore;
  /** The blob store without small blobs, which are rows of the database. */
  readonly largeBlobs: BlobStore;
}

export interface RunningApi {
  readonly process: RunningProcess;
  readonly origin: string;
}

export interface CommandOutcome {
  /** The exit code; null after a signal. */
  readonly code: number | null;
  readonly output: string;
}

/** Environment variables of the product. */
export type Environment = Readonly<Record<string, string>>;

export type StartDeployment = (env?: Environment) => Promise<Deployment>;

export const API_KEY = 'cw_e2e0first0organization0key0000';
export const ADMIN_KEY = 'admin_e2e0operator0key000000000000';

const READY_TIMEOUT_MS = 120_000;

/** Creates a temporary directory. `remove` deletes it with everything in it. */
export async function createTemporaryDirectory(): Promise<{ path: string; remove: () => Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'citewell-e2e-'));
  return { path, remove: () => rm(path, { recursive: true, force: true, maxRetries: 5 }) };
}

/** Runs the `citewell` command as a user does. */
export async function runCitewell(env: Environment, args: readonly string[]): Promise<CommandOutcome> {
  const command = RunningProcess.start('citewell', 'apps/cli/dist/main.js', { env, args });
  return { code: await command.exited, output: command.output };
}

/** Waits until `/health/ready` answers 200. @throws Error when a process ends, or after two minutes */
export async function waitUntilReady(origin: string, processes: readonly RunningProcess[]): Promise<void> {
  const deadline = Date.now() + READY_TIMEOUT_MS;
  let lastResponse = 'no response';
  while (Date.now() < deadline) {
    const response = await fetch(`${origin}/health/ready`).catch(() => null);
    if (response?.ok) return;
    if (response) lastResponse = await response.text();
    const ended = processes.find((process) => !process.isRunning);
    if (ended) throw new Error(`${ended.name} ended:\n${ended.output}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`Not ready after ${READY_TIMEOUT_MS} ms: ${lastResponse}`);
}
