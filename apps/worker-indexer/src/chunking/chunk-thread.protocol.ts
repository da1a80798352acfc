import type { Chunk, EncodedDocument } from '@citewell/documents';
import type { SparseVector } from '@citewell/retrieval';

/** A chunk with its term weights: everything of a point that needs neither a database nor a model. */
export interface WeightedChunk extends Chunk {
  readonly lexical: SparseVector;
  /** A part of a table of contents or an index. */
  readonly isListing: boolean;
}

/**
 * A request to the thread. A document is opened, then read with `next` until a batch is empty. `close` ends
 * it early.
 */
export type ChunkRequest =
  | {
      readonly call: number;
      readonly document: number;
      readonly kind: 'open';
      readonly encoded: EncodedDocument;
    }
  | { readonly call: number; readonly document: number; readonly kind: 'next' | 'close' };

export interface ChunkReply {
  /** Reply to `open`: length of the text in UTF-16 code units. Otherwise 0. */
  readonly characters: number;
  /** Reply to `next`: the next batch. Otherwise empty. */
  readonly chunks: readonly WeightedChunk[];
}

export type ChunkResponse =
  | { readonly call: number; readonly ok: true; readonly reply: ChunkReply }
  | { readonly call: number; readonly ok: false; readonly message: string };
