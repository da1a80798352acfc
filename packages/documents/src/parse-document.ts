import { formatBytes } from '@citewell/contracts/errors';
import type { Document } from './document/document.js';
import { DocumentBuilder } from './document/document-builder.js';
import { DocumentError } from './document/document-error.js';
import type { DocumentParser, ParserInput } from './document-parser.js';
import type { FileType } from './file-type/file-type.js';
import { EmbeddedPictures } from './picture/embedded-pictures.js';

export interface ParseOptions extends Omit<ParserInput, 'bytes' | 'container' | 'parserOf' | 'onProgress'> {
  readonly fileType: FileType;
  /** A file with more UTF-16 code units of text is `TOO_COMPLEX`. Default 50,000,000. */
  readonly maxCharacters?: number;
  readonly onProgress?: ParserInput['onProgress'];
}

/** UTF-8 uses three bytes for a CJK character; other encodings use fewer. */
const MAX_BYTES_PER_CHARACTER = 3;
/** Files up to this size are always read, because mark-up, quotes and indentation do not count as text. */
const ALWAYS_READ_BYTES = 64 * 1024 * 1024;

/**
 * Rejects a text or JSON file whose size alone shows that it exceeds the character limit, so that the file
 * need not be loaded into memory. Other formats pass: their size does not tell how much text they have.
 *
 * @throws DocumentError TOO_COMPLEX
 */
export function guardFileSize(bytes: number, fileType: FileType, maxCharacters: number): void {
  const isText = fileType.startsWith('text/') || fileType === 'application/json';
  const maxBytes = Math.max(ALWAYS_READ_BYTES, maxCharacters * MAX_BYTES_PER_CHARACTER);
  if (!isText || bytes <= maxBytes) return;
  throw new DocumentError('TOO_COMPLEX', `${bytes} bytes of text`, {
    userMessage: `It is larger than ${formatBytes(maxBytes)}, the limit of this installation for files of text. Split it and upload the parts.`,
  });
}

/**
 * Parses a file. Time and memory are not limited here: the caller runs this in a process with limits.
 *
 * @param bytes the whole file; the caller must not use the buffer afterwards
 * @throws DocumentError
 */
export async function parseDocument(
  bytes: Uint8Array<ArrayBuffer>,
  options: ParseOptions,
): Promise<Document> {
  const { fileType, maxCharacters, onProgress = () => undefined, ...hints } = options;
  if (bytes.byteLength === 0) throw new DocumentError('EMPTY_DOCUMENT', 'the file has no bytes');
  const parser = await loadParser(fileType);
  const pictures = await picturesOf(options);
  const builder = new DocumentBuilder({
    pictures,
    ...(maxCharacters === undefined ? {} : { maxCharacters }),
  });
  try {
    await parser.parse({ ...hints, bytes, parserOf: loadParser, onProgress }, builder);
    for (const [number, file] of pictures?.pending ?? []) options.onPicture?.(number, file);
    if (builder.isEmpty && pictures !== undefined && pictures.pending.size > 0)
      throw new DocumentError('OCR_REQUIRED', 'all text is in pictures');
    pictures?.finish(builder);
    return builder.build();
  } catch (error) {
    if (error instanceof DocumentError) throw error;
    // V8 throws RangeError when the call stack or the maximum string length is exceeded.
    const code = error instanceof RangeError ? 'TOO_COMPLEX' : 'CORRUPT_FILE';
    throw new DocumentError(code, `${fileType}: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
}

/** The reader of the pictures in a document, if it can have any and somebody recognizes them. */
async function picturesOf({
  fileType,
  recognized,
  onPicture,
}: ParseOptions): Promise<EmbeddedPictures | undefined> {
  const hasPages = fileType === 'application/pdf' || fileType.startsWith('image/');
  if (hasPages || onPicture === undefined) return undefined;
  if (recognized === undefined) return new EmbeddedPictures(undefined);
  const { recognizedPicture } = await import('./picture/recognized-picture.js');
  return new EmbeddedPictures(
    new Map(Array.from(recognized, ([number, table]) => [number, recognizedPicture(table)])),
  );
}

async function pictureParser(): Promise<DocumentParser> {
  return (await import('./picture/picture.parser.js')).pictureParser;
}

/** Parsers by MIME type, loaded on first use so that a text file does not pay for loading the PDF engine. */
const FORMATS: Readonly<Record<FileType, () => Promise<DocumentParser>>> = {
  'application/epub+zip': async () => (await import('./epub/epub.parser.js')).epubParser,
  'application/json': async () => (await import('./json/json.parser.js')).jsonParser,
  'application/pdf': async () => (await import('./pdf/pdf.parser.js')).pdfParser,
  'application/rtf': async () => (await import('./rtf/rtf.parser.js')).rtfParser,
  'application/vnd.oasis.opendocument.text': async () => (await import('./odt/odt.parser.js')).odtParser,
  'application/vnd.oasis.opendocument.spreadsheet': async () =>
    (await import('./ods/ods.parser.js')).odsParser,
  'application/vnd.oasis.opendocument.presentation': async () =>
    (await import('./odp/odp.parser.js')).odpParser,
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': async () =>
    (await import('./pptx/pptx.parser.js')).pptxParser,
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': async () =>
    (await import('./xlsx/xlsx.parser.js')).xlsxParser,
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': async () =>
    (await import('./docx/docx.parser.js')).docxParser,
  'image/gif': pictureParser,
  'image/jpeg': pictureParser,
  'image/png': pictureParser,
  'image/tiff': pictureParser,
  'image/webp': pictureParser,
  'message/rfc822': async () => (await import('./eml/eml.parser.js')).emlParser,
  'text/csv': async () => (await import('./csv/csv.parser.js')).csvParser,
  'text/html': async () => (await import('./html/html.parser.js')).htmlParser,
  'text/markdown': async () => (await import('./markdown/markdown.parser.js')).markdownParser,
  'text/plain': async () => (await import('./plain-text/plain-text.parser.js')).plainTextParser,
};

function loadParser(type: FileType): Promise<DocumentParser> {
  return FORMATS[type]();
}
