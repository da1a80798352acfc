import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { Slots } from '@citewell/ingestion';
import { networkIsolation } from '../sandbox/network-isolation.js';
import { findProgram } from './find-program.js';
import { recognizePage, type RecognitionTools } from './recognize-page.js';

const run = promisify(execFile);

export interface TextRecognitionOptions {
  /** Tesseract, as a path or as a name on the PATH. */
  readonly tesseract: string;
  /** Names of Tesseract's language data, joined by `+`: `eng`, `deu+fra`. */
  readonly languages: string;
  /** Pages that are recognised at the same time, of all files together. */
  readonly parallel: number;
  readonly logger?: RecognitionLogger;
}

export interface RecognitionLogger {
  info(details: Record<string, unknown>, message: string): void;
  warn(details: Record<string, unknown>, message: string): void;
}

export interface RecognitionCall {
  readonly signal: AbortSignal;
  /** Told after each page how many are done. */
  readonly onProgress: (done: number) => void;
}

const RENDERER = 'pdftoppm';

/**
 * Reads pages that are pictures, with Tesseract: poppler draws a page, Tesseract reads it, and neither gets more than
 * the file. Pages are drawn rather than their pictures taken out of the file, because a page is what a reader sees: it
 * may be made of stripes, masks, layers or outlines, and be turned.
 *
 * The programs are looked for when the first such page comes.
 */
export class TextRecognition {
  private tools: Promise<RecognitionTools | null> | undefined;
  private readonly slots: Slots;

  constructor(private readonly options: TextRecognitionOptions) {
    this.slots = new Slots(options.parallel);
  }

  /** Whether everything that it takes is installed here. */
  async isAvailable(): Promise<boolean> {
    return (await this.found()) !== null;
  }

  /**
   * Recognises pages of a PDF, several at a time.
   *
   * @param pages from 1
   * @returns Tesseract's tab-separated values by page; a page on which the programs failed is left out
   * @throws the signal's reason when it is aborted
   */
  async recognize(
    path: string,
    pages: readonly number[],
    { signal, onProgress }: RecognitionCall,
  ): Promise<ReadonlyMap<number, string>> {
    const tools = await this.found();
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
      this.options.logger?.warn({ err: failed[0], pages: failed.length }, 'pages were not recognised');
    }
    return tables;
  }

  private found(): Promise<RecognitionTools | null> {
    return (this.tools ??= this.find());
  }

  private async find(): Promise<RecognitionTools | null> {
    const { tesseract: name, languages, logger } = this.options;
    const [tesseract, renderer] = await Promise.all([findProgram(name), findProgram(RENDERER)]);
    if (tesseract === null || renderer === null) {
      const missing = [...(tesseract === null ? [name] : []), ...(renderer === null ? [RENDERER] : [])];
      logger?.info({ missing }, 'text is not recognised in pictures: programs are not installed');
      return null;
    }
    const installed = await installedLanguages(tesseract);
    const wanted = languages.split('+');
    const usable = wanted.filter((language) => installed.includes(language));
    if (usable.length < wanted.length) {
      logger?.warn({ wanted, installed }, 'language data of tesseract is not installed');
    }
    if (usable.length === 0) return null;
    return { tesseract, renderer, languages: usable.join('+'), isolation: await networkIsolation() };
  }
}

/** A heading and a name on each line. */
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
