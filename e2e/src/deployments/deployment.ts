import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BlobStore } from '@citewell/blob-store';
import { RunningProcess } from './child-process.js';

/** The product, running. */
export interface Deployment {
  /** Where clients reach it, with `/api`. */
  readonly baseUrl: string;
  /** The same without `/api`: health, metrics. */
  readonly origin: string;
  /** The first organization's first key. */
  readonly apiKey: string;
  readonly adminKey: string;
  /** Our processes by name. */
  readonly processes: Readonly<Record<string, RunningProcess>>;
  /** For tests that look at what is left; the product's own way in is HTTP. */
  readonly databaseUrl: string;
  /** Files and texts, where the product keeps them. */
  readonly blobs: BlobStore;
  /** The server that holds the chunks, where it is one of its own. */
  readonly qdrantUrl: string | null;
  /** Runs the command `citewell` with the deployment's variables, to its end. */
  citewell(...args: readonly string[]): Promise<CommandOutcome>;
  stop(): Promise<void>;
}

export interface CommandOutcome {
  /** The exit code; null after a signal. */
  readonly code: number | null;
  readonly output: string;
}

/** Variables of the product that a test sets. */
export type Environment = Readonly<Record<string, string>>;

export type StartDeployment = (env?: Environment) => Promise<Deployment>;

export const API_KEY = 'cw_e2e0first0organization0key0000';
export const ADMIN_KEY = 'admin_e2e0operator0key000000000000';

const READY_TIMEOUT_MS = 30_000;

/** A directory that is gone after `remove`. */
export async function throwAwayDirectory(): Promise<{ path: string; remove: () => Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'citewell-e2e-'));
  return { path, remove: () => rm(path, { recursive: true, force: true, maxRetries: 5 }) };
}

/** The command-line program as a user runs it. */
export async function runCitewell(env: Environment, args: readonly string[]): Promise<CommandOutcome> {
  const command = RunningProcess.start('citewell', 'apps/cli/dist/main.js', env, args);
  return { code: await command.exited, output: command.output };
}

/** Waits until the API says that everything it needs is there. */
export async function untilReady(origin: string, processes: readonly RunningProcess[]): Promise<void> {
  const deadline = Date.now() + READY_TIMEOUT_MS;
  let last = 'nothing';
  while (Date.now() < deadline) {
    const response = await fetch(`${origin}/health/ready`).catch(() => null);
    if (response?.ok) return;
    if (response) last = await response.text();
    const ended = processes.find((process) => !process.isRunning);
    if (ended) throw new Error(`${ended.name} ended:\n${ended.output}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`Not ready after ${READY_TIMEOUT_MS} ms: ${last}`);
}
