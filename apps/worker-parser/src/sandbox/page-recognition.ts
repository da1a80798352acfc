import { readFile } from 'node:fs/promises';
import { DocumentError } from '@citewell/documents';
import { type FileType, isPicture } from '@citewell/documents/file-type';
import { type LanguageFiles, noteOf, withNote } from '@citewell/documents/recognition';

/** Tesseract's tab-separated values of pages, by page number. */
export interface PageStore {
  load(): Promise<ReadonlyMap<number, string>>;
  /** Concurrent calls are for different pages. */
  save(page: number, table: string): Promise<void>;
}

/** Asks a model what the pictures of a file show. */
export interface PictureDescriber {
  /** Whether pictures are described. Called once, before the first one. */
  isOn(): Promise<boolean>;
  /**
   * @param file the picture as it is in the document
   * @param scaled makes a JPEG file of it for the model, null if it cannot be decoded
   * @returns null for a picture that was not described
   * @throws the reason of the signal
   */
  describe(
    file: Uint8Array,
    scaled: () => Promise<Uint8Array | null>,
    signal: AbortSignal,
  ): Promise<string | null>;
}

export interface RecognitionCall {
  /** Whether the file is a picture and not a PDF. */
  readonly isPicture: boolean;
  /** The files of the pictures, if these are in a document. They are recognized instead of pages. */
  readonly pictureOf?: (number: number) => string;
  readonly signal: AbortSignal;
  /** Called with the values of each page. */
  readonly onPage: (page: number, table: string) => Promise<void>;
  /** Recognizes a page in a parser process. @returns null when the page cannot be decoded */
  readonly inSandbox: (page: number, languages: LanguageFiles) => Promise<string | null>;
}

/** The part of `TextRecognition` that the sandbox uses. */
export interface PageRecognition {
  isAvailable(): Promise<boolean>;
  recognize(path: string, pages: readonly number[], call: RecognitionCall): Promise<void>;
}

/** Why no page of a file was recognized. */
export function recognitionError(cause: DocumentError, fileType: FileType): DocumentError {
  if (cause.code === 'PARSE_MEMORY' && isPicture(fileType))
    return new DocumentError('PARSE_MEMORY', cause.message, {
      cause,
      userMessage:
        'The picture has too many pixels: recognizing its text needed more memory than this installation allows. ' +
        'Scale it down to at most 8,000 pixels a side, and upload it again.',
    });
  if (cause.code !== 'OCR_REQUIRED' && cause.code !== 'PARSER_CRASHED') return cause;
  return new DocumentError('OCR_REQUIRED', 'recognition failed on every page', {
    cause,
    userMessage:
      'The pages of the file are images of text, and text recognition failed on them. Process the file with ' +
      'other text recognition (OCR) software and upload the result.',
  });
}

/** @returns the error when it is OCR_REQUIRED; rethrows any other */
export function catchOcrRequired(error: unknown): DocumentError {
  if (error instanceof DocumentError && error.code === 'OCR_REQUIRED') return error;
  throw error;
}

/** What a first parse leaves to recognition. */
export interface Scans {
  /** Pages, or pictures in the document. */
  readonly scans: readonly number[];
  readonly hasPictures: boolean;
  /** Number of pages of the file. */
  readonly total: number;
  /** Of parsing the file without recognition; null when some pages have text. */
  readonly failure: DocumentError | null;
}

/**
 * Adds to the tables of pictures what a model says about them, one after the other.
 *
 * @param call.scale makes a JPEG file of the picture at a path
 */
export async function describePictures(
  recognized: Map<number, string>,
  describer: PictureDescriber | undefined,
  call: {
    readonly isDescribable: boolean;
    readonly pathOf: (page: number) => string;
    readonly scale: (path: string) => Promise<Uint8Array | null>;
    readonly signal: AbortSignal;
  },
): Promise<void> {
  const { isDescribable, pathOf, scale, signal } = call;
  if (describer === undefined || !isDescribable || !(await describer.isOn())) return;
  for (const [page, table] of recognized) {
    const path = pathOf(page);
    const scaled = (): Promise<Uint8Array | null> =>
      scale(path).catch((error: unknown) => {
        // A picture that is too much for a parser process is not described.
        if (error instanceof DocumentError) return null;
        throw error;
      });
    const description = await describer.describe(await readFile(path), scaled, signal);
    if (description !== null) recognized.set(page, withNote(table, { ...noteOf(table), description }));
  }
}
