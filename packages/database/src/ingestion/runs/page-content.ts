import type { DatasourceError } from '@citewell/contracts/schemas';
import type { WrittenBlob } from '../../content/blobs/blob.repository.js';
import type { LeftOut, Validators } from '../../schema/ingestion.entities.js';

/**
 * A fetched page of a web site. Its blobs are in the blob store, under the ids that its datasource and run
 * will have.
 */
export interface PageContent {
  readonly datasourceId: string;
  readonly runId: string;
  /** The bytes as they were fetched. */
  readonly fetched: WrittenBlob;
  readonly contentType: string;
  readonly validators: Validators | null;
  /** What was parsed from the bytes; null where a parser has yet to do so. */
  readonly document: PageDocument | null;
}

/** The document of a page that its crawler has parsed. */
export interface PageDocument {
  readonly blobs: readonly WrittenBlob[];
  /** UTF-16 units of text. */
  readonly characters: number;
  readonly textHash: string;
  readonly fingerprint: string;
  readonly leftOut: LeftOut;
  readonly title?: string | null;
  readonly warning: DatasourceError | null;
}
