import { type BlobStore, verifyBlob } from '@citewell/blob-store';
import type { Config } from '@citewell/config';
import { IngestionError } from '@citewell/contracts/errors';
import { ArchiveRepository, BlobRepository, type DatasourceEntity, type RunEntity } from '@citewell/database';
import { DocumentError } from '@citewell/documents';
import { type FileType, isFileType, isTextual } from '@citewell/documents/file-type';
import { BLOB_STORE, CONFIG } from '@citewell/infrastructure';
import { type FingerprintedContent, pipelineFingerprint, type StageWork } from '@citewell/ingestion';
import { Inject, Injectable } from '@nestjs/common';
import type { ParsedFile } from '../sandbox/parse-protocol.js';
import { ParserSandbox, type SandboxInput } from '../sandbox/parser-sandbox.js';

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
    @Inject(CONFIG) private readonly config: Pick<Config, 'PARSER_TIMEOUT_MS'>,
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
    const limit = `${pipelineFingerprint(content)} ${this.config.PARSER_TIMEOUT_MS}`;
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
    return this.sandbox.parse(
      {
        source: await this.open(content),
        fileType: content.contentType,
        fileName: run.contentName ?? datasource.name,
        encoding: content.encoding,
      },
      { holder: run.organizationId, signal, onProgress: report },
    );
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
