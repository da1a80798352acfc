/** What helps with a file that was refused. */
export const FILE_ADVICE = [
  'SAVE_AS_DOCX',
  'SAVE_AS_XLSX',
  'SAVE_AS_PPTX',
  'EXPORT_AS_PDF',
  'EXPORT_AS_CSV',
  'SAVE_AS_EML',
  'CONVERT_TO_EPUB',
  'SAVE_AS_PICTURE',
  'TRANSCRIBE',
  'UNPACK',
  'REMOVE_PASSWORD',
  'ALLOW_EXTENSION',
  'GET_AGAIN',
  'ONLY_DOCUMENTS',
  'SAVE_AS_TEXT',
] as const;
export type FileAdvice = (typeof FILE_ADVICE)[number];

interface FileKindEntry {
  /** For a kind that cannot be read. */
  readonly advice?: FileAdvice;
  /** For a kind that can be read: its usual extension. */
  readonly extension?: string;
}

/** What a file can turn out to be: more kinds than those that can be read, so that a refusal can name them. */
export const FILE_KINDS = {
  PDF: { extension: 'pdf' },
  DOCX: { extension: 'docx' },
  PPTX: { extension: 'pptx' },
  XLSX: { extension: 'xlsx' },
  EPUB: { extension: 'epub' },
  ODT: { extension: 'odt' },
  ODS: { extension: 'ods' },
  ODP: { extension: 'odp' },
  RTF: { extension: 'rtf' },
  HTML: { extension: 'html' },
  JSON: { extension: 'json' },
  EMAIL: { extension: 'eml' },
  TEXT: { extension: 'txt' },
  PICTURE: { extension: 'png' },
  ZIP: { extension: 'zip' },
  OLD_WORD: { advice: 'SAVE_AS_DOCX' },
  OLD_EXCEL: { advice: 'SAVE_AS_XLSX' },
  OLD_POWERPOINT: { advice: 'SAVE_AS_PPTX' },
  OLD_OFFICE: { advice: 'EXPORT_AS_PDF' },
  OPEN_SPREADSHEET: { advice: 'SAVE_AS_XLSX' },
  OPEN_PRESENTATION: { advice: 'SAVE_AS_PPTX' },
  PAGES: { advice: 'SAVE_AS_DOCX' },
  NUMBERS: { advice: 'SAVE_AS_XLSX' },
  KEYNOTE: { advice: 'SAVE_AS_PPTX' },
  WORD_PROCESSOR: { advice: 'SAVE_AS_DOCX' },
  OUTLOOK: { advice: 'SAVE_AS_EML' },
  NOTEBOOK: { advice: 'EXPORT_AS_PDF' },
  DRAWING: { advice: 'EXPORT_AS_PDF' },
  PRINT_FILE: { advice: 'EXPORT_AS_PDF' },
  EBOOK: { advice: 'CONVERT_TO_EPUB' },
  IMAGE: { advice: 'SAVE_AS_PICTURE' },
  AUDIO: { advice: 'TRANSCRIBE' },
  VIDEO: { advice: 'TRANSCRIBE' },
  ARCHIVE: { advice: 'UNPACK' },
  DATABASE: { advice: 'EXPORT_AS_CSV' },
  PROGRAM: { advice: 'ONLY_DOCUMENTS' },
  FONT: { advice: 'ONLY_DOCUMENTS' },
  XML: { advice: 'ALLOW_EXTENSION' },
  ENCRYPTED: { advice: 'REMOVE_PASSWORD' },
  INCOMPLETE: { advice: 'GET_AGAIN' },
  BINARY: { advice: 'SAVE_AS_TEXT' },
} as const satisfies Record<string, FileKindEntry>;
export type FileKind = keyof typeof FILE_KINDS;

export function isFileKind(kind: string | undefined): kind is FileKind {
  return kind !== undefined && Object.hasOwn(FILE_KINDS, kind);
}

/**
 * Why a file was refused.
 *
 * - `EMPTY_FILE`: it has no bytes.
 * - `UNREADABLE_FILE`: its kind cannot be read.
 * - `MISNAMED_FILE`: its content is of another kind than its extension says.
 * - `MISDECLARED_FILE`: its content is of another kind than its declared MIME type says.
 */
export type FileRefusal =
  | { readonly reason: 'EMPTY_FILE' }
  | { readonly reason: 'UNREADABLE_FILE'; readonly kind: FileKind }
  | { readonly reason: 'MISNAMED_FILE'; readonly kind: FileKind; readonly extension: string }
  | { readonly reason: 'MISDECLARED_FILE'; readonly kind: FileKind; readonly type: string };

const UNITS = ['bytes', 'KB', 'MB', 'GB', 'TB'];

/** A size for people, such as `100 MB`. 1 MB is 1,048,576 bytes. Sizes below 10 of a unit have one decimal place. */
export function formatBytes(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(Math.floor(Math.log2(bytes) / 10), UNITS.length - 1);
  const size = bytes / 1024 ** power;
  const digits = { maximumFractionDigits: power > 0 && size < 10 ? 1 : 0 };
  return `${size.toLocaleString('en', digits)} ${UNITS[power]}`;
}
