import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import {
  access,
  type FileHandle,
  mkdir,
  open,
  opendir,
  rename,
  rm,
  rmdir,
  stat,
  unlink,
} from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { assertBlobKey, assertBlobPrefix, assertSize, resolveRange } from './blob-check.js';
import type {
  BlobEntry,
  BlobSource,
  BlobStore,
  ByteRange,
  PutOptions,
  PutResult,
} from './blob-store.port.js';
import {
  BlobDamagedError,
  BlobNotFoundError,
  BlobStoreFullError,
  BlobStoreUnavailableError,
  InvalidBlobKeyError,
} from './blob-store.errors.js';
import { MeteredSource } from './metered-source.js';

const FULL_DISK_CODES = new Set(['ENOSPC', 'EDQUOT']);

const STORE_ERRORS = [
  BlobDamagedError,
  BlobNotFoundError,
  BlobStoreFullError,
  BlobStoreUnavailableError,
  InvalidBlobKeyError,
];

const UNAVAILABLE_REASONS: Readonly<Record<string, string>> = {
  EACCES: 'may not be written',
  EPERM: 'may not be written',
  EROFS: 'may not be written',
  ENOTDIR: 'has no folder',
  EEXIST: 'has no folder',
  EIO: 'has a broken disk',
};

/** Retries of a write whose directory is removed concurrently by a deletion that found it empty. */
const MAX_PUBLISH_RETRIES = 20;
/** Enough to keep a disk busy without occupying the whole thread pool. */
const CONCURRENT_DELETES = 8;

/**
 * Stores blobs as files of one directory.
 *
 * `<root>/blobs/<key>` holds complete blobs, `<root>/unfinished/<uuid>` those being written. A write creates
 * the file, syncs it, renames it and syncs the directory. After a crash there is a complete blob, or only an
 * unfinished file. Both subdirectories must be on the same file system.
 */
export class DirectoryBlobStore implements BlobStore {
  private readonly blobs: string;
  private readonly unfinished: string;

  /** @param root directory of the blobs; created if it is missing */
  constructor(root: string) {
    this.blobs = resolve(root, 'blobs');
    this.unfinished = resolve(root, 'unfinished');
  }

  async put(key: string, source: BlobSource, options: PutOptions = {}): Promise<PutResult> {
    assertBlobKey(key);
    const metered = new MeteredSource(source, options);
    const temporary = join(this.unfinished, randomUUID());
    try {
      await this.writeFile(temporary, metered);
      options.signal?.throwIfAborted();
      await this.publish(temporary, this.pathOf(key));
    } catch (error) {
      await rm(temporary, { force: true }).catch(() => undefined);
      throw metered.failure ? metered.failure.error : toStoreError(error, 'write a blob');
    }
    return metered.result();
  }

  async open(key: string, range?: ByteRange, expectedBytes?: number): Promise<Readable> {
    assertBlobKey(key);
    const { start, end } = resolveRange(range);
    const handle = await this.openFile(key, expectedBytes);
    if (end !== null && end === start) {
      await handle.close();
      return Readable.from([]);
    }
    // Node's `end` is inclusive.
    return handle.createReadStream(end === null ? { start } : { start, end: end - 1 });
  }

  async read(key: string, range?: ByteRange, expectedBytes?: number): Promise<Buffer> {
    try {
      if (range !== undefined) return await buffer(await this.open(key, range, expectedBytes));
      assertBlobKey(key);
      // Most blobs are small: reading them at once is cheaper than a stream.
      const handle = await this.openFile(key, expectedBytes);
      return await handle.readFile().finally(() => handle.close());
    } catch (error) {
      throw toStoreError(error, 'read a blob');
    }
  }

  async stat(key: string): Promise<{ bytes: number } | null> {
    assertBlobKey(key);
    try {
      return { bytes: (await stat(this.pathOf(key))).size };
    } catch (error) {
      if (isMissing(error)) return null;
      throw toStoreError(error, 'look up a blob');
    }
  }

  async delete(keys: readonly string[]): Promise<void> {
    keys.forEach(assertBlobKey);
    const queue = keys.values();
    const worker = async (): Promise<void> => {
      for (const key of queue) await this.deleteBlob(key);
    };
    try {
      await Promise.all(Array.from({ length: CONCURRENT_DELETES }, worker));
    } catch (error) {
      throw toStoreError(error, 'delete blobs');
    }
  }

  async *list(prefix: string): AsyncIterable<BlobEntry> {
    assertBlobPrefix(prefix);
    const directory = prefix.slice(0, prefix.lastIndexOf('/') + 1);
    try {
      yield* this.walk(directory, prefix);
    } catch (error) {
      throw toStoreError(error, 'list blobs');
    }
  }

  async sweep(olderThanMs: number): Promise<number> {
    const newestToRemoveMs = Date.now() - olderThanMs;
    let removed = 0;
    try {
      for await (const { name } of entriesOf(this.unfinished)) {
        const path = join(this.unfinished, name);
        const info = await statOrNull(path);
        if (!info || info.mtimeMs > newestToRemoveMs) continue;
        await rm(path, { force: true });
        removed += 1;
      }
    } catch (error) {
      throw toStoreError(error, 'sweep unfinished writes');
    }
    return removed;
  }

  async localPath(key: string): Promise<string> {
    assertBlobKey(key);
    return this.pathOf(key);
  }

  async ping(): Promise<void> {
    try {
      await mkdir(this.blobs, { recursive: true });
      await access(this.blobs, constants.R_OK | constants.W_OK | constants.X_OK);
    } catch (error) {
      // On a full disk the directory cannot be created. This is no failure, because blobs can still be read.
      if (fileErrorCode(error) !== 'ENOSPC') throw toStoreError(error, 'respond');
    }
  }

  /** Does nothing: no file is kept open between calls. */
  async close(): Promise<void> {}

  private pathOf(key: string): string {
    return join(this.blobs, key);
  }

  private async openFile(key: string, expectedBytes?: number): Promise<FileHandle> {
    let handle: FileHandle | undefined;
    try {
      handle = await open(this.pathOf(key), 'r');
      const info = await handle.stat();
      if (!info.isFile()) throw new BlobDamagedError(key, 'is not a file');
      assertSize(key, info.size, expectedBytes);
      return handle;
    } catch (error) {
      await handle?.close();
      if (isMissing(error)) throw new BlobNotFoundError(key, { cause: error });
      throw toStoreError(error, 'open a blob');
    }
  }

  private async writeFile(path: string, source: MeteredSource): Promise<void> {
    const handle = await open(path, 'wx').catch(async (error: unknown) => {
      if (!isMissing(error)) throw error;
      await mkdir(this.unfinished, { recursive: true });
      return open(path, 'wx');
    });
    try {
      for await (const chunk of source.chunks()) await writeAll(handle, chunk);
      await handle.sync();
    } finally {
      await handle.close();
    }
  }

  /**
   * Moves a complete file to its path. Creates the directory only after a first attempt has failed: for all
   * but the first blob of a run it exists.
   */
  private async publish(temporary: string, path: string): Promise<void> {
    const directory = dirname(path);
    for (let attempt = 0; ; attempt += 1) {
      try {
        const firstCreated = attempt === 0 ? undefined : await mkdir(directory, { recursive: true });
        await rename(temporary, path);
        await syncDirectories(directory, firstCreated ? dirname(firstCreated) : directory);
        return;
      } catch (error) {
        // Node's recursive mkdir fails with ENOTDIR if a parent is removed between its steps.
        const isDirectoryMissing = isMissing(error) || fileErrorCode(error) === 'ENOTDIR';
        if (!isDirectoryMissing || attempt === MAX_PUBLISH_RETRIES) throw error;
      }
    }
  }

  /** Deletes a blob and the directories that become empty. A crash in between leaves empty directories. */
  private async deleteBlob(key: string): Promise<void> {
    try {
      await unlink(this.pathOf(key));
    } catch (error) {
      if (isMissing(error)) return;
      throw error;
    }
    for (let directory = dirname(key); directory !== '.'; directory = dirname(directory)) {
      try {
        await rmdir(join(this.blobs, directory));
      } catch (error) {
        const code = fileErrorCode(error);
        if (code === 'ENOENT') continue;
        if (code === 'ENOTEMPTY' || code === 'EEXIST') return;
        throw error;
      }
    }
  }

  /** @param directory leading segments of a key with a trailing slash, or the empty string */
  private async *walk(directory: string, prefix: string): AsyncGenerator<BlobEntry> {
    for await (const entry of entriesOf(join(this.blobs, directory))) {
      const key = directory + entry.name;
      if (entry.isDirectory()) {
        const child = `${key}/`;
        if (child.startsWith(prefix) || prefix.startsWith(child)) yield* this.walk(child, prefix);
      } else if (key.startsWith(prefix)) {
        const info = await statOrNull(join(this.blobs, key));
        if (info) yield { key, bytes: info.size, modifiedAt: info.mtime };
      }
    }
  }
}

/** Repeats `write` until all bytes are written: a call may write only a part, for example on a full disk. */
async function writeAll(handle: FileHandle, chunk: Uint8Array): Promise<void> {
  for (let offset = 0; offset < chunk.byteLength;) {
    offset += (await handle.write(chunk, offset)).bytesWritten;
  }
}

/** Makes the rename and the directories created for it durable. */
async function syncDirectories(from: string, upTo: string): Promise<void> {
  for (let directory = from; ; directory = dirname(directory)) {
    const handle = await open(directory, 'r').catch((error: unknown) => {
      if (isMissing(error)) return null;
      throw error;
    });
    // If the directory is missing, the new blob was deleted concurrently: there is nothing to sync.
    if (handle) await handle.sync().finally(() => handle.close());
    if (directory === upTo || directory === dirname(directory)) return;
  }
}

/** Yields the entries of a directory; none if it does not exist. */
async function* entriesOf(directory: string): AsyncGenerator<{ name: string; isDirectory(): boolean }> {
  try {
    yield* await opendir(directory);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}

async function statOrNull(path: string): Promise<{ size: number; mtime: Date; mtimeMs: number } | null> {
  try {
    return await stat(path);
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/** Returns the system's error code (`ENOENT`, `ENOSPC`, …); undefined for other errors. */
function fileErrorCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/** Whether a file or one of its parent directories does not exist. */
function isMissing(error: unknown): boolean {
  return fileErrorCode(error) === 'ENOENT';
}

/**
 * Maps errors of the file system to those of the store. Errors without a system code are returned unchanged.
 */
export function toStoreError(error: unknown, operation: string): unknown {
  if (STORE_ERRORS.some((errorClass) => error instanceof errorClass)) return error;
  const code = fileErrorCode(error);
  if (code === undefined) return error;
  if (FULL_DISK_CODES.has(code)) return new BlobStoreFullError({ cause: error });
  return new BlobStoreUnavailableError(operation, { cause: error, reason: UNAVAILABLE_REASONS[code] });
}
