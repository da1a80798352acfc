import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { isAbsolute, join, relative, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { PathFilter } from '@citewell/sources/path-filter';
import { isHidden, listFiles, type SkippedEntry } from '../add/list-files.js';
import { inParallel } from '../in-parallel.js';
import type { LocalFile } from './plan-sync.js';

const PARALLEL_READS = 4;
const MAX_LENGTH = 255;
/** Begins what stands for a path that is too long for a custom id. */
const LONG_PATH = 'sha256:';
const SAME_NAME = 'Another file has the same name, with its letters composed in another way.';
/** A file that iCloud keeps elsewhere has this name in its place. */
const IN_THE_CLOUD = /^\.(.+)\.icloud$/;

export interface FoundFile extends LocalFile {
  readonly absolute: string;
  readonly name: string;
  readonly version: string;
  readonly modifiedAt: Date;
}

export interface Listing {
  readonly files: FoundFile[];
  readonly skipped: SkippedEntry[];
  /** Files that could not be read, with the reason. */
  readonly failed: { path: string; reason: unknown }[];
  /** Whether something is there that has no content now, or cannot be read, or may be behind a link. */
  isThere(customId: string): boolean;
}

/** Reads a folder of this machine for a sync. Remembers digests, so that an unchanged file is read once. */
export class LocalFolder {
  private readonly digests = new Map<string, { version: string; sha256: string }>();
  private readonly filter: PathFilter;

  /**
   * @param root its real path
   * @param label first part of the names and custom ids of its documents
   */
  constructor(
    private readonly root: string,
    private readonly label: string,
    private readonly patterns: ConstructorParameters<typeof PathFilter>[0],
  ) {
    this.filter = new PathFilter(patterns);
  }

  /** The first part of the custom ids of all documents of this folder. */
  get prefix(): string {
    return `sync:${this.label}/`;
  }

  /** Whether a document of this folder is left out by `--include` and `--exclude`. */
  isLeftOut({ customId }: { customId: string }): boolean {
    const path = customId.slice(this.prefix.length);
    return !path.startsWith(LONG_PATH) && !this.filter.isWanted(path);
  }

  /** @throws an error of the file system if the folder itself cannot be listed */
  async list(onProgress: (done: number, total: number) => void, signal: AbortSignal): Promise<Listing> {
    const { files, skipped } = await listFiles(this.root);
    const wanted = new Map<string, string>();
    const failed: Listing['failed'] = [];
    const vanished: string[] = [];
    for (const absolute of files) {
      const path = this.pathOf(absolute);
      if (!this.filter.isWanted(path)) continue;
      if (wanted.has(path)) failed.push({ path, reason: new Error(SAME_NAME) });
      else wanted.set(path, absolute);
    }
    const found: FoundFile[] = [];
    let done = 0;
    await inParallel(wanted, PARALLEL_READS, async ([path, absolute]) => {
      signal.throwIfAborted();
      try {
        found.push(await this.read(absolute, path));
      } catch (reason) {
        // It was there a moment ago: a program may be replacing it, or the disk was pulled out. The next sync knows.
        if ((reason as NodeJS.ErrnoException).code === 'ENOENT') vanished.push(path);
        else failed.push({ path, reason });
      }
      onProgress((done += 1), wanted.size);
    });
    const unread: string[] = [];
    /** Links to places in the folder, with the paths of these. */
    const links: [link: string, target: string][] = [];
    const named: SkippedEntry[] = [];
    const there = new Set(
      [...vanished, ...failed.map(({ path }) => path)].map((path) => this.customIdOf(path)),
    );
    for (const entry of skipped) {
      const inside = this.pathOf(entry.path);
      const isLink = entry.reason === 'link';
      const target = isLink ? await this.targetOf(entry.path) : null;
      if (target !== null && this.filter.mayContain(inside)) links.push([inside, target]);
      const isPlace = isLink ? target === null : entry.isFolder === true;
      if (!(isPlace ? this.filter.mayContain(inside) : this.filter.isWanted(standIn(inside)))) continue;
      named.push(entry);
      if (isPlace) unread.push(`${this.prefix}${inside}/`);
      if (isPlace || !isLink) there.add(this.customIdOf(standIn(inside)));
    }
    const hasPatterns = Object.values(this.patterns).flat().some(Boolean);
    const isThere = (customId: string): boolean => {
      const isLong = customId.startsWith(this.prefix + LONG_PATH);
      const path = customId.slice(this.prefix.length);
      return (
        there.has(customId) ||
        unread.some((folder) => isLong || customId.startsWith(folder)) ||
        links.some(([link, target]) => {
          // Its digest does not tell whether the patterns leave it out at the target.
          if (isLong) return hasPatterns;
          if (path !== link && !path.startsWith(`${link}/`)) return false;
          const behind = [target, path.slice(link.length + 1)].filter(Boolean).join('/');
          return !this.filter.isWanted(behind) || isThere(this.customIdOf(behind));
        })
      );
    };
    return {
      files: found.toSorted((a, b) => (a.path < b.path ? -1 : 1)),
      skipped: named,
      failed,
      isThere,
    };
  }

  /** The path in the folder that a link leads to; null if it leads out of it, to what is hidden, or nowhere. */
  private async targetOf(link: string): Promise<string | null> {
    const target = await realpath(link).catch(() => null);
    if (target === null) return null;
    const inside = relative(this.root, target);
    return isAbsolute(inside) || isHidden(inside) ? null : this.pathOf(target);
  }

  private async read(absolute: string, path: string): Promise<FoundFile> {
    const version = await versionOf(absolute);
    const known = this.digests.get(path);
    const sha256 = known?.version === version ? known.sha256 : await digestOf(absolute);
    this.digests.set(path, { version, sha256 });
    const { mtime: modifiedAt } = await stat(absolute);
    const name = shortened(`${this.label}/${path}`);
    return { absolute, path, name, version, sha256, modifiedAt, customId: this.customIdOf(path) };
  }

  private pathOf(absolute: string): string {
    return relative(this.root, absolute).split(sep).join('/').normalize();
  }

  private customIdOf(path: string): string {
    const id = this.prefix + path;
    if (id.length <= MAX_LENGTH) return id;
    return `${this.prefix}${LONG_PATH}${createHash('sha256').update(path).digest('hex')}`;
  }
}

/** Changes when the file changes. Programs that restore the time of change cannot restore that of the inode. */
export async function versionOf(path: string): Promise<string> {
  const { size, mtimeNs, ctimeNs } = await stat(path, { bigint: true });
  return `${size}-${mtimeNs}-${ctimeNs}`;
}

async function digestOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}

/** The path of the file that an entry stands for. */
function standIn(path: string): string {
  const at = path.lastIndexOf('/') + 1;
  const [, name] = IN_THE_CLOUD.exec(path.slice(at)) ?? [];
  return name === undefined ? path : join(path.slice(0, at), name);
}

/** The end of a name that is too long: it has the name of the file. */
function shortened(name: string): string {
  return name.length <= MAX_LENGTH ? name : `…${name.slice(1 - MAX_LENGTH)}`.toWellFormed();
}
