import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { ChatProvider } from './providers.js';

/** A client of a remote server. */
export type RemoteClient = ChatProvider | 'embedding' | 'rerank' | 'rerank-tei' | 'hub';

export interface RemoteCall {
  client: RemoteClient;
  /** One request is sent to each. */
  baseUrls: string[];
  /** Reads the first piece of an answer, then nothing for a while, and gives up. */
  isUnread?: boolean;
}

export type RemoteOutcome = { length: number } | { failed: string };

export interface RemoteOutcomes {
  outcomes: RemoteOutcome[];
  /** Largest memory of the process. */
  peakBytes: number;
  /** Code and signal of the exit, and what the process printed to standard error. */
  exit: [number | null, NodeJS.Signals | null, string];
}

const CHILD = fileURLToPath(new URL('./remote-answers.child.fixtures.js', import.meta.url));

/** Sends requests in a process of their own, one after the other. */
export async function askInProcess(call: RemoteCall): Promise<RemoteOutcomes> {
  const child = spawn(process.execPath, ['--no-warnings', CHILD, JSON.stringify(call)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = once(child, 'close');
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
  // The event's arguments are the exit code and the signal.
  const [code, signal] = (await exited) as [number | null, NodeJS.Signals | null];
  const lines = output.split('\n').filter(Boolean);
  // The lines are those of the child process.
  const outcomes = lines.map((line) => JSON.parse(line) as RemoteOutcome & { peakBytes?: number });
  return {
    outcomes: outcomes.filter((outcome) => outcome.peakBytes === undefined),
    peakBytes: outcomes.at(-1)?.peakBytes ?? 0,
    exit: [code, signal, errors.trim()],
  };
}
