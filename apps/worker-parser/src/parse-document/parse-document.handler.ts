import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { type BlobStore, verifyBlob } from '@citewell/blob-store';
import { IngestionError } from '@citewell/contracts/errors';
import type { BatchPayload } from '@citewell/contracts/jobs';
import { ARCHIVE_TYPE } from '@citewell/contracts/schemas';
import {
  ArchiveRepository,
  BlobRepository,
  type DatasourceEntity,
  type RunEntity,
  RunLifecycleRepository,
} from '@citewell/database';
import { DocumentError, hashEncoded, warningOf } from '@citewell/documents';
import { type FileType, isFileType, isTextual } from '@citewell/documents/file-type';
import { BLOB_STORE, SPACES, type Spaces } from '@citewell/infrastructure';
import {
  type FingerprintedContent,
  RunBlobs,
  RunExecutor,
  type StageWork,
  documentHash,
  pipelineFingerprint,
} from '@citewell/ingestion';
import { FaultPoints } from '@citewell/observability';
import type { JobContext } from '@citewell/queue';
import { Inject, Injectable } from '@nestjs/common';
import { PictureDescriptions } from '../descriptions/picture-descriptions.js';
import { RecognizedPagesStore } from '../recognition/recognized-pages.store.js';
import { TextRecognition } from '../recognition/text-recognition.js';
import type { ParsedFile } from '../sandbox/parse-protocol.js';
import { ParserSandbox } from '../sandbox/parser-sandbox.js';
import type { SandboxInput } from '../sandbox/sandbox-call.js';
import { ArchiveUnpacker } from '../unpack-archive/archive-unpacker.js';

/** Text files up to this size are sent to the sandbox without a copy on the disk. */
const SMALL_BYTES = 64_000;

/** The stored content of a run. */
export interface RunContent extends FingerprintedContent {
  /** Key of its blob. */
  readonly key: string;
  readonly contentType: FileType;
  readonly bytes: number;
}

/** Finds the stored content of a run and parses it in the sandbox. */
@Injectable()
export class ContentParser {
  constructor(
    @Inject(BlobRepository) private readonly blobRows: BlobRepository,
    @Inject(ArchiveRepository) private readonly archives: ArchiveRepository,
    @Inject(BLOB_STORE) private readonly blobStore: BlobStore,
    @Inject(ParserSandbox) private readonly sandbox: ParserSandbox,
    @Inject(RecognizedPagesStore) private readonly recognized: Pick<RecognizedPagesStore, 'of'>,
    @Inject(PictureDescriptions) private readonly descriptions: Pick<PictureDescriptions, 'of'>,
  ) {}

  /**
   * @throws IngestionError `UNSUPPORTED_FILE` for a type without a parser; `INTERNAL` when the run has no
   * content
   */
  async find({ contentKey: key, contentType }: RunEntity, datasource: DatasourceEntity): Promise<RunContent> {
    const blob = key === null ? null : await this.blobRows.find(key);
    if (key === null || blob?.sha256 == null)
      throw new IngestionError('INTERNAL', { message: 'the run has no content' });
    if (contentType === null || !isFileType(contentType))
      throw new IngestionError('UNSUPPORTED_FILE', { message: `type ${contentType}` });
    const encoding = await this.chosenEncoding(datasource, contentType);
    return {
      key,
      contentType,
      bytes: blob.bytes,
      sha256: blob.sha256,
      ...(encoding === null ? {} : { encoding }),
    };
  }

  /** A file of an archive has the encoding of the archive, unless it has one of its own. */
  private async chosenEncoding(
    { config: { encoding }, organizationId, groupId }: DatasourceEntity,
    contentType: FileType,
  ): Promise<string | null> {
    if (typeof encoding === 'string') return encoding;
    if (groupId === null || !isTextual(contentType)) return null;
    return this.archives.chosenEncoding(organizationId, groupId);
  }

  /**
   * Bytes that took too long are not tried again before the parser or its limit has changed: each try holds up other files.
   * This holds for all datasources of the organization.
   *
   * @throws as {@link ParserSandbox.parse}
   */
  async parse(content: RunContent, work: StageWork): Promise<ParsedFile> {
    const { organizationId } = work.run;
    const limit = `${pipelineFingerprint(content)} ${this.sandbox.timeoutMs}`;
    if (await this.blobRows.hasTimedOut(organizationId, content.sha256, limit))
      throw new IngestionError('PARSE_TIMEOUT', { message: 'the same bytes took too long before' });
    try {
      return await this.parseOnce(content, work);
    } catch (error) {
      if (error instanceof DocumentError && error.code === 'PARSE_TIMEOUT')
        await this.blobRows.recordTimeout(content.key, limit);
      throw error;
    }
  }

  private async parseOnce(
    content: RunContent,
    { run, datasource, signal, report }: StageWork,
  ): Promise<ParsedFile> {
    const describer = this.descriptions.of(run);
    const file = await this.sandbox.parse(
      {
        source: await this.open(content),
        fileType: content.contentType,
        fileName: run.contentName ?? datasource.name,
        encoding: content.encoding,
      },
      {
        holder: run.organizationId,
        signal,
        onProgress: neverBack(run.progress?.done ?? 0, report),
        pageStore: this.recognized.of(run),
        describer,
      },
    );
    const { warning } = describer;
    if (warning === null) return file;
    return { ...file, warnings: [...file.warnings, warning], hasUndescribedPictures: true };
  }

  private async open({ key, contentType, bytes }: RunContent): Promise<SandboxInput['source']> {
    if (bytes <= SMALL_BYTES && isTextual(contentType)) return this.blobStore.read(key);
    const path = await this.blobStore.localPath?.(key);
    if (path == null) return this.blobStore.open(key);
    // The sandbox reads the file itself.
    await verifyBlob(this.blobStore, key);
    return path;
  }
}

/** @param known the progress of an earlier attempt: this one begins again, and goes on faster */
function neverBack(known: number, report: StageWork['report']): StageWork['report'] {
  return ({ done, total }) => report({ done: Math.min(total, Math.max(known, done)), total });
}

/**
 * Decides whether a run would give another result than the serving run. A serving run in an outdated vector space
 * is never equal: the document must be indexed again. Content that was parsed without text recognition, or without the
 * language of some pages or the description of a picture, is parsed again once recognition is installed.
 */
@Injectable()
export class ChangeDetector {
  constructor(
    @Inject(TextRecognition) private readonly recognition: Pick<TextRecognition, 'isAvailable'>,
    @Inject(SPACES) private readonly spaces: Spaces,
  ) {}

  /** Whether parsing the content would give the serving document again. */
  async isContentUnchanged(serving: RunEntity | null, content: FingerprintedContent): Promise<boolean> {
    if (serving === null || !this.isCurrent(serving)) return false;
    if (serving.fingerprint === pipelineFingerprint(content)) return true;
    return this.lacksRecognition(serving, content) && !(await this.recognition.isAvailable());
  }

  /** Whether the parsed document is equal to the serving one, such as for a file that was saved again. */
  isDocumentUnchanged(serving: RunEntity | null, textHash: string): serving is RunEntity {
    return serving !== null && this.isCurrent(serving) && serving.textHash === textHash;
  }

  private isCurrent({ space }: RunEntity): boolean {
    const { indexing, embedding, isPreparing } = this.spaces;
    // Its space is unknown until the model is open. A reindex then finds what is outdated.
    if (isPreparing) return true;
    return space === indexing.space.name || space === embedding?.space.name;
  }

  /** Whether the serving run has the same content but was parsed without text recognition. */
  lacksRecognition(serving: RunEntity, content: FingerprintedContent): boolean {
    return serving.fingerprint === pipelineFingerprint(content, { lacksRecognition: true });
  }

  /** The fingerprint of a run that parsed this content to this file. */
  async fingerprintOf(
    content: FingerprintedContent,
    {
      hasUnrecognizedPages,
      hasUndescribedPictures,
      warnings,
    }: Pick<ParsedFile, 'hasUnrecognizedPages' | 'hasUndescribedPictures' | 'warnings'>,
  ): Promise<string> {
    const lacksLanguage = warnings.some(({ languages }) => languages !== undefined);
    const lacksRecognition =
      lacksLanguage ||
      hasUndescribedPictures === true ||
      (hasUnrecognizedPages && !(await this.recognition.isAvailable()));
    return pipelineFingerprint(content, { lacksRecognition });
  }
}

/** Parses the content of a run in the sandbox and stores the document as blobs of the run. */
@Injectable()
export class DocumentParsing {
  constructor(
    @Inject(RunLifecycleRepository) private readonly lifecycle: RunLifecycleRepository,
    @Inject(ContentParser) private readonly parser: ContentParser,
    @Inject(ChangeDetector) private readonly changes: ChangeDetector,
    @Inject(RunBlobs) private readonly runBlobs: RunBlobs,
    @Inject(RecognizedPagesStore) private readonly recognized: Pick<RecognizedPagesStore, 'forget'>,
    @Inject(FaultPoints) private readonly faults: FaultPoints,
  ) {}

  async parse(work: StageWork): Promise<void> {
    const { run, datasource, serving } = work;
    const content = await this.parser.find(run, datasource);
    if (await this.changes.isContentUnchanged(serving, content)) return this.lifecycle.keepServing(run);

    const file = await this.parser.parse(content, work);
    try {
      await this.store(file, content, work);
    } finally {
      if (file.tables !== null) await rm(file.tables, { force: true });
    }
    if (file.words !== null) await this.recognized.forget(run);
  }

  private async store(
    file: ParsedFile,
    content: RunContent,
    { run, datasource, serving, signal }: StageWork,
  ): Promise<void> {
    const textHash = documentHash(await hashParsed(file));
    const fingerprint = await this.changes.fingerprintOf(content, file);
    // The serving run may have a warning about the encoding, which a choice ends.
    if (content.encoding === undefined && this.changes.isDocumentUnchanged(serving, textHash)) {
      // Same bytes, and recognition found nothing new: the serving run gets the new fingerprint, so that the
      // bytes are not parsed again. Other bytes with the same text (a page with the time of day in it): it
      // keeps its own.
      const hasSameBytes = this.changes.lacksRecognition(serving, content);
      return this.lifecycle.keepServing(run, hasSameBytes ? fingerprint : null);
    }

    const { text, outline, tables, words, pages, characters, pageCount, leftOut, title } = file;
    const stored = {
      ...(tables !== null && { tables: createReadStream(tables) }),
      ...(words !== null && { words }),
    };
    await this.runBlobs.put(run, { text, outline, ...stored }, { signal });
    this.faults.reach('after-parse', run.contentName);
    await this.lifecycle.advance(run, 'indexing', {
      fingerprint,
      textHash,
      characters,
      counts: {
        chunks: 0,
        characters,
        bytes: content.bytes,
        pages: pageCount ?? 0,
        leftOut,
        ...(pages.length > 0 && { pageContents: pages }),
        ...(title === null ? {} : { title }),
      },
      warning: warningOf(file, { isPage: datasource.type === 'web_page' }),
    });
  }
}

/** The numbers of a workbook, and the places of recognized words, can change while the text stays. */
async function hashParsed(file: ParsedFile): Promise<string> {
  const ofWords = file.words === null ? '' : `-${createHash('sha256').update(file.words).digest('hex')}`;
  const ofText = `${hashEncoded(file)}${ofWords}`;
  if (file.tables === null) return ofText;
  const ofTables = createHash('sha256');
  await pipeline(createReadStream(file.tables), ofTables);
  return `${ofText}-${ofTables.digest('hex')}`;
}

/** Handles `parse-document`: parses the content of each run, or unpacks it if it is an archive. */
@Injectable()
export class ParseDocumentHandler {
  constructor(
    @Inject(RunExecutor) private readonly executor: RunExecutor,
    @Inject(DocumentParsing) private readonly documents: DocumentParsing,
    @Inject(ArchiveUnpacker) private readonly archives: ArchiveUnpacker,
  ) {}

  async handle(batch: BatchPayload, job: JobContext): Promise<void> {
    await this.executor.execute(batch, job, (work) =>
      work.run.contentType === ARCHIVE_TYPE ? this.archives.unpack(work) : this.documents.parse(work),
    );
  }
}
