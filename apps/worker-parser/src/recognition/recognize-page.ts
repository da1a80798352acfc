import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { confined } from '../sandbox/confined-command.js';
import { lowerPriority } from '../sandbox/lower-priority.js';

export interface RecognitionTools {
  /** Paths of the programs. */
  readonly tesseract: string;
  readonly renderer: string;
  /** As Tesseract takes them: `eng+deu`. */
  readonly languages: string;
  readonly isolation: readonly string[];
}

export interface PageToRecognize {
  /** Of the PDF. */
  readonly path: string;
  /** From 1. */
  readonly page: number;
  readonly signal: AbortSignal;
}

/** The longer side of a page, in pixels: 300 a inch of A4 and Letter, which Tesseract is made for, and a bound for any page. */
const LONG_SIDE_PIXELS = 3_400;
const TIMEOUT_MS = 120_000;
const MAX_MEMORY_BYTES = 2 * 1024 ** 3;
const MAX_TABLE_CHARACTERS = 8_000_000;
const MESSAGE_CHARACTERS = 500;

/**
 * Draws one page and reads it: two processes with a pipe between them, without environment and network, under limits.
 *
 * @returns Tesseract's tab-separated values; null when the page has more of them than any page can
 * @throws Error with a program's last words when it fails or takes too long; the signal's reason when it is aborted
 */
export async function recognizePage(
  tools: RecognitionTools,
  { path, page, signal }: PageToRecognize,
): Promise<string | null> {
  signal.throwIfAborted();
  const only = String(page);
  const draw = ['-f', only, '-l', only, '-gray', '-scale-to', String(LONG_SIDE_PIXELS), path];
  const drawing = start(tools, [tools.renderer, ...draw]);
  const reading = start(tools, [tools.tesseract, 'stdin', 'stdout', '-l', tools.languages, 'tsv']);
  const stop = (): void => {
    drawing.kill('SIGKILL');
    reading.kill('SIGKILL');
  };
  const timer = setTimeout(stop, TIMEOUT_MS);
  signal.addEventListener('abort', stop, { once: true });
  try {
    // Either end of the pipe may go first; what became of a process is said by its exit.
    drawing.stdin.end();
    drawing.stdout.on('error', () => undefined).pipe(reading.stdin.on('error', () => undefined));
    const table = collect(reading, stop);
    const [drawn, read] = await Promise.all([ended(drawing), ended(reading)]);
    signal.throwIfAborted();
    if (drawn !== null || read !== null) throw new Error(`page ${page}: ${drawn ?? ''} ${read ?? ''}`.trim());
    return table();
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
    stop();
  }
}

function start(tools: RecognitionTools, command: [string, ...string[]]): ChildProcessWithoutNullStreams {
  const [program, args] = confined(command, {
    cpuSeconds: TIMEOUT_MS / 1000,
    addressSpaceBytes: MAX_MEMORY_BYTES,
    isolation: tools.isolation,
  });
  const child = spawn(program, args, {
    cwd: '/',
    // Its own threads would only fight with those of the other pages.
    env: { OMP_THREAD_LIMIT: '1' },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  lowerPriority(child.pid);
  return child;
}

/** @returns what it wrote, once it has ended */
function collect(child: ChildProcessWithoutNullStreams, stop: () => void): () => string | null {
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    text += part;
    if (text.length > MAX_TABLE_CHARACTERS) stop();
  });
  return () => (text.length > MAX_TABLE_CHARACTERS ? null : text);
}

/** @returns null when it did its work, else what it said */
function ended(child: ChildProcessWithoutNullStreams): Promise<string | null> {
  let words = '';
  child.stderr.setEncoding('utf8').on('data', (part: string) => {
    words = (words + part).slice(-MESSAGE_CHARACTERS);
  });
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('close', (code, signal) =>
      resolve(code === 0 ? null : `ended with ${signal ?? code}: ${words.trim()}`),
    );
  });
}
