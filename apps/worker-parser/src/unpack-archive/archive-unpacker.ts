import { Readable } from 'node:stream';
import { type BlobStore, verifyBlob } from '@citewell/blob-store';
import type { Config } from '@citewell/config';
import { IngestionError } from '@citewell/contracts/errors';
import {
  type ArchivedFile,
  ArchiveRepository,
  BlobRepository,
  contentBlobKey,
  newId,
  type RunEntity,
} from '@citewell/database';
import { DocumentError, inflateZipEntry, type PlacedFile, type SkippedFile } from '@citewell/documents';
import { type ByteSource, detectFileType, isArchive } from '@citewell/documents/file-type';
import { BLOB_STORE, CONFIG } from '@citewell/infrastructure';
import type { StageWork } from '@citewell/ingestion';
import { FaultPoints } from '@citewell/observability';
import { Inject, Injectable } from '@nestjs/common';
import {
  type ArchiveContents,
  type ContentFile,
  type LinkedDocument,
  metadataOf,
  nameOf,
  readArchiveContents,
} from './archive-contents.js';

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

/** A file whose bytes cannot be read. */
interface UnreadFile extends SkippedFile {
  readonly datasourceId: string;
}

type Outcome = ArchivedFile | SkippedFile | UnreadFile;

/** Why bytes cannot be read, by the code of the error. Other codes are damage. */
const UNREAD = new Map<string, string>([
  ['PASSWORD_REQUIRED', 'it is encrypted'],
  ['UNSUPPORTED_FILE', 'its compression method is not supported'],
]);

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
   * @throws DocumentError as {@link readArchiveContents}
   * @throws IngestionError ARCHIVE_EMPTY when no file can be ingested. The files of the former archive stay
   * @throws LeaseLostError
   */
  async unpack(work: StageWork): Promise<void> {
    const archive = await this.open(work.run);
    const parts: string[] = [];
    try {
      const contents = await readArchiveContents(
        archive,
        {
          maxFiles: MAX_FILES,
          maxFileBytes: this.config.MAX_UPLOAD_BYTES,
          maxTotalBytes: this.config.MAX_UPLOAD_BYTES * MAX_UPLOADS_UNPACKED,
        },
        (part) => this.unpackPart(part, work, parts),
        work.signal,
      );
      await this.storeContents(contents, work);
    } finally {
      await this.discard(parts);
    }
  }

  private async storeContents(
    { files, skipped, exportOf, note }: ArchiveContents,
    work: StageWork,
  ): Promise<void> {
    const { run, signal } = work;
    const knownIds = await this.archives.fileIds(run);
    const targets = targetsOf(run, files, knownIds);
    const outcomes: Outcome[] = [...skipped];
    for (let at = 0; at < targets.length; at += PARALLEL_FILES)
      outcomes.push(...(await this.storeFiles(run, targets.slice(at, at + PARALLEL_FILES), signal)));
    const stored = outcomes.filter((outcome) => 'content' in outcome);
    const unpacked = exportOf === null ? stored : withMetadata(stored, files);
    const skippedFiles = skippedFilesSentence(outcomes.filter((outcome) => 'reason' in outcome));
    const warning = joined(skippedFiles, note);
    if (unpacked.length === 0) {
      const former = knownIds.size === 0 ? null : 'Its former files answer with their last content.';
      const detail = joined(warning, former);
      throw new IngestionError('ARCHIVE_EMPTY', detail === null ? {} : { detail });
    }
    const unread = outcomes.flatMap((file) =>
      'reason' in file && 'datasourceId' in file ? file.datasourceId : [],
    );
    this.faults.reach('after-unpack');
    await this.discard(await this.archives.replaceFiles(run, unpacked, { unread, warning, exportOf }));
  }

  /** Writes an archive of the archive to the blob store, where it can be read at any place. */
  private async unpackPart(
    { source, entry }: PlacedFile,
    { run: { organizationId, datasourceId }, signal }: StageWork,
    parts: string[],
  ): Promise<ByteSource> {
    const key = contentBlobKey(organizationId, datasourceId, newId());
    await this.blobRows.announce([{ key, organizationId, datasourceId, runId: null }]);
    parts.push(key);
    const { bytes } = await this.blobStore.put(key, inflateZipEntry(source, entry), { signal });
    return this.sourceOf(key, bytes);
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

  private async storeFiles(
    { organizationId }: RunEntity,
    files: readonly { file: ContentFile; target: Target }[],
    signal: AbortSignal,
  ): Promise<Outcome[]> {
    signal.throwIfAborted();
    await this.blobRows.announce(
      files.map(({ target: { key, datasourceId } }) => ({ key, organizationId, datasourceId, runId: null })),
    );
    // Waits for all writes, even when one fails: no write may continue after this attempt.
    const settled = await Promise.allSettled(
      files.map(({ file, target }) => this.storeFile(file, target, signal)),
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
    content: ContentFile,
    { key, ...target }: Target,
    signal: AbortSignal,
  ): Promise<Outcome> {
    const { path, file } = content;
    try {
      const text = (await content.document?.text?.read()) ?? null;
      const bytes =
        text === null ? inflateZipEntry(file.source, file.entry) : Readable.from([Buffer.from(text)]);
      const written = await this.blobStore.put(key, bytes, { signal });
      const mimeType = text === null ? null : content.document?.text?.type;
      const stored = { ...target, path, name: nameOf(content), content: { key, ...written } };
      if (mimeType != null) return { ...stored, mimeType };
      const source = this.sourceOf(key, written.bytes);
      const declared = { fileName: file.path, plainTextExtensions: this.config.EXTRA_FILE_TYPES };
      const detected = await detectFileType(source, declared);
      if (detected !== null) return { ...stored, mimeType: detected };
      const isNested = await isArchive(source, declared);
      return { path, reason: isNested ? 'it is an archive' : 'its type is not supported' };
    } catch (error) {
      if (!(error instanceof DocumentError)) throw error;
      const reason = UNREAD.get(error.code) ?? 'it is damaged';
      const { datasourceId, isNew } = target;
      return { path, datasourceId, reason: isNew ? reason : `${reason}, so the former file is kept` };
    }
  }

  private async discard(keys: readonly string[]): Promise<void> {
    await this.blobStore.delete(keys);
    await this.blobRows.forget(keys);
  }
}

/** A file that is a datasource already keeps its id. */
function targetsOf(
  { organizationId }: RunEntity,
  files: readonly ContentFile[],
  knownIds: ReadonlyMap<string, string>,
): { file: ContentFile; target: Target }[] {
  return files.map((file) => {
    const knownId = knownIds.get(file.path);
    const datasourceId = knownId ?? newId();
    const key = contentBlobKey(organizationId, datasourceId, newId());
    return { file, target: { datasourceId, isNew: knownId === undefined, key } };
  });
}

function joined(...sentences: readonly (string | null)[]): string | null {
  return sentences.filter((sentence) => sentence !== null).join(' ') || null;
}

/** Files of an export with their places and links. Only those that are stored can be linked to. */
function withMetadata(stored: readonly ArchivedFile[], files: readonly ContentFile[]): ArchivedFile[] {
  const byPath = new Map(stored.map((file) => [file.path, file]));
  const linkable = new Map<PlacedFile, LinkedDocument>();
  for (const { path, file } of files) {
    const one = byPath.get(path);
    if (one !== undefined) linkable.set(file, { datasourceId: one.datasourceId, name: one.name });
  }
  return files.flatMap((file) => {
    const one = byPath.get(file.path);
    return one === undefined
      ? []
      : { ...one, metadata: metadataOf(file, (target) => linkable.get(target)) ?? {} };
  });
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
