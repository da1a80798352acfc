import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { Slots } from '@citewell/ingestion';
import { networkIsolation } from '@citewell/observability/child-processes';
import { type RecognitionTools, recognizePage } from './recognize-page.js';

const run = promisify(execFile);

export interface TextRecognitionOptions {
  /** Path of Tesseract, or its name on the PATH. */
  readonly tesseract: string;
  /** Names of Tesseract language data, joined by `+`: `eng`, `deu+fra`. */
  readonly languages: string;
  /** Pages processed at the same time, over all files. */
  readonly parallel: number;
  readonly logger?: RecognitionLogger;
}

export interface RecognitionLogger {
  info(details: Record<string, unknown>, message: string): void;
  warn(details: Record<string, unknown>, message: string): void;
}

export interface RecognitionCall {
  readonly signal: AbortSignal;
  /** Called after each page with the number of processed pages. */
  readonly onProgress: (done: number) => void;
}

const RENDERER = 'pdftoppm';

/**
 * Recognizes text in PDF pages that are images. Poppler renders the page and Tesseract recognizes it; both
 * can access only the file. Pages are rendered instead of extracting their images, because a page may consist
 * of stripes, masks, layers or outlines, and may be rotated.
 *
 * The programs are searched on first use.
 */
export class TextRecognition {
  private tools: Promise<RecognitionTools | null> | undefined;
  private readonly slots: Slots;

  constructor(private readonly options: TextRecognitionOptions) {
    this.slots = new Slots(options.parallel);
  }

  /** Whether the programs, and data for at least one of the configured languages, are installed. */
  async isAvailable(): Promise<boolean> {
    return (await this.findOnce()) !== null;
  }

  /**
   * Recognizes pages of a PDF, several at a time.
   *
   * @param pages numbers of the pages, from 1
   * @returns Tesseract's tab-separated values by page number, without pages that failed
   * @throws the signal's reason when it is aborted
   */
  async recognize(
    path: string,
    pages: readonly number[],
    { signal, onProgress }: RecognitionCall,
  ): Promise<ReadonlyMap<number, string>> {
    const tools = await this.findOnce();
    const tables = new Map<number, string>();
    if (tools === null) return tables;
    let done = 0;
    const results = await Promise.allSettled(
      pages.map((page) =>
        this.slots.hold({ count: 1, holder: path }, signal, async () => {
          const table = await recognizePage(tools, { path, page, signal });
          if (table !== null) tables.set(page, table);
          onProgress((done += 1));
        }),
      ),
    );
    signal.throwIfAborted();
    const failed = results.flatMap((result) =>
      result.status === 'rejected' ? [result.reason as unknown] : [],
    );
    if (failed.length > 0) {
      this.options.logger?.warn({ err: failed[0], pages: failed.length }, 'text recognition failed on pages');
    }
    return tables;
  }

  private findOnce(): Promise<RecognitionTools | null> {
    return (this.tools ??= this.find());
  }

  private async find(): Promise<RecognitionTools | null> {
    const { tesseract: name, languages, logger } = this.options;
    const [tesseract, renderer] = await Promise.all([findProgram(name), findProgram(RENDERER)]);
    if (tesseract === null || renderer === null) {
      const missing = [...(tesseract === null ? [name] : []), ...(renderer === null ? [RENDERER] : [])];
      logger?.info({ missing }, 'text recognition is off: programs are not installed');
      return null;
    }
    const installed = await installedLanguages(tesseract);
    const wanted = languages.split('+');
    const usable = wanted.filter((language) => installed.includes(language));
    if (usable.length < wanted.length) {
      logger?.warn({ wanted, installed }, 'Tesseract language data is not installed');
    }
    if (usable.length === 0) return null;
    return { tesseract, renderer, languages: usable.join('+'), isolation: await networkIsolation() };
  }
}

/** Parses `tesseract --list-langs`: a heading, then one name per line. */
async function installedLanguages(tesseract: string): Promise<string[]> {
  try {
    const { stdout } = await run(tesseract, ['--list-langs'], { env: {}, timeout: 10_000 });
    return stdout
      .split('\n')
      .slice(1)
      .map((line) => line.trim());
  } catch {
    return [];
  }
}

/**
 * Finds an executable.
 *
 * @param name a name on the PATH, or a path
 * @returns the absolute path; null when there is no such executable, and on Windows
 */
async function findProgram(name: string): Promise<string | null> {
  if (process.platform === 'win32') return null;
  try {
    // `command -v` finds only executables, on the same PATH as the operator's shell.
    const { stdout } = await run('/bin/sh', ['-c', 'command -v -- "$1"', 'sh', name]);
    const path = stdout.trim();
    return path.startsWith('/') ? path : null;
  } catch {
    return null;
  }
}
