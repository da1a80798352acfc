/** The file types that can be uploaded: the eight of the API specification, then further ones. */
export const FILE_TYPES = [
  'text/csv',
  'text/plain',
  'text/markdown',
  'application/pdf',
  'application/json',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  'text/html',
  'application/epub+zip',
  'application/rtf',
  'application/vnd.oasis.opendocument.text',
  'application/vnd.oasis.opendocument.spreadsheet',
  'application/vnd.oasis.opendocument.presentation',
  'message/rfc822',
  'image/png',
  'image/jpeg',
  'image/tiff',
  'image/webp',
  'image/gif',
] as const;

export type FileType = (typeof FILE_TYPES)[number];

export const PPTX = 'application/vnd.openxmlformats-officedocument.presentationml.presentation';
export const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
export const EPUB = 'application/epub+zip';
export const RTF = 'application/rtf';
export const ODT = 'application/vnd.oasis.opendocument.text';
export const ODS = 'application/vnd.oasis.opendocument.spreadsheet';
export const ODP = 'application/vnd.oasis.opendocument.presentation';
export const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

const TYPES_BY_EXTENSION: Readonly<Record<string, FileType>> = {
  csv: 'text/csv',
  tsv: 'text/csv',
  tab: 'text/csv',
  txt: 'text/plain',
  text: 'text/plain',
  log: 'text/plain',
  md: 'text/markdown',
  markdown: 'text/markdown',
  mdown: 'text/markdown',
  mkd: 'text/markdown',
  pdf: 'application/pdf',
  json: 'application/json',
  jsonl: 'application/json',
  ndjson: 'application/json',
  pptx: PPTX,
  pptm: PPTX,
  ppsx: PPTX,
  ppsm: PPTX,
  potx: PPTX,
  potm: PPTX,
  docx: DOCX,
  docm: DOCX,
  dotx: DOCX,
  dotm: DOCX,
  xlsx: XLSX,
  xlsm: XLSX,
  xltx: XLSX,
  xltm: XLSX,
  html: 'text/html',
  htm: 'text/html',
  rtf: RTF,
  odt: ODT,
  ott: ODT,
  ods: ODS,
  ots: ODS,
  odp: ODP,
  otp: ODP,
  eml: 'message/rfc822',
  emlx: 'message/rfc822',
  mbox: 'message/rfc822',
  mhtml: 'message/rfc822',
  mht: 'message/rfc822',
  epub: EPUB,
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  tif: 'image/tiff',
  tiff: 'image/tiff',
  webp: 'image/webp',
  gif: 'image/gif',
};

/** The file name extensions of all file types. */
export const FILE_EXTENSIONS = Object.keys(TYPES_BY_EXTENSION);

/** Other MIME types that clients send for the same formats. */
const TYPE_ALIASES: Readonly<Record<string, FileType>> = {
  'text/x-csv': 'text/csv',
  'application/csv': 'text/csv',
  'text/tab-separated-values': 'text/csv',
  'text/x-markdown': 'text/markdown',
  'text/json': 'application/json',
  'application/x-ndjson': 'application/json',
  'application/ndjson': 'application/json',
  'application/jsonl': 'application/json',
  'application/x-pdf': 'application/pdf',
  'application/x-rtf': RTF,
  'text/richtext': RTF,
  'text/rtf': RTF,
  'application/xhtml+xml': 'text/html',
  'multipart/related': 'message/rfc822',
  'application/x-mimearchive': 'message/rfc822',
  'image/apng': 'image/png',
  'image/jpg': 'image/jpeg',
  'image/pjpeg': 'image/jpeg',
};

export function isFileType(type: string): type is FileType {
  return FILE_TYPES.some((known) => known === type);
}

/** The extension in lower case, without the dot; `''` when the name has none. */
export function extensionOf(fileName: string): string {
  const name = fileName.slice(Math.max(fileName.lastIndexOf('/'), fileName.lastIndexOf('\\')) + 1);
  const dot = name.lastIndexOf('.');
  return dot <= 0
    ? ''
    : name
        .slice(dot + 1)
        .trim()
        .toLowerCase();
}

export function typeOfExtension(extension: string): FileType | null {
  return Object.hasOwn(TYPES_BY_EXTENSION, extension) ? (TYPES_BY_EXTENSION[extension] ?? null) : null;
}

/** @returns null for generic types (`application/octet-stream`) and unsupported types */
export function typeOfMimeType(mimeType: string | undefined): FileType | null {
  const essence = (mimeType ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (isFileType(essence)) return essence;
  return Object.hasOwn(TYPE_ALIASES, essence) ? (TYPE_ALIASES[essence] ?? null) : null;
}

/** Whether the format is a part of Office Open XML. */
export function isOfficeType(type: FileType): boolean {
  return type === DOCX || type === PPTX || type === XLSX;
}

export function isZipType(type: FileType): boolean {
  return isOfficeType(type) || isOpenDocument(type) || type === EPUB;
}

export function isOpenDocument(type: string): type is FileType {
  return type === ODT || type === ODS || type === ODP;
}

/** Whether all text of the file is that of text recognition. */
export function isPicture(type: FileType): boolean {
  return type.startsWith('image/');
}

/** Whether files of this type consist of text only. */
export function isTextual(type: FileType): boolean {
  return type.startsWith('text/') || type === 'application/json' || type === 'message/rfc822';
}
