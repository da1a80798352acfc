import inspector from 'node:inspector';
import { Worker } from 'node:worker_threads';
import { currentLogContext } from '../logger.js';
import { BEAT_MS, CONTEXT_FUNCTION, COUNT, HAS_DEBUGGER, type WatchdogData } from './watchdog.protocol.js';

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
