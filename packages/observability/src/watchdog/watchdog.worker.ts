import { readFileSync, writeSync } from 'node:fs';
import inspector, { type Debugger } from 'node:inspector';
import { workerData } from 'node:worker_threads';
import { cpuTimeMs } from '../child-processes.js';
import type { LogContext } from '../logger.js';
import {
  BEAT_MS,
  CONTEXT_FUNCTION,
  COUNT,
  type EventLoopBlock,
  HAS_DEBUGGER,
  type RecordBlock,
  type WatchdogData,
} from './watch-event-loop.js';

/**
 * The least share of the limit for which the event loop must have used a CPU. Otherwise it waits: for a CPU, on a machine that is
 * busy with other work, or within native code, which ends the process after several limits.
 */
const LEAST_CPU_SHARE = 0.5;
const WAITING_LIMITS = 6;
/** Native code cannot be paused. */
const PAUSE_LIMIT_MS = 5_000;
const RECORD_LIMIT_MS = 15_000;
const MAX_FRAMES = 20;
const STANDARD_OUTPUT = 1;

// Only `watchEventLoop` starts this thread, so the cast is safe.
const { app, beats, limitMs, recorder, databaseUrl } = workerData as WatchdogData;
const counter = new Int32Array(beats);
let seen = 0;
let silentMs = 0;
let cpuMsBefore = 0;

const timer = setInterval(() => {
  const count = Atomics.load(counter, COUNT);
  if (count !== seen) {
    seen = count;
    silentMs = 0;
    return;
  }
  if (silentMs === 0) cpuMsBefore = mainThreadCpuMs();
  silentMs += BEAT_MS;
  // A developer may have paused the process.
  if (silentMs < limitMs || Atomics.load(counter, HAS_DEBUGGER) === 1) return;
  const waits = mainThreadCpuMs() - cpuMsBefore < limitMs * LEAST_CPU_SHARE;
  if (waits && silentMs < limitMs * WAITING_LIMITS) return;
  clearInterval(timer);
  void endProcess();
}, BEAT_MS);

/** CPU time of the main thread, whose id is that of the process. Not a number on other systems than Linux. */
function mainThreadCpuMs(): number {
  try {
    return cpuTimeMs(readFileSync(`/proc/self/task/${process.pid}/stat`, 'latin1'));
  } catch {
    return Number.NaN;
  }
}

async function endProcess(): Promise<void> {
  const found = await within(PAUSE_LIMIT_MS, inspectMainThread());
  const block: EventLoopBlock = { app, stack: found?.stack ?? [], context: found?.context ?? {} };
  const stored = await within(RECORD_LIMIT_MS, record(block));
  try {
    writeSync(STANDARD_OUTPUT, `${logLine(block, stored !== null)}\n`);
  } finally {
    // Nobody may read the output any more.
    process.kill(process.pid, 'SIGKILL');
  }
}

async function record(block: EventLoopBlock): Promise<true> {
  const { recordBlock } = (await import(recorder)) as { recordBlock: RecordBlock };
  await recordBlock(databaseUrl, block);
  return true;
}

/** As the logger writes it. The logger itself is on the thread that is blocked. */
function logLine({ stack, context }: EventLoopBlock, stored: boolean): string {
  const msg = `the event loop was blocked for ${limitMs / 1_000} s, the process ends`;
  return JSON.stringify({
    level: 'fatal',
    time: new Date().toISOString(),
    app,
    ...context,
    stack,
    stored,
    msg,
  });
}

/** Pauses the main thread, also within a regular expression, and reads its stack and its log context. */
async function inspectMainThread(): Promise<{ stack: string[]; context: LogContext }> {
  const session = new inspector.Session();
  session.connectToMainThread();
  const urls = new Map<string, string>();
  session.on('Debugger.scriptParsed', ({ params }) => urls.set(params.scriptId, params.url));
  const paused = new Promise<Debugger.CallFrame[]>((resolve) =>
    session.once('Debugger.paused', ({ params }) => resolve(params.callFrames)),
  );
  session.post('Debugger.enable');
  session.post('Debugger.pause');
  const frames = await paused;
  const stack = frames.slice(0, MAX_FRAMES).map(({ functionName, location }) => {
    const { scriptId, lineNumber, columnNumber = 0 } = location;
    return `${functionName || '(anonymous)'} ${urls.get(scriptId) ?? ''}:${lineNumber + 1}:${columnNumber + 1}`;
  });
  const callFrameId = frames[0]?.callFrameId ?? '';
  const expression = `globalThis[Symbol.for('${CONTEXT_FUNCTION}')]()`;
  const context = await new Promise<LogContext>((resolve) =>
    session.post(
      'Debugger.evaluateOnCallFrame',
      { callFrameId, expression, returnByValue: true },
      // The function returns a log context.
      (_, evaluated) => resolve((evaluated?.result?.value as LogContext | undefined) ?? {}),
    ),
  );
  return { stack, context };
}

/** Null after the time, or if the work fails. */
async function within<Result>(ms: number, work: Promise<Result>): Promise<Result | null> {
  const timeout = new Promise<null>((resolve) => setTimeout(() => resolve(null), ms));
  return Promise.race([work.catch(() => null), timeout]);
}
