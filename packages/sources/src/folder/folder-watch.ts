import { type FSWatcher, watch } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { SourceWatch } from '../source.js';

interface WatchedFolder {
  readonly watcher: FSWatcher;
  /** A folder that was deleted and made again is another one. */
  readonly inode: bigint;
}

/**
 * Watches a folder with all folders below it, one watcher for each: a watcher for each file would take ten times the memory.
 * Folders whose names begin with a dot are left out. Changes that another computer makes on a share are not noticed.
 */
export class FolderWatch implements SourceWatch {
  private readonly folders = new Map<string, WatchedFolder>();

  /** @param onChange called for each event: often, and also for changes that make no difference */
  constructor(
    private readonly root: string,
    private readonly onChange: () => void,
  ) {}

  /**
   * @throws errors of the file system, such as `ENOSPC` when the system allows no more watchers, and `ENOENT` when the folder
   *   is not there: nothing would tell when it is there again
   */
  async refresh(): Promise<void> {
    const found = new Set<string>();
    for (const waiting = [this.root]; waiting.length > 0;) {
      const folder = waiting.pop() ?? '';
      try {
        // Watched before it is read, so that no new folder is missed.
        await this.watchFolder(folder);
        const entries = await readdir(folder, { withFileTypes: true });
        for (const entry of entries)
          if (entry.isDirectory() && !entry.name.startsWith('.')) waiting.push(join(folder, entry.name));
        found.add(folder);
      } catch (error) {
        if (folder === this.root || !isUnreadable(error)) throw error;
      }
    }
    for (const folder of this.folders.keys()) if (!found.has(folder)) this.endWatch(folder);
  }

  close(): void {
    for (const folder of this.folders.keys()) this.endWatch(folder);
  }

  private async watchFolder(folder: string): Promise<void> {
    const { ino: inode } = await stat(folder, { bigint: true });
    if (this.folders.get(folder)?.inode === inode) return;
    this.endWatch(folder);
    const watcher = watch(folder, { persistent: false }, this.onChange);
    watcher.on('error', () => this.endWatch(folder));
    this.folders.set(folder, { watcher, inode });
  }

  private endWatch(folder: string): void {
    this.folders.get(folder)?.watcher.close();
    this.folders.delete(folder);
  }
}

function isUnreadable(error: unknown): boolean {
  const { code = '' } = error as NodeJS.ErrnoException;
  return ['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM'].includes(code);
}
