import { createHash } from 'node:crypto';
import { selectArchiveFiles } from '../archive/archive-files.js';
import { readZipEntries } from '../archive/zip-entries.js';
import { buildZip } from '../test-files/office.builder.js';
import { ExportArchive, type ExportContents } from './export-archive.js';
import { openExport } from './open-export.js';

/** Text that is not much shorter in an archive. */
export function digestOf(number: number): string {
  return createHash('sha256').update(String(number)).digest('hex');
}

type Entries = Readonly<Record<string, string | Uint8Array<ArrayBuffer>>>;

/** Opens an archive of these entries. */
export async function opened(entries: Entries): Promise<ExportContents | null> {
  const bytes = buildZip(entries);
  const read = (start: number, end: number): Promise<Uint8Array> =>
    Promise.resolve(bytes.subarray(start, end));
  const source = { size: bytes.length, read };
  const all = [...(await readZipEntries(source))];
  const limits = { maxFiles: 1_000, maxFileBytes: 1e8, maxTotalBytes: 1e9, maxPathLength: 4_096 };
  const { files } = selectArchiveFiles(all, source.size, limits);
  return openExport(
    new ExportArchive(
      files.map((file) => ({ ...file, source })),
      all.map(({ name }) => name),
      new AbortController().signal,
    ),
  );
}

/** The documents of an export: id → folder, name, and the paths of files that they link to. */
export async function documentsOf(
  entries: Entries,
): Promise<Record<string, readonly [string, string, string[]]>> {
  const contents = await opened(entries);
  return Object.fromEntries(
    (contents?.documents ?? []).map(({ id, folder, name, links }) => [
      id,
      [folder, name, links.map(({ path }) => path)] as const,
    ]),
  );
}

/** The converted text of a document; null for one whose bytes stay. */
export async function textOf(entries: Entries, id: string): Promise<string | null> {
  const contents = await opened(entries);
  return (await contents?.documents.find((document) => document.id === id)?.text?.read()) ?? null;
}
