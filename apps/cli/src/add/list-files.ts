import type { Dirent } from 'node:fs';
import { open, readdir } from 'node:fs/promises';
import { basename, extname, join, sep } from 'node:path';
import type { FileKind } from '@citewell/contracts/errors';
import { FILE_EXTENSIONS } from '@citewell/documents/file-extensions';
import { type ByteSource, detectFileType, refusalOf } from '@citewell/documents/file-type';

const SUPPORTED: ReadonlySet<string> = new Set([...FILE_EXTENSIONS, 'zip'].map((name) => `.${name}`));
/** Folders of programs, whose files nobody means to add. */
const PROGRAM_FOLDERS = ['node_modules', '__pycache__', '__MACOSX'];

/** Why an entry of a folder is not added. A kind is that of a file that cannot be read. */
export type SkipReason =
  'hidden' | 'program' | 'link' | 'empty' | 'special' | 'name' | 'no-access' | FileKind;

export interface SkippedEntry {
  readonly path: string;
  readonly reason: SkipReason;
  /** A folder that cannot be opened: any file may be in it. */
  readonly isFolder?: true;
}

export interface FolderContent {
  /** Paths that start with the folder, sorted. */
  files: string[];
  /** A folder that is skipped is one entry. */
  skipped: SkippedEntry[];
}

/**
 * Lists the files of a folder and its subfolders that can be read. Symbolic links are left out, so that no folder comes
 * twice.
 */
export async function listFiles(folder: string): Promise<FolderContent> {
  const content: FolderContent = { files: [], skipped: [] };
  for (const entry of await readSorted(folder)) {
    const path = join(folder, entry.name);
    const reason = reasonOfEntry(entry) ?? (entry.isFile() ? await reasonToSkip(path) : null);
    if (reason !== null) {
      content.skipped.push({ path, reason });
      continue;
    }
    if (entry.isFile()) {
      content.files.push(path);
      continue;
    }
    try {
      const { files, skipped } = await listFiles(path);
      content.files.push(...files);
      content.skipped.push(...skipped);
    } catch {
      content.skipped.push({ path, reason: 'no-access', isFolder: true });
    }
  }
  return content;
}

/** Why a file of a folder is not added; null if it is. Files that are named on the command line are sent whatever they are. */
export async function reasonToSkip(path: string): Promise<SkipReason | null> {
  const name = basename(path);
  // The last ones are of Office, while a document is open.
  if (name === 'Thumbs.db' || name === 'desktop.ini' || name.startsWith('~$')) return 'hidden';
  try {
    await using file = await open(path);
    const { size } = await file.stat();
    if (size === 0) return 'empty';
    if (SUPPORTED.has(extname(path).toLowerCase())) return null;
    const source: ByteSource = {
      size,
      read: async (start, end) => {
        const { buffer, bytesRead } = await file.read(Buffer.alloc(end - start), 0, end - start, start);
        return buffer.subarray(0, bytesRead);
      },
    };
    if ((await detectFileType(source, { fileName: name })) !== null) return null;
    const refusal = await refusalOf(source, { fileName: name });
    return 'kind' in refusal ? refusal.kind : 'empty';
  } catch {
    return 'no-access';
  }
}

/** Whether a part of a relative path starts with a dot, or is a folder of a program. */
export function isHidden(relativePath: string): boolean {
  return relativePath.split(sep).some((part) => part.startsWith('.') || PROGRAM_FOLDERS.includes(part));
}

function reasonOfEntry(entry: Dirent): SkipReason | null {
  // Node cannot open it.
  if (entry.name.includes('\u{FFFD}')) return 'name';
  if (entry.isSymbolicLink()) return 'link';
  if (entry.name.startsWith('.')) return 'hidden';
  if (entry.isDirectory()) return PROGRAM_FOLDERS.includes(entry.name) ? 'program' : null;
  return entry.isFile() ? null : 'special';
}

async function readSorted(folder: string): Promise<Dirent[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  return entries.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}
