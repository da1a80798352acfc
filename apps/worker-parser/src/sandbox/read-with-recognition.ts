import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DocumentError, type Progress } from '@citewell/documents';
import type { ParserProcess } from './parser-process.js';
import { encodeRecognized, type ParsedFile, type ParseRequest } from './parse-protocol.js';

/** What {@link TextRecognition} does, for pages that are pictures of text. */
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
 * Parses a file; if some of its pages are pictures of text and recognition is there, has them recognised and parses it
 * once more with what was read. Recognition takes seconds a page, so reading the others twice does not show, and what
 * comes out of recognition goes through the parser's limits like everything that came out of the file.
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
  const first = await process
    .parse(request, {
      signal,
      onProgress: (progress) => {
        total = progress.total;
        onProgress(progress);
      },
      onScans: (pages) => (scans = pages),
    })
    .catch(onlyWithoutText);
  if (scans.length === 0 || recognition === undefined || !(await recognition.isAvailable())) {
    return fileOf(first);
  }
  const withText = Math.max(0, total - scans.length);
  const recognized = await recognition.recognize(request.path, scans, {
    signal,
    onProgress: (done) => onProgress({ done: withText + done, total: withText + scans.length }),
  });
  if (recognized.size === 0) {
    if (!(first instanceof DocumentError)) return first;
    throw new DocumentError('OCR_REQUIRED', 'recognition failed on every page', {
      cause: first,
      userMessage:
        'The file holds pictures of text, and text recognition failed on them here. Run it through another text ' +
        'recognition (OCR) and upload the result.',
    });
  }
  const recognizedPath = join(process.scratchDirectory, RECOGNIZED_NAME);
  await writeFile(recognizedPath, encodeRecognized(recognized), { mode: 0o600 });
  return process.parse(
    { ...request, recognizedPath },
    { signal, onProgress: () => undefined, onScans: () => undefined },
  );
}

function onlyWithoutText(error: unknown): DocumentError {
  if (error instanceof DocumentError && error.code === 'OCR_REQUIRED') return error;
  throw error;
}

function fileOf(outcome: ParsedFile | DocumentError): ParsedFile {
  if (outcome instanceof DocumentError) throw outcome;
  return outcome;
}
