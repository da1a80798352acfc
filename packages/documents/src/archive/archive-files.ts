import { formatBytes } from '@citewell/contracts/errors';
import { DocumentError } from '../document/document-error.js';
import type { ZipEntry } from './zip-directory.js';
import { isInflatable } from './zip-entries.js';

/** Limits of an archive that is ingested file by file. */
export interface ArchiveLimits {
  readonly maxFiles: number;
  /** Size of one file. */
  readonly maxFileBytes: number;
  /** Size of all files together. */
  readonly maxTotalBytes: number;
  /** Of a path, in UTF-16 code units. */
  readonly maxPathLength: number;
}

/** A file of an archive that is to be unpacked. */
export interface ArchiveFile {
  /** Path in the archive, without `.`, `..` and control characters. */
  readonly path: string;
  readonly entry: ZipEntry;
}

/** A file of an archive that is not ingested. */
export interface SkippedFile {
  readonly path: string;
  readonly reason: string;
}

const MEGABYTE = 1024 * 1024;
/** Inflated bytes / stored bytes of one file; not applied to files of 1 MB or less. */
const MAX_RATIO = 200;
const RATIO_FREE_BYTES = MEGABYTE;
/** Dot files, and files that macOS and Windows add. */
const HIDDEN = /(?:^|\/)(?:__MACOSX\/|\.(?!\.(?:\/|$))|(?:thumbs\.db|desktop\.ini)$)/i;

/**
 * Selects the files of an archive that are to be unpacked, also damaged and encrypted ones. Folders and hidden files are
 * ignored. Of two files with the same path, the last one counts.
 *
 * @throws DocumentError TOO_COMPLEX when the archive exceeds the limits
 */
export function selectArchiveFiles(
  entries: Iterable<ZipEntry>,
  archiveBytes: number,
  limits: ArchiveLimits,
): { files: ArchiveFile[]; skipped: SkippedFile[] } {
  const files = new Map<string, ArchiveFile>();
  const skipped: SkippedFile[] = [];
  const limit = limits.maxFiles.toLocaleString('en');
  for (const entry of entries) {
    const path = normalizePath(entry.name);
    if (path === '' || entry.name.endsWith('/') || HIDDEN.test(path)) continue;
    const reason = reasonToSkip(entry, path, limits);
    if (reason === null) files.set(path, { path, entry });
    else skipped.push({ path, reason });
    if (files.size + skipped.length > limits.maxFiles)
      throw tooComplex(
        `more than ${limit} files`,
        `The archive has more than ${limit} files. Split it and upload the parts.`,
      );
  }
  // The others are not unpacked.
  const unpacked = [...files.values()].filter(({ entry }) => isInflatable(entry));
  guardSizes(unpacked, archiveBytes, limits);
  return { files: [...files.values()], skipped };
}

/** The path as text: no file is written under it. */
function normalizePath(name: string): string {
  return name
    .toWellFormed()
    .replaceAll(/[\p{Cc}\u2028\u2029]/gu, '\ufffd')
    .split('/')
    .filter((part) => part !== '' && part !== '.')
    .join('/');
}

function reasonToSkip(entry: ZipEntry, path: string, { maxPathLength }: ArchiveLimits): string | null {
  if (path.split('/').includes('..')) return 'its path contains ".."';
  if (path.length > maxPathLength) return `its path is longer than ${maxPathLength} characters`;
  if (entry.inflatedBytes === 0) return 'it is empty';
  return null;
}

function guardSizes(
  files: readonly ArchiveFile[],
  archiveBytes: number,
  { maxFileBytes, maxTotalBytes }: ArchiveLimits,
): void {
  let inflated = 0;
  let stored = 0;
  for (const { path, entry } of files) {
    inflated += entry.inflatedBytes;
    stored += entry.storedBytes;
    if (entry.inflatedBytes > maxFileBytes)
      throw tooComplex(
        `${path} has ${entry.inflatedBytes} bytes`,
        `A file of the archive is larger than ${formatBytes(maxFileBytes)}. Remove it from the archive.`,
      );
    if (entry.inflatedBytes > RATIO_FREE_BYTES && entry.inflatedBytes > entry.storedBytes * MAX_RATIO)
      throw tooComplex(
        `${path} inflates more than ${MAX_RATIO} times`,
        `A file of the archive unpacks to more than ${MAX_RATIO} times its size. Upload that file alone.`,
      );
  }
  if (inflated > maxTotalBytes)
    throw tooComplex(
      `the files have ${inflated} bytes`,
      `Unpacked, the archive is larger than ${formatBytes(maxTotalBytes)}. Split it and upload the parts.`,
    );
  // Entries that share bytes would inflate them again and again.
  if (stored > archiveBytes)
    throw tooComplex(
      'entries overlap',
      'Files of the archive overlap, as in archives that are made to do harm. Create the archive again with another program.',
    );
}

function tooComplex(message: string, userMessage: string): DocumentError {
  return new DocumentError('TOO_COMPLEX', message, { userMessage });
}
