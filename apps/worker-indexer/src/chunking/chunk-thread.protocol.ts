import type { Chunk, EncodedDocument } from '@citewell/documents';
import type { SparseVector } from '@citewell/retrieval';

/** A chunk with the weights of its terms: all of a point that can be computed without a database or a model. */
export interface WeightedChunk extends Chunk {
  readonly lexical: SparseVector;
}

/** What the thread is asked for. A document is opened, then taken batch by batch until one is empty, or closed. */
export type ChunkRequest =
  | {
      readonly call: number;
      readonly document: number;
      readonly kind: 'open';
      readonly encoded: EncodedDocument;
    }
  | { readonly call: number; readonly document: number; readonly kind: 'next' | 'close' };

/** The answer of one call: opening tells the length of the text, in UTF-16 units. */
export interface ChunkReply {
  readonly characters: number;
  readonly chunks: readonly WeightedChunk[];
}

export type ChunkResponse =
  | { readonly call: number; readonly ok: true; readonly reply: ChunkReply }
  | { readonly call: number; readonly ok: false; readonly message: string };
