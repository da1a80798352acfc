import { type BlobStore, verifyBlob } from '@citewell/blob-store';
import type { Config } from '@citewell/config';
import { IngestionError } from '@citewell/contracts/errors';
import { MAX_NAME_LENGTH } from '@citewell/contracts/schemas';
import {
  type ArchivedFile,
  ArchiveRepository,
  BlobRepository,
  contentBlobKey,
  newId,
  type RunEntity,
} from '@citewell/database';
import {
  type ArchiveFile,
  DocumentError,
  inflateZipEntry,
  readZipEntries,
  selectArchiveFiles,
  type SkippedFile,
} from '@citewell/documents';
import { type ByteSource, detectFileType, isArchive } from '@citewell/documents/file-type';
import { BLOB_STORE, CONFIG } from '@citewell/infrastructure';
import type { StageWork } from '@citewell/ingestion';
import { FaultPoints } from '@citewell/observability';
import { Inject, Injectable } from '@nestjs/common';

/** Skipped files that the sentence names. */
const MAX_NAMED_FILES = 10;

const MAX_FILES = 10_000;
/** Unpacked size of an archive, in uploads of the maximum size. */
const MAX_UPLOADS_UNPACKED = 10;
/** Files that are written at the same time. */
const PARALLEL_FILES = 8;

/** Where the content of a file of the archive is stored. */
interface Target {
  readonly datasourceId: string;
  readonly isNew: boolean;
  readonly key: string;
}

type Outcome = ArchivedFile | SkippedFile;

/**
 * Unpacks the archive of a run: each file becomes the content of a datasource. No file is visible before all are
 * stored. Blobs that an interrupted attempt leaves behind are collected after a day.
 */
@Injectable()
export class ArchiveUnpacker {
  constructor(
    @Inject(ArchiveRepository) private readonly archives: ArchiveRepository,
    @Inject(BlobRepository) private readonly blobRows: BlobRepository,
    @Inject(BLOB_STORE) private readonly blobStore: BlobStore,
    @Inject(CONFIG) private readonly config: Pick<Config, 'MAX_UPLOAD_BYTES' | 'EXTRA_FILE_TYPES'>,
    @Inject(FaultPoints) private readonly faults: FaultPoints,
  ) {}

  /**
   * @throws DocumentError CORRUPT_FILE when the archive cannot be read, TOO_COMPLEX when it exceeds the limits
   * @throws LeaseLostError
   */
  async unpack({ run, signal }: StageWork): Promise<void> {
    const archive = await this.open(run);
    const { files, skipped } = selectArchiveFiles(await readZipEntries(archive), archive.size, {
      maxFiles: MAX_FILES,
      maxFileBytes: this.config.MAX_UPLOAD_BYTES,
      maxTotalBytes: this.config.MAX_UPLOAD_BYTES * MAX_UPLOADS_UNPACKED,
    });
    const targets = await this.targetsOf(run, files);
    const outcomes: Outcome[] = [...skipped];
    for (let at = 0; at < targets.length; at += PARALLEL_FILES)
      outcomes.push(...(await this.storeFiles(run, archive, targets.slice(at, at + PARALLEL_FILES), signal)));
    const unpacked = outcomes.filter((outcome) => 'content' in outcome);
    const warning = skippedFilesSentence(outcomes.filter((outcome) => 'reason' in outcome));
    this.faults.reach('after-unpack');
    await this.discard(await this.archives.replaceFiles(run, unpacked, warning));
  }

  private async open({ contentKey }: RunEntity): Promise<ByteSource> {
    const stat = contentKey === null ? null : await this.blobStore.stat(contentKey);
    if (contentKey === null || stat === null)
      throw new IngestionError('INTERNAL', { message: 'the run has no content' });
    await verifyBlob(this.blobStore, contentKey);
    return this.sourceOf(contentKey, stat.bytes);
  }

  private sourceOf(key: string, size: number): ByteSource {
    return { size, read: (start, end) => this.blobStore.read(key, { start, end }) };
  }

  /** A file that is a datasource already keeps its id. */
  private async targetsOf(
    run: RunEntity,
    files: readonly ArchiveFile[],
  ): Promise<{ file: ArchiveFile; target: Target }[]> {
    const knownIds = await this.archives.fileIds(run);
    return files.map((file) => {
      const knownId = knownIds.get(file.path);
      const datasourceId = knownId ?? newId();
      const key = contentBlobKey(run.organizationId, datasourceId, newId());
      return { file, target: { datasourceId, isNew: knownId === undefined, key } };
    });
  }

  private async storeFiles(
    { organizationId }: RunEntity,
    archive: ByteSource,
    files: readonly { file: ArchiveFile; target: Target }[],
    signal: AbortSignal,
  ): Promise<Outcome[]> {
    signal.throwIfAborted();
    await this.blobRows.announce(
      files.map(({ target: { key, datasourceId } }) => ({ key, organizationId, datasourceId, runId: null })),
    );
    // Waits for all writes, even when one fails: no write may continue after this attempt.
    const settled = await Promise.allSettled(
      files.map(({ file, target }) => this.storeFile(archive, file, target, signal)),
    );
    const outcomes = settled.map((outcome) => {
      if (outcome.status === 'rejected') throw outcome.reason;
      return outcome.value;
    });
    await this.discard(
      files.filter((_, index) => 'reason' in (outcomes[index] ?? {})).map(({ target }) => target.key),
    );
    return outcomes;
  }

  private async storeFile(
    archive: ByteSource,
    { path, entry }: ArchiveFile,
    { key, ...target }: Target,
    signal: AbortSignal,
  ): Promise<Outcome> {
    try {
      const written = await this.blobStore.put(key, inflateZipEntry(archive, entry), { signal });
      const content = this.sourceOf(key, written.bytes);
      const declared = { fileName: path, plainTextExtensions: this.config.EXTRA_FILE_TYPES };
      const mimeType = await detectFileType(content, declared);
      if (mimeType !== null)
        return { ...target, path, name: nameOf(path), mimeType, content: { key, ...written } };
      const isNested = await isArchive(content, declared);
      return { path, reason: isNested ? 'it is an archive' : 'its type is not supported' };
    } catch (error) {
      if (error instanceof DocumentError) return { path, reason: 'it is damaged' };
      throw error;
    }
  }

  private async discard(keys: readonly string[]): Promise<void> {
    await this.blobStore.delete(keys);
    await this.blobRows.forget(keys);
  }
}

/** The base name of a file, which may be longer than a name of a datasource. */
function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).slice(0, MAX_NAME_LENGTH);
}

/** A sentence for the user about the files of an archive that were skipped; null for none. */
export function skippedFilesSentence(skipped: readonly SkippedFile[]): string | null {
  if (skipped.length === 0) return null;
  const named = skipped.slice(0, MAX_NAMED_FILES).map(({ path, reason }) => `${path} (${reason})`);
  const more = skipped.length - named.length;
  const list = [...named, ...(more > 0 ? [`and ${more.toLocaleString('en')} more`] : [])].join(', ');
  return skipped.length === 1
    ? `1 file was skipped: ${list}.`
    : `${skipped.length.toLocaleString('en')} files were skipped: ${list}.`;
}
