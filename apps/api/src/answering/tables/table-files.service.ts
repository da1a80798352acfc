import { createWriteStream } from 'node:fs';
import { access, mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { BlobNotFoundError, type BlobStore } from '@citewell/blob-store';
import { runBlobKey } from '@citewell/database';
import { BLOB_STORE } from '@citewell/infrastructure';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';

type RunKey = Parameters<typeof runBlobKey>[0];

/** Copies from a store without files. */
const MAX_COPIES = 32;
/** A copy is removed after this time, so that it does not outlive its document for long. */
const COPY_LIFETIME_MS = 10 * 60_000;

/** The tables of runs as files, which the engine of tables reads. */
@Injectable()
export class TableFiles implements OnApplicationShutdown {
  private directory: Promise<string> | undefined;
  /** By key of the blob, the least recently used first. */
  private readonly copies = new Map<string, Promise<string | null>>();

  constructor(@Inject(BLOB_STORE) private readonly store: Pick<BlobStore, 'open' | 'localPath' | 'stat'>) {}

  /** @returns null if the document has no tables, or its run was purged */
  async pathOf(run: RunKey): Promise<string | null> {
    const key = runBlobKey(run, 'tables');
    const local = await this.store.localPath?.(key);
    if (local && (await exists(local))) return local;
    const copy = this.copies.get(key) ?? this.copy(key);
    this.copies.delete(key);
    this.copies.set(key, copy);
    const [oldest = key] = this.copies.keys();
    if (this.copies.size > MAX_COPIES) void this.remove(oldest);
    return copy;
  }

  async onApplicationShutdown(): Promise<void> {
    if (this.directory) await rm(await this.directory, { recursive: true, force: true });
  }

  private async copy(key: string): Promise<string | null> {
    setTimeout(() => void this.remove(key), COPY_LIFETIME_MS).unref();
    if ((await this.store.stat(key)) === null) return null;
    const directory = await (this.directory ??= mkdtemp(join(tmpdir(), 'citewell-tables-')));
    const path = join(directory, `${key.replaceAll('/', '-')}.sqlite`);
    try {
      await pipeline(await this.store.open(key), createWriteStream(`${path}.part`));
    } catch (error) {
      await rm(`${path}.part`, { force: true });
      if (error instanceof BlobNotFoundError) return null;
      throw error;
    }
    await rename(`${path}.part`, path);
    return path;
  }

  /** A process that has the file open keeps it until it ends. */
  private async remove(key: string): Promise<void> {
    const path = await this.copies.get(key)?.catch(() => null);
    this.copies.delete(key);
    if (path) await rm(path, { force: true });
  }
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
