import type { Document } from './document/document.js';
import { DocumentBuilder } from './document/document-builder.js';
import { DocumentError } from './document/document-error.js';
import type { ParserInput, Progress } from './document-parser.js';
import { loadParser, type ParsableType } from './formats.js';

export interface ParseOptions {
  readonly fileType: ParsableType;
  /** The character set that the transport declared, if any. */
  readonly declaredEncoding?: string;
  /** UTF-16 units of text above which the file is `TOO_COMPLEX`. Default 50,000,000. */
  readonly maxCharacters?: number;
  /** What text recognition read, and who is told where it is needed: see {@link ParserInput}. */
  readonly recognized?: ReadonlyMap<number, string>;
  readonly onScans?: (pages: readonly number[]) => void;
  readonly onProgress?: (progress: Progress) => void;
}

/** UTF-8 takes three for a Chinese character; other encodings take less. */
const MAX_BYTES_PER_CHARACTER = 3;
/** Mark-up, quotes and indentation are no text: smaller files are read whatever the limit is. */
const ALWAYS_READ_BYTES = 64 * 1024 * 1024;

/**
 * Refuses a file of text by its size alone when it has more characters than are wanted: it need not be in memory for
 * that. Of other formats the size says nothing.
 *
 * @throws DocumentError TOO_COMPLEX
 */
export function guardFileSize(bytes: number, fileType: ParsableType, maxCharacters: number): void {
  const isText = fileType.startsWith('text/') || fileType === 'application/json';
  const maxBytes = Math.max(ALWAYS_READ_BYTES, maxCharacters * MAX_BYTES_PER_CHARACTER);
  if (!isText || bytes <= maxBytes) return;
  const megabytes = Math.round(maxBytes / 1e6).toLocaleString('en');
  throw new DocumentError('TOO_COMPLEX', `${bytes} bytes of text`, {
    userMessage: `It is larger than ${megabytes} MB, the limit of this installation for files of text. Split it and upload the parts.`,
  });
}

/**
 * Reads a file. It runs to its end or fails: time and memory are bounded from outside, by the process around it.
 *
 * @param bytes the whole file; handed over, not to be used afterwards
 * @throws DocumentError
 */
export async function parseDocument(
  bytes: Uint8Array<ArrayBuffer>,
  options: ParseOptions,
): Promise<Document> {
  const { fileType, declaredEncoding, recognized, onScans, maxCharacters } = options;
  if (bytes.byteLength === 0) throw new DocumentError('EMPTY_DOCUMENT', 'the file has no bytes');
  const parser = await loadParser(fileType);
  const builder = new DocumentBuilder(maxCharacters === undefined ? {} : { maxCharacters });
  try {
    const input: ParserInput = {
      bytes,
      onProgress: options.onProgress ?? (() => undefined),
      ...(declaredEncoding === undefined ? {} : { declaredEncoding }),
      ...(recognized === undefined ? {} : { recognized }),
      ...(onScans === undefined ? {} : { onScans }),
    };
    await parser.parse(input, builder);
    return builder.build();
  } catch (error) {
    if (error instanceof DocumentError) throw error;
    // The two ways in which V8 says that the input is too much: call stack and string length.
    const code = error instanceof RangeError ? 'TOO_COMPLEX' : 'CORRUPT_FILE';
    throw new DocumentError(code, `${fileType}: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
}
