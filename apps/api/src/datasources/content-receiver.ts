import type { Readable } from 'node:stream';
import type { BlobStore } from '@citewell/blob-store';
import type { Config } from '@citewell/config';
import { BlobRepository, contentBlobKey, newId, type TenantScope } from '@citewell/database';
import { detectFileType, FILE_TYPES, type FileType } from '@citewell/documents/file-type';
import { BLOB_STORE, CONFIG, LOGGER } from '@citewell/infrastructure';
import type { Logger } from '@citewell/observability';
import { Inject, Injectable } from '@nestjs/common';
import { ApiError, invalid } from '../http/api-error.js';

/** Bytes that are in the blob store and belong to no datasource yet. */
export interface ReceivedContent {
  key: string;
  datasourceId: string;
  bytes: number;
  sha256: string;
}

/**
 * Takes content in: streams it into the blob store while hashing it, never into memory. What is not kept in the
 * end is discarded; what a crash leaves behind has a row and is collected after a day.
 */
@Injectable()
export class ContentReceiver {
  constructor(
    @Inject(BLOB_STORE) private readonly store: BlobStore,
    @Inject(BlobRepository) private readonly rows: BlobRepository,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** @throws BlobTooLargeError, and the stream's own error when the client goes away */
  async receive(
    tenant: TenantScope,
    source: Readable | Buffer,
    datasourceId = newId(),
  ): Promise<ReceivedContent> {
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

  /** Text that came inside a JSON body. */
  async receiveText(tenant: TenantScope, text: string, datasourceId?: string): Promise<ReceivedContent> {
    return this.receive(tenant, Buffer.from(text, 'utf8'), datasourceId);
  }

  /**
   * Takes content back, unless something refers to it after all: a transaction may have been committed although its
   * answer was lost. What cannot be decided or deleted now is collected after a day.
   */
  async discard({ key }: Pick<ReceivedContent, 'key'>): Promise<void> {
    try {
      if (await this.rows.isCommitted(key)) return;
      await this.store.delete([key]);
      await this.rows.forget([key]);
    } catch (error) {
      this.logger.warn({ err: error, key }, 'received content not taken back yet');
    }
  }

  /**
   * Which of the supported types the content really is.
   *
   * @throws {@link ApiError} when it is empty, none of them, or not what it says it is
   */
  async typeOf(
    content: ReceivedContent,
    declared: { fileName: string; mimeType: string },
  ): Promise<FileType> {
    if (content.bytes === 0) throw invalid('file', 'is empty');
    const source = {
      size: content.bytes,
      read: (start: number, end: number) => this.store.read(content.key, { start, end }),
    };
    const type = await detectFileType(source, {
      fileName: declared.fileName,
      declaredMimeType: declared.mimeType,
      extraTypes: this.config.EXTRA_FILE_TYPES,
    });
    if (type) return type;
    throw new ApiError(
      'UNSUPPORTED_MEDIA_TYPE',
      `The file is none of the supported types, or not what its name says: ${[...FILE_TYPES, ...this.config.EXTRA_FILE_TYPES].join(', ')}.`,
    );
  }
}
