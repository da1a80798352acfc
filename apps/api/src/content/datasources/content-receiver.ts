import { type BlobSource, type BlobStore, BlobTooLargeError, type PutResult } from '@citewell/blob-store';
import type { Config } from '@citewell/config';
import type { FileRefusal } from '@citewell/contracts/errors';
import { describeRefusal, ENGLISH_FILES } from '@citewell/contracts/file-sentences';
import { ARCHIVE_TYPE } from '@citewell/contracts/schemas';
import { BlobRepository, contentBlobKey, newId, type TenantScope } from '@citewell/database';
import { detectFileType, type FileType, isArchive, refusalOf } from '@citewell/documents/file-type';
import { BLOB_STORE, CONFIG, LOGGER } from '@citewell/infrastructure';
import type { Logger } from '@citewell/observability';
import { Inject, Injectable } from '@nestjs/common';
import { ApiError } from '../../http/api-error.js';

/** Blobs of one request that are written at a time. Small ones among them share a statement, which waits for the disk. */
const CONCURRENT_WRITES = 64;
const MAX_LOGGED_KEYS = 10;

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
      const { bytes, sha256 } = await this.put(key, source);
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

  /** Stores texts as UTF-8, several at a time: all of them, or none. */
  async receiveTexts(tenant: TenantScope, texts: readonly string[]): Promise<ReceivedContent[]> {
    const { organizationId } = tenant;
    const announced = texts.map(() => {
      const datasourceId = newId();
      return { key: contentBlobKey(organizationId, datasourceId, newId()), datasourceId };
    });
    await this.rows.announce(announced.map((blob) => ({ ...blob, organizationId, runId: null })));
    const received: ReceivedContent[] = [];
    const queue = announced.entries();
    const storeNext = async (): Promise<void> => {
      // All take from the same iterator.
      for (const [index, blob] of queue) {
        const { bytes, sha256 } = await this.put(blob.key, Buffer.from(texts[index] ?? '', 'utf8'));
        received[index] = { ...blob, bytes, sha256 };
      }
    };
    const workers = Array.from({ length: CONCURRENT_WRITES }, storeNext);
    return this.discardOnError(announced, async () => {
      await Promise.all(workers).finally(() => Promise.allSettled(workers));
      return received;
    });
  }

  /** @throws BlobTooLargeError for a text that {@link receiveTexts} would not store */
  assertSize(text: string): void {
    const maxBytes = this.config.MAX_UPLOAD_BYTES;
    if (Buffer.byteLength(text) > maxBytes) throw new BlobTooLargeError(maxBytes);
  }

  private put(key: string, source: BlobSource): Promise<PutResult> {
    return this.store.put(key, source, { maxBytes: this.config.MAX_UPLOAD_BYTES });
  }

  /**
   * Deletes contents, unless datasources refer to them after all: a transaction may have committed although
   * the connection was lost before its result arrived. Contents that cannot be deleted now are collected after
   * a day.
   */
  async discard(...contents: readonly Pick<ReceivedContent, 'key'>[]): Promise<void> {
    if (contents.length === 0) return;
    const keys = contents.map(({ key }) => key);
    try {
      const committed = await this.rows.committed(keys);
      const unused = keys.filter((key) => !committed.has(key));
      if (unused.length === 0) return;
      await this.store.delete(unused);
      await this.rows.forget(unused);
    } catch (error) {
      this.logger.warn(
        { err: error, keys: keys.slice(0, MAX_LOGGED_KEYS) },
        'received content could not be deleted and will be collected later',
      );
    }
  }

  /** Calls `use`, and discards the contents when it rejects. */
  async discardOnError<Result>(
    contents: readonly Pick<ReceivedContent, 'key'>[],
    use: () => Promise<Result>,
  ): Promise<Result> {
    try {
      return await use();
    } catch (error) {
      await this.discard(...contents);
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
    const source = {
      size: content.bytes,
      read: (start: number, end: number) => this.store.read(content.key, { start, end }),
    };
    const claims = {
      fileName: declared.fileName,
      declaredMimeType: declared.mimeType,
      plainTextExtensions: this.config.EXTRA_FILE_TYPES,
    };
    const type = content.bytes === 0 ? null : await detectFileType(source, claims);
    if (type) return type;
    if (await isArchive(source, claims)) return ARCHIVE_TYPE;
    throw refused(await refusalOf(source, claims));
  }
}

/** The error for a file that is not stored. Its detail says the same for programs. */
function refused(refusal: FileRefusal): ApiError {
  const { reason, ...values } = refusal;
  const isEmpty = reason === 'EMPTY_FILE';
  return new ApiError(
    isEmpty ? 'INVALID_REQUEST' : 'UNSUPPORTED_MEDIA_TYPE',
    describeRefusal(ENGLISH_FILES, refusal),
    { details: [{ path: 'file', message: isEmpty ? 'is empty' : 'cannot be read', reason, values }] },
  );
}
