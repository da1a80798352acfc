export { titleLine } from './document/title-line.js';
export {
  BLOCK_KINDS,
  type Block,
  type BlockKind,
  type Document,
  type DocumentContent,
  type DocumentWarning,
  type LeftOut,
  type MetadataValue,
} from './document/document.js';
export {
  DocumentBuilder,
  type DocumentBuilderOptions,
  type TableWriter,
} from './document/document-builder.js';
export {
  decodeDocument,
  encodeDocument,
  type EncodedDocument,
  hashEncoded,
} from './document/document-codec.js';
export { warningOf } from './document/warning-of.js';
export { DocumentError, isDocumentErrorCode, type DocumentErrorCode } from './document/document-error.js';
export type { DocumentParser, ParserInput, Progress } from './document-parser.js';
export { guardFileSize, parseDocument, type ParseOptions } from './parse-document.js';
export { decodeText, type DecodedText } from './text-decoding/decode-text.js';
export { chunkDocument, embeddedText, type Chunk, type ChunkOptions } from './chunks/chunk-document.js';
export { windowsOf } from './chunks/chunk-windows.js';
export { isListing } from './chunks/is-listing.js';
export { countTokens, type CountTokens } from './chunks/count-tokens.js';
export {
  type ArchiveFile,
  type ArchiveLimits,
  selectArchiveFiles,
  type SkippedFile,
} from './archive/archive-files.js';
export { inflateZipEntry, readZipEntries } from './archive/zip-entries.js';
