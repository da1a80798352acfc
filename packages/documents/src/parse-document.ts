import type { Document } from './document/document.js';
import { DocumentBuilder } from './document/document-builder.js';
import { DocumentError } from './document/document-error.js';
import type { Progress } from './document-parser.js';
import { loadParser, type ParsableType } from './formats.js';

export interface ParseOptions {
  readonly fileType: ParsableType;
  /** The character set that the transport declared, if any. */
  readonly declaredEncoding?: string;
  /** UTF-16 units of text above which the file is `TOO_COMPLEX`. Default 50,000,000. */
  readonly maxCharacters?: number;
  readonly onProgress?: (progress: Progress) => void;
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
  const { fileType, declaredEncoding, maxCharacters, onProgress = () => undefined } = options;
  if (bytes.byteLength === 0) throw new DocumentError('EMPTY_DOCUMENT', 'the file has no bytes');
  const parser = await loadParser(fileType);
  const builder = new DocumentBuilder(maxCharacters === undefined ? {} : { maxCharacters });
  try {
    const declared = declaredEncoding === undefined ? {} : { declaredEncoding };
    await parser.parse({ bytes, onProgress, ...declared }, builder);
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
