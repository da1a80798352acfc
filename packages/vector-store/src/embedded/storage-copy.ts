import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { openStorage, STORAGE_FILE } from './storage.schema.js';

/**
 * Writes the data of the embedded vector store at one moment to a new file. Other processes may use the data meanwhile.
 *
 * @param directory of the vector store
 */
export function copyEmbeddedVectors(directory: string, file: string): void {
  const database = openStorage(directory);
  try {
    database.prepare('VACUUM INTO ?').run(file);
  } finally {
    database.close();
  }
}

/** Writes a copy into a directory in which there is no vector store yet. */
export async function restoreEmbeddedVectors(
  directory: string,
  copy: AsyncIterable<Uint8Array>,
): Promise<void> {
  await mkdir(directory, { recursive: true });
  await pipeline(copy, createWriteStream(join(directory, STORAGE_FILE), { flags: 'wx', flush: true }));
}
