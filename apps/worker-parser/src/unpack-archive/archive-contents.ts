import { createHash } from 'node:crypto';
import {
  type ExportKind,
  MAX_METADATA_LENGTH,
  MAX_NAME_LENGTH,
  metadataSchema,
} from '@citewell/contracts/schemas';
import {
  DocumentError,
  ExportArchive,
  type ExportContents,
  type ExportDocument,
  openExport,
  type PlacedFile,
  readZipEntries,
  selectArchiveFiles,
  type SkippedFile,
  titleLine,
} from '@citewell/documents';
import type { ByteSource } from '@citewell/documents/file-type';

/** The length of a custom id. */
const MAX_PATH_LENGTH = 255;
/** Exports have long paths: names of pages, each with an id. */
const MAX_EXPORT_PATH_LENGTH = 4096;
/** Archives that an archive of nothing else may have: Notion packs an export in parts. */
const MAX_PARTS = 20;

/** Limits of an archive and its parts. */
export interface ContentLimits {
  readonly maxFiles: number;
  /** Size of one file. */
  readonly maxFileBytes: number;
  /** Size of all files together. */
  readonly maxTotalBytes: number;
}

/** A file that becomes a datasource. */
export interface ContentFile {
  /** Its custom id: the path in the archive. */
  readonly path: string;
  readonly file: PlacedFile;
  /** Of an export. */
  readonly document?: ExportDocument;
}

export interface ArchiveContents {
  readonly files: readonly ContentFile[];
  readonly skipped: readonly SkippedFile[];
  readonly exportOf: ExportKind | null;
  /** A sentence about what was left out of an export; null for nothing. */
  readonly note: string | null;
}

interface Entries {
  readonly files: readonly PlacedFile[];
  readonly names: readonly string[];
  readonly skipped: readonly SkippedFile[];
}

/**
 * Finds out which files an archive has, and whether they are an export of another program.
 *
 * @param unpack makes an archive in the archive readable at any place
 * @throws DocumentError CORRUPT_FILE when the archive or an archive of it that is to be read cannot be read, TOO_COMPLEX
 * when they exceed the limits
 */
export async function readArchiveContents(
  archive: ByteSource,
  limits: ContentLimits,
  unpack: (file: PlacedFile) => Promise<ByteSource>,
  signal: AbortSignal,
): Promise<ArchiveContents> {
  const entries = await entriesOf(archive, limits);
  const contents = await openExport(new ExportArchive(entries.files, entries.names, signal));
  if (contents !== null) return ofExport(contents, entries.skipped);
  const parts = await entriesOfParts(entries, limits, unpack);
  const together = parts && (await openExport(new ExportArchive(parts.files, parts.names, signal)));
  if (parts && together) return ofExport(together, [...entries.skipped, ...parts.skipped]);
  const isLong = ({ path }: PlacedFile): boolean => path.length > MAX_PATH_LENGTH;
  const long = entries.files.filter(isLong).map(({ path }) => ({
    path,
    reason: `its path is longer than ${MAX_PATH_LENGTH} characters`,
  }));
  const files = entries.files.filter((file) => !isLong(file)).map((file) => ({ path: file.path, file }));
  return { files, skipped: [...entries.skipped, ...long], exportOf: null, note: null };
}

function ofExport(
  { kind, documents, note }: ExportContents,
  skipped: readonly SkippedFile[],
): ArchiveContents {
  const files = documents.map((document) => ({ path: customIdOf(document), file: document.file, document }));
  return { files, skipped, exportOf: kind, note };
}

async function entriesOf(source: ByteSource, limits: ContentLimits): Promise<Entries> {
  const entries = await readZipEntries(source);
  const { files, skipped } = selectArchiveFiles(entries, source.size, {
    ...limits,
    maxPathLength: MAX_EXPORT_PATH_LENGTH,
  });
  return {
    files: files.map((file) => ({ ...file, source })),
    names: entries.map(({ name }) => name),
    skipped,
  };
}

/**
 * @returns null unless the archive has nothing but archives
 * @throws DocumentError for parts that cannot be read: an export without them would lack documents
 */
async function entriesOfParts(
  { files, skipped: empty }: Entries,
  limits: ContentLimits,
  unpack: (file: PlacedFile) => Promise<ByteSource>,
): Promise<Entries | null> {
  const isPart = ({ path }: { path: string }): boolean => path.toLowerCase().endsWith('.zip');
  if (files.length === 0 || files.length > MAX_PARTS || !files.every(isPart)) return null;
  if (empty.some(isPart)) throw new DocumentError('CORRUPT_FILE', 'a part cannot be read');
  const byPath = new Map<string, PlacedFile>();
  const names: string[] = [];
  const skipped: SkippedFile[] = [];
  for (const file of files) {
    const part = await unpack(file)
      .then((source) => entriesOf(source, limits))
      .catch((error: unknown) => {
        if (!(error instanceof DocumentError)) throw error;
        const { code, message, userMessage } = error;
        throw new DocumentError(code, message, { cause: error, userMessage: `${file.path}: ${userMessage}` });
      });
    names.push(...part.names);
    skipped.push(...part.skipped);
    for (const inner of part.files) {
      const { path, entry } = inner;
      const other = byPath.get(path)?.entry;
      if (other === undefined) byPath.set(path, inner);
      // Such as of two exports.
      else if (other.checksum !== entry.checksum)
        skipped.push({ path, reason: 'another file has the same path' });
    }
  }
  const all = [...byPath.values()];
  const bytes = all.reduce((sum, { entry }) => sum + entry.inflatedBytes, 0);
  if (all.length > limits.maxFiles || bytes > limits.maxTotalBytes)
    throw new DocumentError('TOO_COMPLEX', `the parts have ${all.length} files with ${bytes} bytes`);
  return { files: all, names, skipped };
}

/** The path of a document. Of a long one, the end, after a hash of it all. */
function customIdOf({ id }: ExportDocument): string {
  if (id.length <= MAX_PATH_LENGTH) return id;
  const hash = createHash('sha256').update(id).digest('hex').slice(0, 32);
  return `${hash}/${id.slice(hash.length + 1 - MAX_PATH_LENGTH).toWellFormed()}`;
}

/** A document that another one links to. */
export interface LinkedDocument {
  readonly datasourceId: string;
  readonly name: string;
}

/** The name of a file as a datasource: what its export calls it, or its base name, which may be longer than a name. */
export function nameOf({ path, document }: ContentFile): string {
  const name = document === undefined ? null : titleLine(document.name);
  return (
    name ??
    path
      .slice(path.lastIndexOf('/') + 1)
      .slice(0, MAX_NAME_LENGTH)
      .toWellFormed()
  );
}

/**
 * What a datasource says of a document of an export: its fields, its place and its links, as many as metadata can hold.
 *
 * @returns undefined for other files
 */
export function metadataOf(
  file: ContentFile,
  linked: (file: PlacedFile) => LinkedDocument | undefined,
): Record<string, unknown> | undefined {
  const { document } = file;
  if (document === undefined) return undefined;
  const name = nameOf(file);
  const folder = document.folder.toWellFormed().replaceAll(/\p{C}+/gu, ' ');
  const place = { path: folder === '' ? name : `${folder}/${name}` };
  const fits = (metadata: Record<string, unknown>): boolean => metadataSchema.safeParse(metadata).success;
  let metadata: Record<string, unknown> = { ...document.properties, ...place };
  if (!fits(metadata)) metadata = fits(place) ? place : {};
  const links: LinkedDocument[] = [];
  // Each link is counted with a comma, which the first one lacks.
  let length = JSON.stringify({ ...metadata, links }).length - 1;
  for (const target of document.links) {
    const link = linked(target);
    if (link === undefined) continue;
    length += JSON.stringify(link).length + 1;
    if (length > MAX_METADATA_LENGTH) break;
    links.push(link);
  }
  return links.length === 0 ? metadata : { ...metadata, links };
}
