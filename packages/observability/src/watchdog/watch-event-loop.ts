import inspector from 'node:inspector';
import { Worker } from 'node:worker_threads';
import { currentLogContext, type LogContext } from '../logger.js';

export interface WatchdogOptions {
  readonly app: string;
  /** Seconds without a turn of the event loop after which the process ends. 0: the event loop is not watched. */
  readonly seconds: number;
  /** URL of a module whose export `recordBlock` stores the block, see `RecordBlock`. */
  readonly recorder: string;
  readonly databaseUrl: string;
}

/**
 * Watches the event loop of this process from a thread. If the event loop does not turn for the given time, the thread
 * writes a `fatal` line with the stack and the log context of the work that blocks it, has the recorder store both, and
 * ends the process with SIGKILL. The supervisor of the process then starts it again.
 *
 * The time is counted in ticks of the thread, so a suspended machine does not count. On Linux, neither does the time in
 * which the event loop waits for a CPU.
 */
export function watchEventLoop({ seconds, ...options }: WatchdogOptions): void {
  if (seconds === 0) return;
  const beats = new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT));
  Reflect.set(globalThis, Symbol.for(CONTEXT_FUNCTION), currentLogContext);
  const workerData: WatchdogData = { ...options, limitMs: seconds * 1_000, beats: beats.buffer };
  const thread = new Worker(new URL('./watchdog.worker.js', import.meta.url), {
    name: 'watchdog',
    workerData,
    resourceLimits: { maxOldGenerationSizeMb: 32, maxYoungGenerationSizeMb: 1 },
  });
  thread.on('error', (error) => process.emitWarning(`The event loop is not watched any more: ${error}`));
  thread.unref();
  const beat = (): void => {
    Atomics.add(beats, COUNT, 1);
    Atomics.store(beats, HAS_DEBUGGER, inspector.url() === undefined ? 0 : 1);
  };
  setInterval(beat, BEAT_MS).unref();
}

/** A block of the event loop that ended its process. */
export interface EventLoopBlock {
  /** The name of the app. */
  readonly app: string;
  /** Functions with file, line and column, the innermost first. Empty if native code blocked the event loop. */
  readonly stack: readonly string[];
  /** Of the request or job that was at work. */
  readonly context: LogContext;
}

/** The export of a recorder module: stores a block before the process ends. */
export type RecordBlock = (databaseUrl: string, block: EventLoopBlock) => Promise<void>;

/** Worker data of the thread. */
export interface WatchdogData {
  readonly app: string;
  /** Two 32-bit integers, at {@link COUNT} and {@link HAS_DEBUGGER}, which the event loop writes every {@link BEAT_MS}. */
  readonly beats: SharedArrayBuffer;
  /** Time without a beat, in milliseconds, after which the process ends. */
  readonly limitMs: number;
  /** URL of a module whose export `recordBlock` is a {@link RecordBlock}. */
  readonly recorder: string;
  readonly databaseUrl: string;
}

export const BEAT_MS = 500;
/** How often the event loop has turned. */
export const COUNT = 0;
/** 1 while a debugger may pause the process. */
export const HAS_DEBUGGER = 1;
/** A function of the global object that returns the log context of what is at work. */
export const CONTEXT_FUNCTION = 'citewell.logContext';
