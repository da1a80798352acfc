import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DocumentError, type Progress } from '@citewell/documents';
import type { ParserProcess } from './parser-process.js';
import { encodeRecognized, type ParsedFile, type ParseRequest } from './parse-protocol.js';

/** The part of `TextRecognition` that the sandbox uses. */
export interface PageRecognition {
  isAvailable(): Promise<boolean>;
  recognize(
    path: string,
    pages: readonly number[],
    call: { readonly signal: AbortSignal; readonly onProgress: (done: number) => void },
  ): Promise<ReadonlyMap<number, string>>;
}

const RECOGNIZED_NAME = 'recognized.json';

/**
 * Parses a file. If some pages are images of text and recognition is available, recognizes them and parses
 * the file once more with their text. The second parse applies the parser's limits to the recognized text.
 * Its time does not matter: recognition takes seconds per page.
 *
 * @throws DocumentError and the signal's reason, as {@link ParserProcess.parse}
 */
export async function readWithRecognition(
  process: ParserProcess,
  request: Omit<ParseRequest, 'maxCharacters' | 'recognizedPath'>,
  call: { readonly signal: AbortSignal; readonly onProgress: (progress: Progress) => void },
  recognition: PageRecognition | undefined,
): Promise<ParsedFile> {
  const { signal, onProgress } = call;
  let scans: readonly number[] = [];
  let total = 0;
  const firstOutcome = await process
    .parse(request, {
      signal,
      onProgress: (progress) => {
        total = progress.total;
        onProgress(progress);
      },
      onScans: (pages) => (scans = pages),
    })
    .catch(catchOcrRequired);
  const { source } = request;
  if (
    scans.length === 0 ||
    typeof source !== 'string' ||
    recognition === undefined ||
    !(await recognition.isAvailable())
  ) {
    return unwrap(firstOutcome);
  }
  const textPages = Math.max(0, total - scans.length);
  const recognized = await recognition.recognize(source, scans, {
    signal,
    onProgress: (done) => onProgress({ done: textPages + done, total: textPages + scans.length }),
  });
  if (recognized.size === 0) {
    if (!(firstOutcome instanceof DocumentError)) return firstOutcome;
    throw new DocumentError('OCR_REQUIRED', 'recognition failed on every page', {
      cause: firstOutcome,
      userMessage:
        'The pages of the file are images of text, and text recognition failed on them. Process the file with ' +
        'other text recognition (OCR) software and upload the result.',
    });
  }
  const recognizedPath = join(process.scratchDirectory, RECOGNIZED_NAME);
  await writeFile(recognizedPath, encodeRecognized(recognized), { mode: 0o600 });
  return process.parse(
    { ...request, recognizedPath },
    { signal, onProgress: () => undefined, onScans: () => undefined },
  );
}

/** @returns the error when it is OCR_REQUIRED; rethrows any other */
function catchOcrRequired(error: unknown): DocumentError {
  if (error instanceof DocumentError && error.code === 'OCR_REQUIRED') return error;
  throw error;
}

function unwrap(outcome: ParsedFile | DocumentError): ParsedFile {
  if (outcome instanceof DocumentError) throw outcome;
  return outcome;
}
