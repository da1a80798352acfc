import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { Slots } from '@citewell/ingestion';
import { type LanguageFiles, noteOf, SURE_CONFIDENCE } from '@citewell/documents/recognition';
import { networkIsolation } from '@citewell/observability/child-processes';
import type { RecognitionCall } from '../sandbox/page-recognition.js';
import { productLanguages, withBetterLanguage } from './recognition-languages.js';
import { type RecognitionTools, recognizePage } from './recognize-page.js';

const run = promisify(execFile);

export interface TextRecognitionOptions {
  /** Path of Tesseract, or its name on the PATH. */
  readonly tesseract: string;
  /** Names of Tesseract language data, joined by `+`: `eng`, `deu+fra`. */
  readonly languages: string;
  /** Folder of added language data, such as `deu.traineddata.gz`. It need not exist. Default: none. */
  readonly languageFolder?: string;
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
  /** The programs of the system; null when they are not installed, or lack a language that the product has. */
  readonly tools: RecognitionTools | null;
  /** Language data of the product. */
  readonly languages: LanguageFiles;
}

interface SystemTools extends Omit<RecognitionTools, 'languages'> {
  readonly languages: readonly string[];
}

/**
 * Recognizes text in pages that are images, in the configured languages and in those that were added. Where Tesseract and
 * poppler are installed on the system with all of these languages, they do. Both can access only the file. Otherwise a parser
 * process does, with the language data of the product. It also reads pictures, if it has a language: photos are turned
 * upright by it. It reads pages again of which the programs are not sure.
 *
 * The programs are searched on first use, added languages for each file.
 */
export class TextRecognition {
  private system: Promise<SystemTools | null> | undefined;
  private readonly slots: Slots;

  constructor(private readonly options: TextRecognitionOptions) {
    this.slots = new Slots(options.parallel);
  }

  /** Whether there is data for at least one of the configured languages. */
  async isAvailable(): Promise<boolean> {
    return (await this.find()) !== null;
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
    const engine = await this.find();
    if (engine === null) return;
    const { tools, languages } = engine;
    const results = await Promise.allSettled(
      pages.map((page) =>
        this.slots.hold({ count: 1, holder: path }, signal, async () => {
          const hasLanguage = Object.keys(languages).length > 0;
          const recognized =
            tools === null || (isPicture && hasLanguage)
              ? await inSandbox(page, languages)
              : await recognizePage(
                  tools,
                  pictureOf === undefined
                    ? { path, isPicture, page, signal }
                    : { path: pictureOf(page), isPicture, page: 1, signal },
                );
          const isUnsure = recognized !== null && noteOf(recognized).confidence < SURE_CONFIDENCE;
          const again =
            tools !== null && !isPicture && isUnsure && hasLanguage ? await inSandbox(page, languages) : null;
          const table = surer(recognized, again);
          if (table !== null) await onPage(page, await withBetterLanguage(table));
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

  /** @returns null without data for any of the languages */
  private async find(): Promise<Engine | null> {
    const { languages: configured, languageFolder } = this.options;
    const product = await productLanguages(configured.split('+'), languageFolder);
    const system = await (this.system ??= this.findTools());
    const wanted = [...new Set([...configured.split('+'), ...Object.keys(product)])];
    const inSystem = wanted.filter((name) => system?.languages.includes(name));
    const isBetter = inSystem.length > 0 && inSystem.length >= Object.keys(product).length;
    if (!isBetter && Object.keys(product).length === 0) return null;
    return {
      tools: isBetter && system ? { ...system, languages: inSystem.join('+') } : null,
      languages: product,
    };
  }

  /** @returns null when the programs are not installed */
  private async findTools(): Promise<SystemTools | null> {
    const { tesseract: name, languages: configured, logger } = this.options;
    const [tesseract, renderer] = await Promise.all([findProgram(name), findProgram(RENDERER)]);
    if (tesseract === null || renderer === null) return null;
    const languages = await installedLanguages(tesseract);
    const wanted = configured.split('+');
    if (!wanted.every((language) => languages.includes(language)))
      logger?.warn({ wanted, installed: languages }, 'Tesseract lacks language data');
    return { tesseract, renderer, languages, isolation: await networkIsolation() };
  }
}

/** The table of a second reading, if it is surer of the text, or says that there is no data for its script. */
function surer(first: string | null, second: string | null): string | null {
  if (first === null || second === null) return second ?? first;
  const { confidence, unreadScripts } = noteOf(second);
  return unreadScripts !== undefined || confidence > noteOf(first).confidence ? second : first;
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
