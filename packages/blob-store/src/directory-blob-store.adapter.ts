import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { access, type FileHandle, mkdir, open, opendir, rename, rm, rmdir, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { assertBlobKey, assertBlobPrefix } from './blob-key.js';
import type {
  BlobEntry,
  BlobSource,
  BlobStore,
  ByteRange,
  PutOptions,
  PutResult,
} from './blob-store.port.js';
import { BlobNotFoundError } from './blob-store.errors.js';
import { resolveRange } from './byte-range.js';
import { fileErrorCode, isMissing, toStoreError } from './directory-errors.js';
import { MeteredSource } from './metered-source.js';

/** A directory that a delete has just found empty may vanish under a put; it then makes it again. */
const PUBLISH_ATTEMPTS = 20;
/** Deletes in flight: enough to keep a disk busy, few enough to leave the thread pool to others. */
const DELETES_IN_FLIGHT = 8;

/**
 * Blobs as files of one directory.
 *
 * `<root>/blobs/<key>` holds what is finished, `<root>/unfinished/<uuid>` what is being written. A write goes: file,
 * fsync, rename, fsync of the directory; so a crash leaves the whole blob or nothing but an unfinished file.
 * Both sub-directories must be on one file system.
 */
export class DirectoryBlobStore implements BlobStore {
  private readonly blobs: string;
  private readonly unfinished: string;

  /** @param root the directory; made when it is missing */
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

  async open(key: string, range?: ByteRange): Promise<Readable> {
    assertBlobKey(key);
    const { start, end } = resolveRange(range);
    const handle = await this.openFile(key);
    if (end !== null && end === start) {
      await handle.close();
      return Readable.from([]);
    }
    // Node's `end` is inclusive.
    return handle.createReadStream(end === null ? { start } : { start, end: end - 1 });
  }

  async read(key: string, range?: ByteRange): Promise<Buffer> {
    try {
      if (range !== undefined) return await buffer(await this.open(key, range));
      assertBlobKey(key);
      // Most are small, and a stream is more work than they are.
      const handle = await this.openFile(key);
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
      for (const key of queue) await this.deleteOne(key);
    };
    try {
      await Promise.all(Array.from({ length: DELETES_IN_FLIGHT }, worker));
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
    const limit = Date.now() - olderThanMs;
    let removed = 0;
    try {
      for await (const name of namesIn(this.unfinished)) {
        const path = join(this.unfinished, name.name);
        const info = await statOrNull(path);
        if (!info || info.mtimeMs > limit) continue;
        await rm(path, { force: true });
        removed += 1;
      }
    } catch (error) {
      throw toStoreError(error, 'sweep unfinished writes');
    }
    return removed;
  }

  localPath(key: string): string {
    assertBlobKey(key);
    return this.pathOf(key);
  }

  async ping(): Promise<void> {
    try {
      await mkdir(this.blobs, { recursive: true });
      await access(this.blobs, constants.R_OK | constants.W_OK | constants.X_OK);
    } catch (error) {
      // On a full disk the directory may be missing and impossible to make; that is no reason to stop reading.
      if (fileErrorCode(error) !== 'ENOSPC') throw toStoreError(error, 'answer');
    }
  }

  async close(): Promise<void> {
    // Nothing is kept open between calls.
  }

  private pathOf(key: string): string {
    return join(this.blobs, key);
  }

  private async openFile(key: string): Promise<FileHandle> {
    try {
      return await open(this.pathOf(key), 'r');
    } catch (error) {
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

  /** Its directory is made when it turns out to be missing: that of a run's second blob is there. */
  private async publish(temporary: string, path: string): Promise<void> {
    const directory = dirname(path);
    for (let attempt = 0; ; attempt += 1) {
      try {
        const firstMade = attempt === 0 ? undefined : await mkdir(directory, { recursive: true });
        await rename(temporary, path);
        await syncDirectories(directory, firstMade ? dirname(firstMade) : directory);
        return;
      } catch (error) {
        // ENOTDIR: what Node's recursive mkdir says when a parent goes away between its steps.
        const overtaken = isMissing(error) || fileErrorCode(error) === 'ENOTDIR';
        if (!overtaken || attempt === PUBLISH_ATTEMPTS) throw error;
      }
    }
  }

  private async deleteOne(key: string): Promise<void> {
    await rm(this.pathOf(key), { force: true });
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

  /** @param directory a part of the key that ends with a slash, or nothing */
  private async *walk(directory: string, prefix: string): AsyncGenerator<BlobEntry> {
    for await (const entry of namesIn(join(this.blobs, directory))) {
      const key = directory + entry.name;
      if (entry.isDirectory()) {
        const below = `${key}/`;
        if (below.startsWith(prefix) || prefix.startsWith(below)) yield* this.walk(below, prefix);
      } else if (key.startsWith(prefix)) {
        const info = await statOrNull(join(this.blobs, key));
        if (info) yield { key, bytes: info.size, modifiedAt: info.mtime };
      }
    }
  }
}

/** One `write` may take less than it was given, for example when the disk fills up half-way. */
async function writeAll(handle: FileHandle, chunk: Uint8Array): Promise<void> {
  for (let offset = 0; offset < chunk.byteLength;) {
    offset += (await handle.write(chunk, offset)).bytesWritten;
  }
}

/** Makes the rename, and any directory made for it, survive a loss of power. */
async function syncDirectories(from: string, upTo: string): Promise<void> {
  for (let directory = from; ; directory = dirname(directory)) {
    const handle = await open(directory, 'r').catch((error: unknown) => {
      if (isMissing(error)) return null;
      throw error;
    });
    // A directory that is gone again was removed by a delete of what we have just written: nothing to keep.
    if (handle) await handle.sync().finally(() => handle.close());
    if (directory === upTo || directory === dirname(directory)) return;
  }
}

async function* namesIn(directory: string): AsyncGenerator<{ name: string; isDirectory(): boolean }> {
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
