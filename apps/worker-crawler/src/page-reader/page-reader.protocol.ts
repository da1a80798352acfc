import type { PageFacts } from '@citewell/documents/web-page';

export interface ReadRequest {
  readonly bytes: Uint8Array;
  /** Where the page came from. */
  readonly url: string;
  readonly contentType: string;
}

/** A page that was read. */
export interface ReadPage {
  readonly facts: PageFacts;
  /** Null when there is no text on it. */
  readonly document: ReadDocument | null;
}

export interface ReadDocument {
  /** As they are kept in the blob store, see `encodeDocument`. */
  readonly text: Uint8Array;
  readonly outline: Uint8Array;
  /** UTF-16 units of text. */
  readonly characters: number;
  /** Of both, see `hashEncoded`. */
  readonly textHash: string;
}

export type ReadResponse =
  | { readonly ok: true; readonly page: ReadPage }
  /** @param code of a `DocumentError`; null for anything else */
  | { readonly ok: false; readonly code: string | null; readonly message: string };
