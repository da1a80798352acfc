import { openAsBlob } from 'node:fs';
import { basename } from 'node:path';
import type { FileToUpload } from './content/file-upload.js';

/**
 * Opens a file for `datasources.upload`, in Node, Bun and Deno. Its bytes are read while they are sent.
 *
 * @throws an error of the file system if the file cannot be opened
 */
export async function fileFromPath(path: string): Promise<FileToUpload & { file: Blob; fileName: string }> {
  return { file: await openAsBlob(path), fileName: basename(path) };
}
