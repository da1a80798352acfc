import type { Chunk, EncodedDocument } from '@citewell/documents';
import type { ChangedSentences, DocumentNames, SparseVector } from '@citewell/retrieval';

/** A chunk with its term weights: everything of a point that needs neither a database nor a model. */
export interface WeightedChunk extends Chunk {
  readonly lexical: SparseVector;
  /** A part of a table of contents or an index. */
  readonly isListing: boolean;
}

/**
 * A request to the thread. A document is opened, which returns the first batch, then read with `next` until the
 * last batch. `close` ends it early.
 */
export type ChunkRequest =
  | {
      readonly call: number;
      readonly document: number;
      readonly kind: 'open';
      readonly encoded: EncodedDocument;
      readonly names: DocumentNames;
      /** The text that the document replaces, in UTF-16LE. */
      readonly former: Uint8Array | null;
    }
  | { readonly call: number; readonly document: number; readonly kind: 'next' | 'close' };

export interface ChunkReply {
  /** Reply to `open`: length of the text in UTF-16 code units. Otherwise 0. */
  readonly characters: number;
  /** Reply to `open` with a former text. */
  readonly changed?: ChangedSentences;
  /** The next batch. Empty in the reply to `close`. */
  readonly chunks: readonly WeightedChunk[];
  /** The thread has no further batch, and has closed the document. */
  readonly isLast: boolean;
}

export type ChunkResponse =
  | { readonly call: number; readonly ok: true; readonly reply: ChunkReply }
  | { readonly call: number; readonly ok: false; readonly message: string };

/** Lazily groups items into arrays of `size`; the last one may be shorter. */
export function* batchesOf<Item>(items: Iterable<Item>, size: number): Generator<Item[]> {
  let batch: Item[] = [];
  for (const item of items) {
    batch.push(item);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
