import type { DatasourceError } from '@citewell/contracts/schemas';
import type { LeftOut } from '@citewell/documents';
import type { EmbeddedPage, PageFacts } from '@citewell/documents/web-page';

export interface ReadRequest {
  readonly bytes: Uint8Array;
  readonly url: string;
  readonly contentType: string;
  /** The header `Refresh` of the response. */
  readonly refreshHeader?: string;
  /** Read as a part of the page. */
  readonly embedded?: EmbeddedPage;
}

export interface ReadPage {
  readonly facts: PageFacts;
  /** Null for a page without text. */
  readonly document: ReadDocument | null;
  /** Of a page with an embedded one. */
  readonly html?: string;
}

export interface ReadDocument {
  /** In the format of the blob store, see `encodeDocument`. */
  readonly text: Uint8Array;
  readonly outline: Uint8Array;
  /** UTF-16 code units of the text. */
  readonly characters: number;
  /** Hash of text and outline, see `hashEncoded`. */
  readonly textHash: string;
  readonly leftOut: LeftOut;
  readonly title?: string | null;
  readonly warning: DatasourceError | null;
  /** See `tablesFile`. */
  readonly tables: Uint8Array | null;
  /** Why the tables of the page could not be stored. */
  readonly tablesFailure?: string;
}

export type ReadResponse =
  | { readonly ok: true; readonly page: ReadPage }
  /** @param code of a `DocumentError`; null for another error */
  | { readonly ok: false; readonly code: string | null; readonly message: string };
