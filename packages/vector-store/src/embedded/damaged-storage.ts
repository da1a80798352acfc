import { renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { STORAGE_FILE } from './storage.schema.js';

/** Name of the file that was set aside last. It is kept to find the cause of the damage, and can be deleted. */
export const DAMAGED_FILE = 'vectors.damaged.sqlite';
const SUFFIXES = ['', '-wal', '-shm'];

/** Renames a damaged database, so that a new one is created. Replaces the one that was set aside before. */
export function setStorageAside(directory: string): void {
  for (const suffix of SUFFIXES) {
    const [source, target] = [join(directory, STORAGE_FILE + suffix), join(directory, DAMAGED_FILE + suffix)];
    if (statSync(source, { throwIfNoEntry: false }) === undefined) continue;
    rmSync(target, { recursive: true, force: true });
    renameSync(source, target);
  }
}

/** Identifies the file of the database; null if there is none. Another file has another identity. */
export function storageIdentity(directory: string): string | null {
  const info = statSync(join(directory, STORAGE_FILE), { throwIfNoEntry: false, bigint: true });
  return info === undefined ? null : `${info.dev}:${info.ino}`;
}
