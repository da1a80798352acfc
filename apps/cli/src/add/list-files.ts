import { readdir } from 'node:fs/promises';
import { extname, join, sep } from 'node:path';
import { FILE_EXTENSIONS } from '@citewell/documents/file-extensions';

const SUPPORTED: ReadonlySet<string> = new Set([...FILE_EXTENSIONS, 'zip'].map((name) => `.${name}`));

export interface FolderContent {
  /** Paths that start with the folder, sorted. */
  files: string[];
  /** The number of files whose type the service does not read. Hidden files do not count. */
  skipped: number;
}

/** Lists the files of a folder and its subfolders. Hidden files and folders, and symbolic links, are left out. */
export async function listFiles(folder: string): Promise<FolderContent> {
  const content: FolderContent = { files: [], skipped: 0 };
  const entries = await readdir(folder, { withFileTypes: true });
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(folder, entry.name);
    if (entry.name.startsWith('.')) continue;
    if (entry.isDirectory()) {
      const { files, skipped } = await listFiles(path);
      content.files.push(...files);
      content.skipped += skipped;
    } else if (entry.isFile()) {
      if (hasSupportedType(path)) content.files.push(path);
      else content.skipped += 1;
    }
  }
  return content;
}

/** By the extension. Files that are named on the command line are sent whatever their extension is. */
export function hasSupportedType(path: string): boolean {
  return SUPPORTED.has(extname(path).toLowerCase());
}

/** Whether a part of a relative path starts with a dot. */
export function isHidden(relativePath: string): boolean {
  return relativePath.split(sep).some((part) => part.startsWith('.'));
}
