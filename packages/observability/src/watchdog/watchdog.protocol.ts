import type { LogContext } from '../logger.js';

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
