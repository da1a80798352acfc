import type { BlobSource, BlobStore } from '@citewell/blob-store';
import type { Config } from '@citewell/config';
import { ARCHIVE_TYPE } from '@citewell/contracts/http';
import { BlobRepository, contentBlobKey, newId, type TenantScope } from '@citewell/database';
import { detectFileType, FILE_EXTENSIONS, type FileType, isArchive } from '@citewell/documents/file-type';
import { BLOB_STORE, CONFIG, LOGGER } from '@citewell/infrastructure';
import type { Logger } from '@citewell/observability';
import { Inject, Injectable } from '@nestjs/common';
import { ApiError, invalid } from '../http/api-error.js';

/** Content in the blob store that no datasource refers to yet. */
export interface ReceivedContent {
  key: string;
  datasourceId: string;
  bytes: number;
  sha256: string;
}

/**
 * Streams content into the blob store while hashing it, without buffering it in memory. Callers discard
 * content that they do not use. Content that a crash leaves behind has a row in `blobs` and is collected
 * after a day.
 */
@Injectable()
export class ContentReceiver {
  constructor(
    @Inject(BLOB_STORE) private readonly store: BlobStore,
    @Inject(BlobRepository) private readonly rows: BlobRepository,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Stores content and computes its size and SHA-256.
   *
   * @throws BlobTooLargeError above `MAX_UPLOAD_BYTES`; any error that the source throws, unchanged
   */
  async receive(tenant: TenantScope, source: BlobSource, datasourceId = newId()): Promise<ReceivedContent> {
    const { organizationId } = tenant;
    const key = contentBlobKey(organizationId, datasourceId, newId());
    await this.rows.announce([{ key, organizationId, datasourceId, runId: null }]);
    try {
      const { bytes, sha256 } = await this.store.put(key, source, { maxBytes: this.config.MAX_UPLOAD_BYTES });
      return { key, datasourceId, bytes, sha256 };
    } catch (error) {
      await this.discard({ key });
      throw error;
    }
  }

  /** Stores a text as UTF-8. */
  async receiveText(tenant: TenantScope, text: string, datasourceId?: string): Promise<ReceivedContent> {
    return this.receive(tenant, Buffer.from(text, 'utf8'), datasourceId);
  }

  /**
   * Deletes content, unless a datasource refers to it after all: a transaction may have committed although
   * the connection was lost before its result arrived. Content that cannot be deleted now is collected after
   * a day.
   */
  async discard({ key }: Pick<ReceivedContent, 'key'>): Promise<void> {
    try {
      if (await this.rows.isCommitted(key)) return;
      await this.store.delete([key]);
      await this.rows.forget([key]);
    } catch (error) {
      this.logger.warn(
        { err: error, key },
        'received content could not be deleted and will be collected later',
      );
    }
  }

  /** Calls `use`, and discards the contents when it rejects. The array may grow while `use` runs. */
  async discardOnError<Result>(
    contents: readonly ReceivedContent[],
    use: () => Promise<Result>,
  ): Promise<Result> {
    try {
      return await use();
    } catch (error) {
      await Promise.all(contents.map((content) => this.discard(content)));
      throw error;
    }
  }

  /**
   * Detects the file type from the content.
   *
   * @throws {@link ApiError} when the content is empty, of no supported type, or of another type than
   * declared
   */
  async typeOf(
    content: ReceivedContent,
    declared: { fileName: string; mimeType: string },
  ): Promise<FileType | typeof ARCHIVE_TYPE> {
    if (content.bytes === 0) throw invalid('file', 'is empty');
    const source = {
      size: content.bytes,
      read: (start: number, end: number) => this.store.read(content.key, { start, end }),
    };
    const claims = {
      fileName: declared.fileName,
      declaredMimeType: declared.mimeType,
      plainTextExtensions: this.config.EXTRA_FILE_TYPES,
    };
    const type = await detectFileType(source, claims);
    if (type) return type;
    if (await isArchive(source, claims)) return ARCHIVE_TYPE;
    throw new ApiError(
      'UNSUPPORTED_MEDIA_TYPE',
      `The type of the file is not supported, or its content does not match its name. Supported are ${FILE_EXTENSIONS.join(', ')}, zip and files of plain text. EXTRA_FILE_TYPES adds extensions of plain text.`,
    );
  }
}
