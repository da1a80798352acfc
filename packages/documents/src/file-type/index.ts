export {
  FILE_EXTENSIONS,
  FILE_TYPES,
  extensionOf,
  isFileType,
  isPicture,
  isTextual,
  type FileType,
} from './file-type.js';
export { isArchive } from './detect-file-type.js';
export { refusalOf } from './file-refusal.js';
export { detectFileType } from './detect-file-type.js';
export type { ByteSource } from '../archive/zip-directory.js';
