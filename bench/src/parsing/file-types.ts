import { extname } from 'node:path';
import { type FileType, isFileType } from '@citewell/documents/file-type';

const OFFICE = 'application/vnd.openxmlformats-officedocument';

const TYPES: Readonly<Record<string, string>> = {
  '.csv': 'text/csv',
  '.docx': `${OFFICE}.wordprocessingml.document`,
  '.htm': 'text/html',
  '.html': 'text/html',
  '.json': 'application/json',
  '.md': 'text/markdown',
  '.pdf': 'application/pdf',
  '.pptx': `${OFFICE}.presentationml.presentation`,
  '.txt': 'text/plain',
  '.xlsx': `${OFFICE}.spreadsheetml.sheet`,
};

/** The MIME type for the extension of a file name; undefined if no parser supports it. */
export function typeOfName(file: string): FileType | undefined {
  const type = TYPES[extname(file).toLowerCase()] ?? '';
  return isFileType(type) ? type : undefined;
}
