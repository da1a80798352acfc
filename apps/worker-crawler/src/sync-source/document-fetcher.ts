import { type BlobStore, BlobTooLargeError } from '@citewell/blob-store';
import type { Config } from '@citewell/config';
import {
  BlobRepository,
  contentBlobKey,
  type DueDocument,
  type FetchOutcome,
  newId,
  type RunEntity,
} from '@citewell/database';
import { typeOfMimeType } from '@citewell/documents/file-extensions';
import { detectFileType, isArchive } from '@citewell/documents/file-type';
import { BLOB_STORE, CONFIG } from '@citewell/infrastructure';
import { type Source, SourceError } from '@citewell/sources';
import { Inject, Injectable } from '@nestjs/common';

/** Documents that are fetched at the same time. */
const PARALLEL_DOCUMENTS = 8;

/** A due document, and where its content is stored. */
interface Target {
  readonly document: DueDocument;
  readonly datasourceId: string;
  readonly key: string;
}

/** Fetches documents of sources into the blob store. */
@Injectable()
export class DocumentFetcher {
  constructor(
    @Inject(BlobRepository) private readonly blobRows: Pick<BlobRepository, 'announce' | 'forget'>,
    @Inject(BLOB_STORE) private readonly blobStore: Pick<BlobStore, 'put' | 'read' | 'delete'>,
    @Inject(CONFIG) private readonly config: Pick<Config, 'MAX_UPLOAD_BYTES' | 'EXTRA_FILE_TYPES'>,
  ) {}

  /**
   * Fetches documents. One that cannot be had gets a reason, and is no failure of the others.
   *
   * @returns what became of the documents, and why the source gives no more; those that it did not give have no outcome
   * @throws errors of the blob store and the database, the signal's reason
   */
  async fetch(
    source: Source,
    { organizationId }: RunEntity,
    documents: readonly DueDocument[],
    signal: AbortSignal,
  ): Promise<{ outcomes: FetchOutcome[]; failure: SourceError | null }> {
    const targets = documents.map((document): Target => {
      const datasourceId = document.datasourceId ?? newId();
      return { document, datasourceId, key: contentBlobKey(organizationId, datasourceId, newId()) };
    });
    await this.blobRows.announce(
      targets.map(({ key, datasourceId }) => ({ key, organizationId, datasourceId, runId: null })),
    );
    const outcomes: FetchOutcome[] = [];
    const unanswered: { document: DueDocument; error: SourceError }[] = [];
    let failure: SourceError | null = null;
    const queue = targets.values();
    const fetchNext = async (): Promise<void> => {
      // All take from the same iterator.
      for (const target of queue) {
        if (failure !== null) return;
        signal.throwIfAborted();
        try {
          outcomes.push(await this.fetchOne(source, target, signal));
        } catch (error) {
          if (!(error instanceof SourceError)) throw error;
          if (error.kind === 'denied' || error.kind === 'limited')
            failure = target.document.isRestricted ? withheld(error) : error;
          else unanswered.push({ document: target.document, error });
        }
      }
    };
    const workers = Array.from({ length: PARALLEL_DOCUMENTS }, fetchNext);
    // No write may continue after this attempt, even when one fails.
    const settled = await Promise.allSettled(workers);
    for (const one of settled) if (one.status === 'rejected') throw one.reason;
    // Documents that are not answered while others are have a fault of their own.
    const isDown = outcomes.length === 0 && unanswered.length > 0;
    if (isDown && failure === null) failure = await this.whyUnavailable(source, unanswered, signal);
    if (failure === null)
      for (const { document, error } of unanswered)
        outcomes.push({ ...document, reason: error.message, version: null });
    const stored = new Set(outcomes.flatMap((one) => (one.reason === null ? one.content.key : [])));
    await this.discard(targets.flatMap(({ key }) => (stored.has(key) ? [] : key)));
    return { outcomes, failure };
  }

  /** Deletes contents that nothing refers to. */
  async discard(keys: readonly string[]): Promise<void> {
    if (keys.length === 0) return;
    await this.blobStore.delete(keys);
    await this.blobRows.forget(keys);
  }

  private async fetchOne(
    source: Source,
    { document, datasourceId, key }: Target,
    signal: AbortSignal,
  ): Promise<FetchOutcome> {
    const maxBytes = this.config.MAX_UPLOAD_BYTES;
    const tooLarge = `larger than ${maxBytes.toLocaleString('en')} bytes`;
    if (document.bytes !== null && document.bytes > maxBytes) return { ...document, reason: tooLarge };
    const { documentId: id, path } = document;
    const { version, mediaType, content } = await source.fetch({ id, path }, signal);
    const skipped = (reason: string): FetchOutcome => ({ ...document, reason, version });
    try {
      const written = await this.blobStore.put(key, content, { maxBytes, signal });
      if (written.bytes === 0) return skipped('empty');
      const bytes = {
        size: written.bytes,
        read: (start: number, end: number) => this.blobStore.read(key, { start, end }),
      };
      const told = typeOfMimeType(mediaType);
      const declared =
        told === null
          ? { fileName: path, plainTextExtensions: this.config.EXTRA_FILE_TYPES }
          : { fileName: '', declaredMimeType: told };
      const mimeType = await detectFileType(bytes, declared);
      if (mimeType === null)
        return skipped((await isArchive(bytes, declared)) ? 'an archive' : 'its type is not supported');
      const isNew = document.datasourceId === null;
      return {
        ...document,
        version,
        reason: null,
        datasourceId,
        isNew,
        mimeType,
        content: { key, ...written },
      };
    } catch (error) {
      if (error instanceof BlobTooLargeError) return skipped(tooLarge);
      throw error;
    } finally {
      content.destroy();
    }
  }

  /** @returns null when the source answers: then the documents themselves are at fault */
  private async whyUnavailable(
    source: Source,
    unanswered: readonly { error: SourceError }[],
    signal: AbortSignal,
  ): Promise<SourceError | null> {
    if (!unanswered.some(({ error }) => error.kind === 'unavailable')) return null;
    try {
      await source.check(signal);
      return null;
    } catch (error) {
      if (error instanceof SourceError) return error;
      throw error;
    }
  }
}

/** The message may name the document, and all who read the library are told of a failure. */
function withheld({ kind, options }: SourceError): SourceError {
  return new SourceError(
    kind,
    'The source does not give a document that it shows to some people only.',
    options,
  );
}
