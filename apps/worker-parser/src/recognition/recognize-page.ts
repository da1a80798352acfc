import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { pipeline } from 'node:stream/promises';
import { layDownVertical } from '@citewell/documents/recognition';
import { confined, lowerPriority } from '@citewell/observability/child-processes';

export interface RecognitionTools {
  /** Path of Tesseract. */
  readonly tesseract: string;
  /** Path of poppler's `pdftoppm`. */
  readonly renderer: string;
  /** Joined by `+`: `eng+deu`. */
  readonly languages: string;
  /** Command prefix that removes network access; see {@link networkIsolation}. */
  readonly isolation: readonly string[];
}

export interface PageToRecognize {
  /** Path of the PDF or picture. */
  readonly path: string;
  readonly isPicture: boolean;
  /** Number of the page, from 1. */
  readonly page: number;
  readonly signal: AbortSignal;
}

/**
 * Longer side of the rendered page in pixels. That is about 300 dpi for A4 and Letter, which Tesseract is
 * trained for, and a limit for larger pages.
 */
const LONG_SIDE_PIXELS = 3_400;
const TIMEOUT_MS = 120_000;
const MAX_MEMORY_BYTES = 2 * 1024 ** 3;
const MAX_TABLE_CHARACTERS = 8_000_000;
const MESSAGE_CHARACTERS = 500;

/**
 * Renders one page and recognizes its text. The renderer and Tesseract are two confined processes, connected
 * by a pipe.
 *
 * @returns Tesseract's tab-separated values; null when they are larger than `MAX_TABLE_CHARACTERS`
 * @throws Error with the end of stderr when a program fails or times out; the signal's reason when it is
 * aborted
 */
export async function recognizePage(
  tools: RecognitionTools,
  { path, isPicture, page, signal }: PageToRecognize,
): Promise<string | null> {
  signal.throwIfAborted();
  const pageNumber = String(page);
  const renderArgs = [
    '-f',
    pageNumber,
    '-l',
    pageNumber,
    '-gray',
    '-scale-to',
    String(LONG_SIDE_PIXELS),
    path,
  ];
  // Tesseract reads pictures itself. It counts the pages of a TIFF from 0.
  const rendering = start(tools, isPicture ? ['cat', path] : [tools.renderer, ...renderArgs]);
  const pageArgs = isPicture ? ['-c', `tessedit_page_number=${page - 1}`] : [];
  const options = ['-l', tools.languages, ...pageArgs, 'tsv'];
  const recognition = start(tools, [tools.tesseract, 'stdin', 'stdout', ...options]);
  const stop = (): void => {
    rendering.kill('SIGKILL');
    recognition.kill('SIGKILL');
  };
  const timer = setTimeout(stop, TIMEOUT_MS);
  signal.addEventListener('abort', stop, { once: true });
  try {
    rendering.stdin.end();
    // A pipeline closes both ends when one fails: an unread rest would keep its process from closing. Its errors are
    // ignored: either process may end first, and the exit code says whether it failed.
    pipeline(rendering.stdout, recognition.stdin).catch(() => undefined);
    const table = collectOutput(recognition, stop);
    const [renderFailure, recognitionFailure] = await Promise.all([
      failureOf(rendering),
      failureOf(recognition),
    ]);
    signal.throwIfAborted();
    if (renderFailure !== null || recognitionFailure !== null)
      throw new Error(`page ${page}: ${renderFailure ?? ''} ${recognitionFailure ?? ''}`.trim());
    const found = table();
    return found && layDownVertical(found);
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
    // One thread: pages already run in parallel.
    env: { OMP_THREAD_LIMIT: '1' },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  lowerPriority(child.pid);
  return child;
}

/**
 * @returns a function that gives the output, once the process has ended; null when the output was too large
 */
function collectOutput(child: ChildProcessWithoutNullStreams, stop: () => void): () => string | null {
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    text += part;
    if (text.length > MAX_TABLE_CHARACTERS) stop();
  });
  return () => (text.length > MAX_TABLE_CHARACTERS ? null : text);
}

/**
 * Resolves when the process has ended.
 *
 * @returns null on success, otherwise exit code or signal and the end of stderr
 */
function failureOf(child: ChildProcessWithoutNullStreams): Promise<string | null> {
  let stderrTail = '';
  child.stderr.setEncoding('utf8').on('data', (part: string) => {
    stderrTail = (stderrTail + part).slice(-MESSAGE_CHARACTERS);
  });
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('close', (code, signal) =>
      resolve(code === 0 ? null : `ended with ${signal ?? code}: ${stderrTail.trim()}`),
    );
  });
}
