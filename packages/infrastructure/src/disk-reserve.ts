import {
  closeSync,
  fsyncSync,
  openSync,
  rmSync,
  statfsSync,
  statSync,
  truncateSync,
  writeSync,
} from 'node:fs';
import { randomFillSync } from 'node:crypto';
import { dirname, join } from 'node:path';
import type { FullStorage, Logger } from '@citewell/observability';

/** Name of the file in each file system. */
const RESERVE_FILE = 'disk-reserve';
const MOST_BYTES = 32 * 1024 * 1024;
/** Beside Postgres: at its start it may need a segment of its log, which has 16 MiB. */
const LEAST_BYTES = 24 * 1024 * 1024;
/** On a smaller disk, the share alone is reserved. */
const SMALL_DISK_BYTES = 8 * LEAST_BYTES;
/** Of the capacity of the disk. */
const SHARE = 0.03;
const WRITE_BYTES = 256 * 1024;
const PIECES = 8;
const INTERVAL_MS = 1_000;

/** The state of a file system that holds a reserve. */
interface Disk {
  readonly file: string;
  readonly reserveBytes: number;
}

/** `low`: new content is refused. `restore`: there is space to write the whole reserve again. */
type ReserveState = 'ok' | 'low' | 'restore';

/**
 * Decides by the free bytes of a disk. It is low when less than a quarter of the reserve's size is free. After that, it
 * is low until as much as the whole size is free beside the reserve.
 */
export function reserveStateOf(
  { heldBytes, freeBytes, wasLow }: { heldBytes: number; freeBytes: number; wasLow: boolean },
  reserveBytes: number,
): ReserveState {
  if (heldBytes < reserveBytes) return freeBytes >= reserveBytes * 2 ? 'restore' : 'low';
  return freeBytes < (wasLow ? reserveBytes : reserveBytes / 4) ? 'low' : 'ok';
}

/** Directories of the data directory that may be file systems of their own. */
const PARTS = ['.', 'postgres', 'vectors', 'blobs'];

/**
 * Keeps a file on the disk of the data directory. When the disk is full, new content is refused, and the file is
 * shortened by a piece, so that the databases go on. A deletion shortens it by the next piece: it then has the space that
 * it needs itself, for rows that are marked and logs of the databases. No other program gets the rest before.
 */
export class DiskReserve {
  private readonly lowDisks = new Set<string>();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly directory: string,
    private readonly storage: FullStorage,
    private readonly logger: Logger,
  ) {
    storage.onReport(() => this.check());
    storage.setReserve(() => this.makeRoom());
  }

  /** Checks now, and then every second. */
  start(): void {
    this.check();
    this.timer = setInterval(() => this.check(), INTERVAL_MS);
    this.timer.unref();
  }

  stop(): void {
    clearInterval(this.timer);
  }

  /** Shortens the reserve of each disk that has no space for a deletion. */
  makeRoom(): void {
    this.forEachDisk((disk) => this.makeDiskRoom(disk));
    this.check();
  }

  /** Deletes the reserve of each disk that is low: a database cannot start without space. */
  releaseIfLow(): void {
    this.forEachDisk((disk) => {
      if (this.lowDisks.has(disk.file)) rmSync(disk.file, { force: true });
    });
  }

  /** Restores reserves, and sets whether a disk is low. */
  check(): void {
    const warnings: string[] = [];
    this.forEachDisk((disk) => {
      const warning = this.checkDisk(disk);
      if (warning !== null) warnings.push(warning);
    });
    this.storage.setLow(warnings.length === 0 ? null : warnings.join('; '));
  }

  /** A disk that cannot be read is left alone. */
  private forEachDisk(action: (disk: Disk) => void): void {
    for (const disk of disksOf(this.directory)) {
      try {
        action(disk);
      } catch (error) {
        this.logger.warn({ err: error }, 'the disk cannot be checked');
      }
    }
  }

  private makeDiskRoom(disk: Disk): void {
    while (freeBytesOf(disk.file) < pieceOf(disk) && heldBytesOf(disk) > 0) this.shorten(disk);
  }

  private shorten(disk: Disk): void {
    const bytes = Math.max(0, heldBytesOf(disk) - pieceOf(disk));
    truncateSync(disk.file, bytes);
    this.logger.warn({ file: disk.file, bytes }, 'reserved space is released for deletions');
  }

  private checkDisk(disk: Disk): string | null {
    const { file, reserveBytes } = disk;
    const wasLow = this.lowDisks.has(file);
    const freeBytes = freeBytesOf(file);
    const state = reserveStateOf({ heldBytes: heldBytesOf(disk), freeBytes, wasLow }, reserveBytes);
    if (state === 'ok' || (state === 'restore' && writeReserve(file, reserveBytes))) {
      this.lowDisks.delete(file);
      return null;
    }
    this.lowDisks.add(file);
    if (!wasLow) {
      this.logger.error({ file, freeBytes }, 'the disk is full: new content is refused until space is freed');
      // Without any space, the next checkpoint of Postgres ends the server.
      this.makeDiskRoom(disk);
    }
    return missingSpace(freeBytes, disk);
  }
}

/** For `citewell doctor`: which disks of a data directory are too full for new content. */
export function fullDisksOf(directory: string): string[] {
  return disksOf(directory).flatMap((disk) => {
    const freeBytes = freeBytesOf(disk.file);
    const state = reserveStateOf(
      { heldBytes: heldBytesOf(disk), freeBytes, wasLow: false },
      disk.reserveBytes,
    );
    return state === 'low' ? [`${dirname(disk.file)}: ${missingSpace(freeBytes, disk)}`] : [];
  });
}

function missingSpace(freeBytes: number, { reserveBytes }: Disk): string {
  return `${megabytes(freeBytes)} MB are free, ${megabytes(2 * reserveBytes)} are needed`;
}

function heldBytesOf({ file }: Disk): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

function pieceOf({ reserveBytes }: Disk): number {
  return reserveBytes / PIECES;
}

/** The distinct file systems of a data directory, with the sizes of their reserves. */
function disksOf(directory: string): Disk[] {
  const byDevice = new Map<number, string>();
  for (const part of PARTS) {
    const path = join(directory, part);
    const info = statSync(path, { throwIfNoEntry: false });
    if (info?.isDirectory() && !byDevice.has(info.dev)) byDevice.set(info.dev, path);
  }
  return [...byDevice.values()].map((path) => {
    const { blocks, bsize } = statfsSync(path);
    const share = Math.floor((blocks * bsize * SHARE) / WRITE_BYTES) * WRITE_BYTES;
    const least = blocks * bsize < SMALL_DISK_BYTES ? WRITE_BYTES : LEAST_BYTES;
    return {
      file: join(path, RESERVE_FILE),
      reserveBytes: Math.min(MOST_BYTES, Math.max(least, share)),
    };
  });
}

/** Free bytes of the file system of a file, for users without privileges. */
function freeBytesOf(file: string): number {
  const { bavail, bsize } = statfsSync(dirname(file));
  return bavail * bsize;
}

/** Random bytes, because some file systems store zeros in no space. @returns whether the disk has the space */
function writeReserve(file: string, bytes: number): boolean {
  rmSync(file, { force: true });
  const handle = openSync(file, 'wx', 0o600);
  const chunk = randomFillSync(Buffer.alloc(WRITE_BYTES));
  try {
    for (let written = 0; written < bytes;)
      written += writeSync(handle, chunk, 0, Math.min(WRITE_BYTES, bytes - written));
    fsyncSync(handle);
    return true;
  } catch {
    rmSync(file, { force: true });
    return false;
  } finally {
    closeSync(handle);
  }
}

function megabytes(bytes: number): number {
  return Math.floor(bytes / 1_000_000);
}
