import { constants, type BigIntStats, type Dirent } from 'node:fs';
import { access, type FileHandle, lstat, open, readdir, realpath, stat } from 'node:fs/promises';
import { join, relative, resolve, sep } from 'node:path';
import { Readable } from 'node:stream';
import type { FolderSourceConfig } from '@citewell/contracts/schemas';
import { compareNames, counted, pagesOf } from '../inventory-pages.js';
import { PathFilter } from '../path-filter.js';
import {
  type FetchedDocument,
  type InventoryPage,
  type SkippedDocument,
  type Source,
  type SourceDocument,
  SourceError,
} from '../source.js';

import { FolderWatch } from './folder-watch.js';

/** Files whose size and time are read at the same time. */
const PARALLEL_FILES = 16;
const REPLACEMENT_CHARACTER = '\u{FFFD}';

/** Errors of the file system that say that a folder is not there, or does not answer. */
const UNAVAILABLE = new Set([
  'ENOENT',
  'ENOTDIR',
  'EIO',
  'ESTALE',
  'ENODEV',
  'ENXIO',
  'ETIMEDOUT',
  'EHOSTDOWN',
]);

/**
 * A folder of the server, below one of the folders that the operator allows.
 *
 * Files whose names begin with a dot are left out, as a file manager does. Links are not followed: they may lead out of
 * the folder, or in a circle.
 */
export class FolderSource implements Source {
  /** @param root real path of the folder */
  private constructor(
    private readonly root: string,
    private readonly filter: PathFilter,
  ) {}

  /**
   * @param allowed absolute paths of the folders that the operator allows
   * @throws SourceError `denied` if the folder is not below one of them, `unavailable` if it is not there
   */
  static async open(config: FolderSourceConfig, allowed: readonly string[]): Promise<FolderSource> {
    const { folder } = config;
    const root = await realpath(folder).catch((error: unknown) => {
      // Elsewhere, nobody can ask what is there.
      throw allowed.some((path) => isBelow(resolve(folder), resolve(path)))
        ? unavailable(folder, error)
        : notAllowed(folder);
    });
    const parents = await Promise.all(allowed.map((path) => realpath(path).catch(() => null)));
    if (!parents.some((parent) => parent !== null && isBelow(root, parent))) throw notAllowed(folder);
    return new FolderSource(root, new PathFilter(config));
  }

  async check(): Promise<string> {
    const entries = await this.entriesOf('');
    const folders = entries.filter((entry) => entry.isDirectory()).length;
    return `The folder has ${counted(entries.length - folders, 'file')} and ${counted(folders, 'folder')}.`;
  }

  async *inventory(cursor: string | null, signal: AbortSignal): AsyncGenerator<InventoryPage> {
    yield* pagesOf(this.walk('', cursor === null ? null : cursor.split('/'), signal), ({ path }) => path);
  }

  async fetch({ path }: Pick<SourceDocument, 'path'>): Promise<FetchedDocument> {
    const file = await this.openFile(path);
    try {
      const stats = await file.stat({ bigint: true });
      if (!stats.isFile()) throw new SourceError('gone', `${path} is not a file any more.`);
      const version = versionOf(stats);
      return { version, content: Readable.from(contentOf(file, path, version), { objectMode: false }) };
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  watch(onChange: () => void): FolderWatch {
    return new FolderWatch(this.root, onChange);
  }

  async close(): Promise<void> {
    // Nothing is open between two calls.
  }

  /** @param after names of the last entry that was listed; null to list all */
  private async *walk(
    folder: string,
    after: readonly string[] | null,
    signal: AbortSignal,
  ): AsyncGenerator<SourceDocument | SkippedDocument> {
    const [first, ...below] = after ?? [];
    let entries: Dirent[];
    try {
      entries = await this.entriesOf(folder);
    } catch (error) {
      if (folder === '' || !(error instanceof SourceError)) throw error;
      yield { id: folder, path: folder, reason: error.message, isFolder: true };
      return;
    }
    const left = entries.filter(({ name }) => first === undefined || compareNames(name, first) >= 0);
    for (let at = 0; at < left.length; at += PARALLEL_FILES) {
      signal.throwIfAborted();
      const batch = left.slice(at, at + PARALLEL_FILES);
      const found = await Promise.all(batch.map(async (entry) => this.describe(folder, entry)));
      for (const [index, { name }] of batch.entries()) {
        const item = found[index] ?? null;
        if (item === 'folder') {
          yield* this.walk(join(folder, name), name === first && below.length > 0 ? below : null, signal);
        } else if (item !== null && (name !== first || below.length > 0)) yield item;
      }
    }
  }

  /** The entries of a folder in a fixed order, without hidden ones. @throws SourceError `unavailable`, `denied` */
  private async entriesOf(folder: string): Promise<Dirent[]> {
    const path = join(this.root, folder);
    const entries = await readdir(path, { withFileTypes: true }).catch((error: unknown) => {
      throw unavailable(path, error);
    });
    return entries
      .filter(({ name }) => !name.startsWith('.'))
      .toSorted((one, other) => compareNames(one.name, other.name));
  }

  /** @returns null for what disappeared meanwhile */
  private async describe(
    folder: string,
    entry: Dirent,
  ): Promise<SourceDocument | SkippedDocument | 'folder' | null> {
    if (entry.isDirectory()) return 'folder';
    const path = pathOf(folder, entry.name);
    const skipped = (reason: string): SkippedDocument => ({ id: path, path, reason });
    if (entry.name.includes(REPLACEMENT_CHARACTER)) return skipped('Its name is not valid UTF-8.');
    if (entry.isSymbolicLink())
      return { ...skipped('It is a link.'), isFolder: await this.leadsElsewhere(path) };
    if (!entry.isFile()) return skipped('It is not a file.');
    try {
      const stats = await lstat(join(this.root, path), { bigint: true });
      const modifiedAt = new Date(Number(stats.mtimeMs));
      return {
        id: path,
        path,
        version: versionOf(stats),
        bytes: Number(stats.size),
        modifiedAt,
        access: 'library',
      };
    } catch (error) {
      return codeOf(error) === 'ENOENT' ? null : skipped(sentenceOf(error));
    }
  }

  /** Whether a folder may be behind a link that is not listed at another path, so that its documents are unknown. */
  private async leadsElsewhere(link: string): Promise<boolean> {
    const absolute = join(this.root, link);
    try {
      if (!(await stat(absolute)).isDirectory()) return false;
      await access(absolute, constants.R_OK | constants.X_OK);
      const names = relative(this.root, await realpath(absolute)).split(sep);
      return names.some((name) => name.startsWith('.')) || !this.filter.mayContain(names.join('/'));
    } catch {
      return true;
    }
  }

  /** Opens a file of the folder; a link in its path is refused, wherever it leads. */
  private async openFile(path: string): Promise<FileHandle> {
    const absolute = join(this.root, path);
    try {
      if ((await realpath(absolute)) !== absolute) throw new SourceError('gone', `${path} is behind a link.`);
      // Non-blocking: opening a pipe waits for its other end.
      return await open(absolute, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    } catch (error) {
      if (error instanceof SourceError) throw error;
      const code = codeOf(error);
      if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'ELOOP')
        throw new SourceError('gone', `${path} is not there any more.`, { cause: error });
      throw new SourceError('unreadable', sentenceOf(error), { cause: error });
    }
  }
}

/** The bytes of a file. Closes it. */
async function* contentOf(file: FileHandle, path: string, version: string): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of file.createReadStream({ autoClose: false })) yield chunk as Buffer;
    if (versionOf(await file.stat({ bigint: true })) !== version)
      throw new SourceError('changed', `${path} was changed while it was read.`);
  } finally {
    await file.close();
  }
}

/** Programs that restore the time of change, such as `cp -p`, cannot restore that of the inode. */
function versionOf({ size, mtimeNs, ctimeNs }: BigIntStats): string {
  return `${size}-${mtimeNs}-${ctimeNs}`;
}

function pathOf(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}

function notAllowed(folder: string): SourceError {
  return new SourceError(
    'denied',
    `The operator of the server does not allow the folder ${folder}. The setting FOLDERS names those that are allowed.`,
  );
}

function isBelow(path: string, parent: string): boolean {
  return path === parent || path.startsWith(parent.endsWith(sep) ? parent : parent + sep);
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

function sentenceOf(error: unknown): string {
  const code = codeOf(error);
  return code === 'EACCES' || code === 'EPERM'
    ? 'The server may not read it.'
    : `It could not be read (${code || 'unknown error'}).`;
}

function unavailable(path: string, error: unknown): SourceError {
  const code = codeOf(error);
  if (code === 'EACCES' || code === 'EPERM')
    return new SourceError('denied', `The server may not read the folder ${path}.`, { cause: error });
  if (UNAVAILABLE.has(code))
    return new SourceError(
      'unavailable',
      `The folder ${path} is not there. If it is on another machine, check that it is mounted.`,
      { cause: error },
    );
  return new SourceError('unavailable', `The folder ${path} could not be read (${code}).`, { cause: error });
}
