import type { DuplicateReason } from '@citewell/contracts/messages';
import { CitewellError } from '@citewell/sdk';

/** In UTF-16 code units, as the API counts them. */
const MAX_NAME_LENGTH = 255;

/** Folders of programs, whose files nobody means to add. */
const PROGRAM_FOLDERS = ['node_modules', '__MACOSX', '__pycache__'];

/** The file of the library that has the name or the bytes of an upload. */
export interface Duplicate {
  readonly reason: DuplicateReason;
  readonly datasourceId: string;
}

/** What an upload would repeat; null if it failed for another reason. */
export function duplicateOf(error: unknown): Duplicate | null {
  if (!(error instanceof CitewellError) || error.code !== 'CONFLICT') return null;
  for (const { reason, values } of error.details) {
    const datasourceId = values?.['datasourceId'];
    if ((reason === 'SAME_NAME' || reason === 'SAME_CONTENT') && datasourceId !== undefined)
      return { reason, datasourceId };
  }
  return null;
}

const PAYMENT_REQUIRED = 402;
const TOO_MANY_REQUESTS = 429;

/** Whether the same request may succeed later: unless the server refused this file. */
export function canRetry(error: unknown): boolean {
  if (!(error instanceof CitewellError)) return true;
  const { status } = error;
  return status < 400 || status === PAYMENT_REQUIRED || status === TOO_MANY_REQUESTS || status >= 500;
}

/** The path of a file inside a chosen or dropped folder; the name of any other file. */
export function pathOf(file: File): string {
  const path = 'path' in file && typeof file.path === 'string' ? file.path : file.webkitRelativePath;
  return path.replace(/^\.?\//, '') || file.name;
}

/** The name of the datasource: the path, without outer folders where it is too long. */
export function uploadName(path: string): string {
  let name = path;
  while (name.length > MAX_NAME_LENGTH && name.includes('/')) name = name.slice(name.indexOf('/') + 1);
  return name;
}

/** Whether a file of a folder is hidden or belongs to a program, so that it is left out. Files that are chosen alone are not. */
export function isLeftOut(path: string): boolean {
  const parts = path.split('/');
  if (parts.length === 1) return false;
  return parts.some((part) => part.startsWith('.') || PROGRAM_FOLDERS.includes(part) || part === 'Thumbs.db');
}

/** The name of a datasource whose file is replaced: that of the new file, in the folder of the old one. */
export function replacedName(name: string, fileName: string): string {
  return uploadName(name.slice(0, name.lastIndexOf('/') + 1) + fileName);
}

/**
 * Runs asynchronous work in the order of the calls, at most `parallel` at a time.
 *
 * @returns a function that waits for its turn and then calls `work`
 */
export function createLimit(parallel: number): <Value>(work: () => Promise<Value>) => Promise<Value> {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running >= parallel) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}

/**
 * Runs work once for all calls that come while it is running. Each call waits for a run that began after it.
 *
 * @param work its failures end the waiting, and are not reported
 */
export function joinCalls(work: () => Promise<unknown>): () => Promise<void> {
  let last: Promise<void> = Promise.resolve();
  let next: Promise<void> | null = null;
  return () => {
    next ??= last.then(async () => {
      next = null;
      try {
        await work();
      } catch {
        // The caller only waits.
      }
    });
    last = next;
    return next;
  };
}
