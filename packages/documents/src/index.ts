export {
  type Block,
  type Document,
  type DocumentContent,
  type DocumentWarning,
  type LeftOut,
  type TableCells,
  titleLine,
  warningOf,
} from './document/document.js';
export { DocumentBuilder } from './document/document-builder.js';
export {
  decodeDocument,
  encodeDocument,
  type EncodedDocument,
  hashEncoded,
} from './document/document-codec.js';
export { encodePageWords } from './document/page-words.codec.js';
export { DocumentError, isDocumentErrorCode } from './document/document-error.js';
export type { DocumentParser, ParserInput, Progress } from './document-parser.js';
export { guardFileSize, parseDocument } from './parse-document.js';
export { decodeText } from './text-decoding/decode-text.js';
export { type Chunk, chunkDocument, embeddedText, isListing } from './chunks/chunk-document.js';
export { windowsOf } from './chunks/chunk-windows.js';
export { countTokens } from './chunks/count-tokens.js';
export { type ArchiveFile, selectArchiveFiles, type SkippedFile } from './archive/archive-files.js';
export {
  ExportArchive,
  type ExportContents,
  type ExportDocument,
  type PlacedFile,
} from './exports/export-archive.js';
export { openExport } from './exports/open-export.js';
export { inflateZipEntry, readZipEntries } from './archive/zip-entries.js';
