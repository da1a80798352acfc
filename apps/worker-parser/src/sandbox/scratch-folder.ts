import { createWriteStream } from 'node:fs';
import { constants, copyFile, link, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

const INPUT_NAME = 'input';

/**
 * @param scratchDirectory folder of the process
 * @returns the source of the request: the bytes, or the path of a copy that the process can read
 */
export async function placeInput(
  source: Readable | Uint8Array | string,
  scratchDirectory: string,
  signal: AbortSignal,
): Promise<Uint8Array | string> {
  if (source instanceof Uint8Array) return source;
  const path = join(scratchDirectory, INPUT_NAME);
  // Clones blocks on file systems that support it.
  if (typeof source === 'string') await copyFile(source, path, constants.COPYFILE_FICLONE);
  else await pipeline(source, createWriteStream(path, { mode: 0o600 }), { signal });
  return path;
}

export async function emptyFolder(path: string): Promise<void> {
  for (const name of await readdir(path)) await rm(join(path, name), { force: true });
}

/** Makes a file of the sandbox readable for the process. */
export async function linkInput(source: string, scratchDirectory: string): Promise<string> {
  const path = join(scratchDirectory, INPUT_NAME);
  await link(source, path);
  return path;
}

/**
 * Keeps a file whose pages or pictures are recognized, and the pictures.
 *
 * @param placed the bytes, or the path in the folder of a process
 */
export async function keepScan(
  placed: Uint8Array | string,
  scan: string,
  pictures: ReadonlyMap<number, Uint8Array>,
): Promise<void> {
  if (typeof placed === 'string') await rename(placed, scan);
  else await writeFile(scan, placed, { mode: 0o600 });
  for (const [number, file] of pictures) await writeFile(pictureFile(scan, number), file, { mode: 0o600 });
}

export function pictureFile(scan: string, number: number): string {
  return `${scan}.${number}`;
}

/** Deletes a file and its pictures. */
export async function removeScan(scan: string): Promise<void> {
  for (const name of await readdir(dirname(scan)))
    if (`${name}.`.startsWith(`${basename(scan)}.`)) await rm(join(dirname(scan), name), { force: true });
}
