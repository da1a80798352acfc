import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { DocumentError } from '@citewell/documents';
import { isPicture } from '@citewell/documents/file-type';
import { Slots } from '@citewell/ingestion';
import { networkIsolation } from '@citewell/observability/child-processes';
import {
  catchOcrRequired,
  describePictures,
  type PageRecognition,
  recognitionError,
  type Scans,
} from './page-recognition.js';
import { encodeRecognized, type ParsedFile } from './parse-protocol.js';
import { ParserProcess, type ProcessLimits } from './parser-process.js';
import type {
  FileToParse,
  FirstCall,
  RecognizedCall,
  SandboxCall,
  SandboxInput,
  TakenProcess,
} from './sandbox-call.js';
import { emptyFolder, keepScan, linkInput, pictureFile, placeInput, removeScan } from './scratch-folder.js';

const RECOGNIZED_NAME = 'recognized.json';

export interface ParserSandboxOptions extends ProcessLimits {
  /** Files parsed at the same time. */
  readonly processes: number;
  /** Must belong to this sandbox alone: it is emptied before the first file and deleted by `close()`. */
  readonly scratchDirectory: string;
  /** A process without a file for this long is ended. Default 10,000. */
  readonly idleTimeoutMs?: number;
  /** A process is replaced after this many files. Default 5,000. */
  readonly filesPerProcess?: number;
  /** For pages that are images of text. Without it, a file that consists of them fails with OCR_REQUIRED. */
  readonly recognition?: PageRecognition;
  readonly logger?: SandboxLogger;
  /** For tests: main file of the child. Default `parse-child.js`. */
  readonly childScript?: string;
}

export interface SandboxLogger {
  debug(details: Record<string, unknown>, message: string): void;
  warn(details: Record<string, unknown>, message: string): void;
}

const DEFAULT_FILES_PER_PROCESS = 5_000;
/** The successor of a process is started this many files before its last one. */
const SUCCESSOR_LEAD_FILES = 100;
const DEFAULT_IDLE_TIMEOUT_MS = 10_000;
const CHILD_SCRIPT = fileURLToPath(new URL('parse-child.js', import.meta.url));

/**
 * Parses files in a pool of child processes with limits. When a file breaks its process, only the call of
 * that file is rejected. The process is replaced, and other files are not affected.
 */
export class ParserSandbox {
  private readonly idle: { process: ParserProcess; timer: NodeJS.Timeout }[] = [];
  private readonly alive = new Set<ParserProcess>();
  private readonly slots: Slots;
  private readonly closing = new AbortController();
  private readonly filesPerProcess: number;
  private started = 0;
  private scans = 0;
  private tables = 0;
  private prepared: Promise<void> | undefined;
  private isolation: readonly string[] = [];

  constructor(private readonly options: ParserSandboxOptions) {
    if (!(options.processes >= 1)) throw new RangeError('processes must be at least 1');
    this.slots = new Slots(options.processes);
    this.filesPerProcess = options.filesPerProcess ?? DEFAULT_FILES_PER_PROCESS;
  }

  /** Limit on the CPU time of a file. */
  get timeoutMs(): number {
    return this.options.timeoutMs;
  }

  /**
   * Waits for a free process, then parses the file. The wait does not count towards the time limit.
   *
   * @throws DocumentError of the parser, or PARSE_TIMEOUT, PARSE_MEMORY, PARSER_CRASHED
   * @throws the signal's reason when it is aborted, the stream's error when it breaks, an Error after
   * `close()`
   */
  async parse(input: SandboxInput, call: SandboxCall = {}): Promise<ParsedFile> {
    const { holder = '', onProgress = () => undefined } = call;
    const signal = AbortSignal.any([
      this.closing.signal,
      ...(call.signal === undefined ? [] : [call.signal]),
    ]);
    const { source, fileType, fileName, declaredEncoding, encoding } = input;
    const options = {
      fileType,
      fileName,
      ...(encoding === undefined ? {} : { encoding }),
      ...(declaredEncoding === undefined ? {} : { declaredEncoding }),
    };
    const taken: TakenProcess = { holder, signal, hasFiles: !(source instanceof Uint8Array) };
    this.scans += 1;
    const scan = join(this.options.scratchDirectory, `scan-${this.scans}`);
    try {
      const first = await this.withProcess(taken, (process) =>
        this.parseFirst(process, { ...options, source }, { scan, signal, onProgress }),
      );
      if (!('scans' in first)) return first;
      const recognizing = this.parseRecognized(
        first,
        { ...options, source: scan },
        { ...taken, hasFiles: true, onProgress, pageStore: call.pageStore, describer: call.describer },
      );
      return await recognizing.finally(() => removeScan(scan));
    } catch (error) {
      // An unread stream would keep its connection open.
      if (source instanceof Readable) source.destroy();
      this.options.logger?.debug({ err: error, fileName, pid: taken.pid }, 'file was not parsed');
      // Streams wrap the reason in another error.
      throw signal.aborted ? signal.reason : error;
    }
  }

  /** Waits for a free process and holds it until `work` has ended. */
  private withProcess<Result>(
    taken: TakenProcess,
    work: (process: ParserProcess) => Promise<Result>,
  ): Promise<Result> {
    const { holder, signal } = taken;
    return this.slots.hold({ count: 1, holder }, signal, async () => {
      await (this.prepared ??= this.prepare());
      signal.throwIfAborted();
      const process = await this.takeProcess();
      taken.pid = process.pid;
      try {
        return await work(process);
      } finally {
        await this.releaseProcess(process, taken);
      }
    });
  }

  /**
   * @returns the document; the pages to recognize when some are images of text and recognition is available. The input is
   * then at the path `scan`
   */
  private async parseFirst(
    process: ParserProcess,
    { source, ...options }: FileToParse,
    { scan, signal, onProgress }: FirstCall,
  ): Promise<ParsedFile | Scans> {
    const { recognition } = this.options;
    const placed = await placeInput(source, process.scratchDirectory, signal);
    let pages: readonly number[] = [];
    const pictures = new Map<number, Uint8Array>();
    let total = 0;
    const outcome = await process
      .parse(
        { source: placed, ...options },
        {
          signal,
          onProgress: (progress) => {
            total = progress.total;
            onProgress(progress);
          },
          onScans: (found) => (pages = found),
          onPicture: (number, file) => pictures.set(number, file),
        },
      )
      .catch(catchOcrRequired);
    const isScan = pages.length > 0 && typeof placed === 'string';
    if ((isScan || pictures.size > 0) && (await recognition?.isAvailable()) === true) {
      await keepScan(placed, scan, pictures);
      return {
        scans: isScan ? pages : [...pictures.keys()],
        hasPictures: !isScan,
        total,
        failure: outcome instanceof DocumentError ? outcome : null,
      };
    }
    if (outcome instanceof DocumentError) throw outcome;
    return this.keepTables(outcome);
  }

  /**
   * Recognizes pages that are images of text, and parses the file once more with their text. The second parse applies
   * the parser's limits to the recognized text. Its time does not matter: recognition takes seconds per page. Between
   * two pages, the process is free for other files.
   */
  private async parseRecognized(
    { scans, hasPictures, total, failure }: Scans,
    options: FileToParse & { readonly source: string },
    call: RecognizedCall,
  ): Promise<ParsedFile> {
    const { recognition } = this.options;
    const { source, fileType } = options;
    const { signal, onProgress, pageStore } = call;
    const recognized = new Map(await pageStore?.load());
    const textPages = Math.max(0, total - (hasPictures ? 0 : scans.length));
    const report = (): void =>
      onProgress({ done: textPages + recognized.size, total: textPages + scans.length });
    if (recognized.size > 0) report();
    let reason: DocumentError | null = null;
    await recognition?.recognize(
      source,
      scans.filter((page) => !recognized.has(page)),
      {
        isPicture: hasPictures || isPicture(fileType),
        ...(hasPictures ? { pictureOf: (number) => pictureFile(source, number) } : {}),
        signal,
        onPage: async (page, table) => {
          recognized.set(page, table);
          report();
          // Without it, a later call recognizes the page again.
          await pageStore
            ?.save(page, table)
            .catch((error: unknown) => this.options.logger?.warn({ err: error, page }, 'page was not kept'));
        },
        inSandbox: (page, languages) =>
          this.withProcess(call, async (process) => {
            const file = hasPictures ? pictureFile(source, page) : source;
            const path = await linkInput(file, process.scratchDirectory);
            return process.recognize(
              hasPictures
                ? { source: path, fileType: 'image/png', page: 1, languages, isEmbedded: true }
                : { source: path, fileType, page, languages },
              signal,
            );
          }).catch((error: unknown) => {
            if (error instanceof DocumentError) reason ??= error;
            throw error;
          }),
      },
    );
    const hasText = recognized.size > 0;
    await describePictures(recognized, call.describer, {
      pathOf: (page) => (hasPictures ? pictureFile(source, page) : source),
      isDescribable: hasPictures || (isPicture(fileType) && fileType !== 'image/tiff'),
      scale: (path) =>
        this.withProcess(call, async (process) =>
          process.scale(await linkInput(path, process.scratchDirectory), signal),
        ),
      signal,
    });
    if (failure !== null && !hasText) throw recognitionError(reason ?? failure, fileType);
    return this.withProcess(call, async (process) => {
      const recognizedPath = join(process.scratchDirectory, RECOGNIZED_NAME);
      const isKnown = recognition !== undefined && (hasText || hasPictures);
      if (isKnown) await writeFile(recognizedPath, encodeRecognized(recognized), { mode: 0o600 });
      const file = await process.parse(
        {
          ...options,
          source: await linkInput(source, process.scratchDirectory),
          ...(isKnown && { recognizedPath }),
        },
        { signal, onProgress: () => undefined, onScans: () => undefined },
      );
      return this.keepTables(file);
    });
  }

  /** Takes the tables out of the folder of the process, which the next file uses. */
  private async keepTables(file: ParsedFile): Promise<ParsedFile> {
    if (file.tablesFailure !== undefined)
      this.options.logger?.warn({ err: file.tablesFailure }, 'the tables of a document could not be stored');
    if (file.tables === null) return file;
    this.tables += 1;
    const path = join(this.options.scratchDirectory, `tables-${this.tables}.sqlite`);
    await rename(file.tables, path);
    return { ...file, tables: path };
  }

  /** Ends all processes, waits for that, and deletes the scratch directory. Running calls are rejected. */
  async close(): Promise<void> {
    this.closing.abort(new Error('the parser sandbox is closed'));
    for (const { timer } of this.idle.splice(0)) clearTimeout(timer);
    await Promise.all([...this.alive].map((process) => this.discard(process)));
    await rm(this.options.scratchDirectory, { recursive: true, force: true });
  }

  private async prepare(): Promise<void> {
    // A worker that was killed leaves files behind.
    await rm(this.options.scratchDirectory, { recursive: true, force: true });
    await mkdir(this.options.scratchDirectory, { recursive: true, mode: 0o700 });
    const { languageFolder } = this.options;
    // A process can read only folders that exist when it starts. Containers have a read-only file system.
    if (languageFolder !== undefined) await mkdir(languageFolder, { recursive: true }).catch(() => undefined);
    this.isolation = await networkIsolation();
    if (this.isolation.length === 0) {
      this.options.logger?.warn(
        {},
        'parsers run with network access: this system does not allow network namespaces',
      );
    }
  }

  private async takeProcess(): Promise<ParserProcess> {
    for (let last = this.idle.pop(); last !== undefined; last = this.idle.pop()) {
      clearTimeout(last.timer);
      if (last.process.filesLeft(this.filesPerProcess) > 0) {
        await this.prepareSuccessor(last.process);
        return last.process;
      }
      await this.discard(last.process);
    }
    return this.startProcess();
  }

  /**
   * Starts the successor of a process before its last file, because starting takes as long as many small
   * files. The successor goes to the bottom of the idle stack, so that it is used last.
   */
  private async prepareSuccessor(process: ParserProcess): Promise<void> {
    const lead = Math.min(SUCCESSOR_LEAD_FILES, this.filesPerProcess - 1);
    if (process.filesLeft(this.filesPerProcess) !== lead) return;
    this.keepIdle(await this.startProcess(), 'bottom');
  }

  private async startProcess(): Promise<ParserProcess> {
    this.started += 1;
    const scratchDirectory = join(this.options.scratchDirectory, String(this.started));
    await mkdir(scratchDirectory, { mode: 0o700 });
    const process = new ParserProcess({
      ...this.options,
      scratchDirectory,
      script: this.options.childScript ?? CHILD_SCRIPT,
      isolation: this.isolation,
    });
    this.alive.add(process);
    return process;
  }

  private async releaseProcess(
    process: ParserProcess,
    { hasFiles }: Pick<TakenProcess, 'hasFiles'>,
  ): Promise<void> {
    if (this.closing.signal.aborted || process.filesLeft(this.filesPerProcess) === 0) {
      await this.discard(process);
      return;
    }
    if (hasFiles) await emptyFolder(process.scratchDirectory);
    this.keepIdle(process);
  }

  private keepIdle(process: ParserProcess, position: 'top' | 'bottom' = 'top'): void {
    if (this.closing.signal.aborted) {
      void this.discard(process);
      return;
    }
    const timer = setTimeout(() => {
      this.idle.splice(
        this.idle.findIndex((entry) => entry.process === process),
        1,
      );
      void this.discard(process);
    }, this.options.idleTimeoutMs ?? DEFAULT_IDLE_TIMEOUT_MS);
    if (position === 'top') this.idle.push({ process, timer });
    else this.idle.unshift({ process, timer });
  }

  private async discard(process: ParserProcess): Promise<void> {
    await process.end();
    this.alive.delete(process);
    await rm(process.scratchDirectory, { recursive: true, force: true }).catch((error: unknown) => {
      this.options.logger?.warn(
        { err: error, path: process.scratchDirectory },
        'scratch folder was not removed',
      );
    });
  }
}
