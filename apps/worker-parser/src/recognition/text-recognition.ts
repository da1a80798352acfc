import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { Slots } from '@citewell/ingestion';
import { INCLUDED_LANGUAGES, type LanguageFiles } from '@citewell/documents/recognition';
import { networkIsolation } from '@citewell/observability/child-processes';
import type { RecognitionCall } from '../sandbox/page-recognition.js';
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

const RENDERER = 'pdftoppm';

interface Engine {
  /** The programs of the system; null when they are not installed, or have data for none of the languages. */
  readonly tools: RecognitionTools | null;
  /** Language data of the product. */
  readonly languages: LanguageFiles;
}

/**
 * Recognizes text in pages that are images. Where Tesseract and poppler are installed on the system, they do: they have
 * more languages. Both can access only the file. Otherwise a parser process does, with the language data of the product. It
 * also reads pictures, if it has a language: photos are turned upright by it.
 *
 * The programs are searched on first use.
 */
export class TextRecognition {
  private engine: Promise<Engine | null> | undefined;
  private readonly slots: Slots;

  constructor(private readonly options: TextRecognitionOptions) {
    this.slots = new Slots(options.parallel);
  }

  /** Whether there is data for at least one of the configured languages. */
  async isAvailable(): Promise<boolean> {
    return (await this.findOnce()) !== null;
  }

  /**
   * Recognizes pages of a file, several at a time.
   *
   * @param pages numbers of the pages, from 1
   * Calls `onPage` with Tesseract's tab-separated values of each page. Pages that fail are left out.
   *
   * @throws the signal's reason when it is aborted
   */
  async recognize(
    path: string,
    pages: readonly number[],
    { isPicture, pictureOf, signal, onPage, inSandbox }: RecognitionCall,
  ): Promise<void> {
    const engine = await this.findOnce();
    if (engine === null) return;
    const { tools, languages } = engine;
    const results = await Promise.allSettled(
      pages.map((page) =>
        this.slots.hold({ count: 1, holder: path }, signal, async () => {
          const table = await (tools === null || (isPicture && Object.keys(languages).length > 0)
            ? inSandbox(page, languages)
            : recognizePage(
                tools,
                pictureOf === undefined
                  ? { path, isPicture, page, signal }
                  : { path: pictureOf(page), isPicture, page: 1, signal },
              ));
          if (table !== null) await onPage(page, table);
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
  }

  private findOnce(): Promise<Engine | null> {
    return (this.engine ??= this.find());
  }

  private async find(): Promise<Engine | null> {
    const { languages, logger } = this.options;
    const wanted = languages.split('+');
    const tools = await this.findTools(wanted);
    const included = Object.entries(INCLUDED_LANGUAGES).filter(([name]) => wanted.includes(name));
    if (tools === null && included.length < wanted.length)
      logger?.warn({ wanted, included: Object.keys(INCLUDED_LANGUAGES) }, 'language data is not installed');
    return tools === null && included.length === 0
      ? null
      : { tools, languages: Object.fromEntries(included) };
  }

  /** @returns null when the programs, or data for all of the languages, are not installed */
  private async findTools(wanted: readonly string[]): Promise<RecognitionTools | null> {
    const { tesseract: name, logger } = this.options;
    const [tesseract, renderer] = await Promise.all([findProgram(name), findProgram(RENDERER)]);
    if (tesseract === null || renderer === null) return null;
    const installed = await installedLanguages(tesseract);
    const usable = wanted.filter((language) => installed.includes(language));
    if (usable.length < wanted.length) logger?.warn({ wanted, installed }, 'Tesseract lacks language data');
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
