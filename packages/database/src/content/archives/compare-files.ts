import type { WrittenBlob } from '../blobs/blob.repository.js';

/** A file of an archive that was unpacked into the blob store. */
export interface ArchivedFile {
  readonly datasourceId: string;
  /** Whether the archive had no such file when unpacking began. */
  readonly isNew: boolean;
  readonly path: string;
  readonly name: string;
  readonly mimeType: string;
  readonly content: WrittenBlob;
}

/** A file of an archive that is a datasource already. */
export interface ExistingFile {
  readonly id: string;
  readonly sha256: string | null;
  readonly mimeType: string | null;
  readonly isSynched: boolean;
  /** It has an unfinished run. */
  readonly isBusy: boolean;
}

export interface FileChanges {
  readonly added: readonly ArchivedFile[];
  readonly changed: readonly ArchivedFile[];
  /** Ids of files with the same content that are processed again. */
  readonly repeated: readonly string[];
  /** Ids of files that the archive no longer has. */
  readonly missing: readonly string[];
  /** Blobs that nothing will refer to: of equal files, and of files that were deleted during unpacking. */
  readonly unused: readonly string[];
}

/**
 * Compares the files of an archive with its datasources. Equal files that are not up to date are processed again.
 *
 * @param repeatsEqual all equal files are processed again, which is short for those whose text would be the same
 */
export function compareFiles(
  existing: readonly ExistingFile[],
  unpacked: readonly ArchivedFile[],
  repeatsEqual: boolean,
): FileChanges {
  const existingById = new Map(existing.map((file) => [file.id, file]));
  const unpackedIds = new Set(unpacked.map(({ datasourceId }) => datasourceId));
  const isEqual = ({ datasourceId, content, mimeType }: ArchivedFile): boolean => {
    const file = existingById.get(datasourceId);
    return file?.sha256 === content.sha256 && file.mimeType === mimeType;
  };
  const added = unpacked.filter(({ isNew }) => isNew);
  const changed = unpacked.filter((file) => existingById.has(file.datasourceId) && !isEqual(file));
  const used = new Set([...added, ...changed]);
  const equalIds = new Set(unpacked.filter(isEqual).map(({ datasourceId }) => datasourceId));
  return {
    added,
    changed,
    repeated: existing
      .filter(({ id, isBusy, isSynched }) => equalIds.has(id) && !isBusy && (repeatsEqual || !isSynched))
      .map(({ id }) => id),
    missing: existing.filter(({ id }) => !unpackedIds.has(id)).map(({ id }) => id),
    unused: unpacked.filter((file) => !used.has(file)).map(({ content }) => content.key),
  };
}
