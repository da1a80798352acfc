import { watch } from 'node:fs';
import { lstat, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isHidden, reasonToSkip } from './list-files.js';

/** Time without a change before changes are reported: a program may write a file in several steps. */
const QUIET_MS = 500;

/** A file or a folder with all its subfolders. */
export interface WatchedPath {
  path: string;
  isFolder: boolean;
}

/**
 * Watches from now on, and yields the files that were changed or added, in groups. Of folders, only those that
 * `listFiles` would list. Ends when the signal is aborted.
 */
export function watchPaths(
  watched: readonly WatchedPath[],
  signal: AbortSignal,
): AsyncGenerator<string[], void, undefined> {
  const state: State = { changed: new Map(), changes: 0, error: null, wake: Promise.withResolvers() };
  signal.addEventListener('abort', () => state.wake.resolve());
  for (const { path, isFolder } of watched) {
    // The folder of a file is watched, because many programs replace a file in place of writing to it.
    const folder = isFolder ? path : dirname(path);
    const watcher = watch(folder, { recursive: isFolder, signal }, (_, name) => {
      if (name === null) return;
      if (isFolder ? isHidden(name) : name !== basename(path)) return;
      state.changed.set(isFolder ? join(path, name) : path, isFolder);
      state.changes += 1;
      state.wake.resolve();
    });
    watcher.on('error', (error) => {
      state.error ??= error;
      state.wake.resolve();
    });
  }
  return groups(state, signal);
}

interface State {
  /** Paths, and whether each was found in a folder. */
  changed: Map<string, boolean>;
  /** The number of events so far. */
  changes: number;
  error: Error | null;
  /** Resolved by the next event. */
  wake: PromiseWithResolvers<void>;
}

async function* groups(state: State, signal: AbortSignal): AsyncGenerator<string[], void, undefined> {
  for (;;) {
    await state.wake.promise;
    for (let seen = -1; seen !== state.changes; await sleep(QUIET_MS)) {
      if (signal.aborted) return;
      if (state.error) throw state.error;
      seen = state.changes;
    }
    state.wake = Promise.withResolvers();
    const changed = [...state.changed];
    state.changed.clear();
    const files = [];
    for (const [path, isInFolder] of changed) if (await isAdded(path, isInFolder)) files.push(path);
    if (files.length > 0) yield files.toSorted();
  }
}

/** In a folder, a symbolic link is no file: whoever may write into the folder could name any file of the user by it. */
async function isAdded(path: string, isInFolder: boolean): Promise<boolean> {
  const stats = await (isInFolder ? lstat(path) : stat(path)).catch(() => null);
  if (!stats?.isFile()) return false;
  return !isInFolder || (await reasonToSkip(path)) === null;
}
