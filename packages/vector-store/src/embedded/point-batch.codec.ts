import type { Point, PointPayload, SparseVector } from '../vector-store.port.js';
import { encodeDense } from './dense-vectors.codec.js';

/**
 * Points in a message to the engine thread. Payloads are copied; the two buffers of vectors are transferred
 * without a copy.
 */
export interface PointBatch {
  readonly payloads: readonly PointPayload[];
  /** The sparse vectors in their stored form, concatenated; see {@link decodeSparse}. */
  readonly lexical: Uint8Array<ArrayBuffer>;
  /** End offset in {@link lexical} of each point's sparse vector. */
  readonly lexicalEnds: readonly number[];
  /** The dense vectors in their stored form, concatenated. */
  readonly dense: Uint8Array<ArrayBuffer>;
  /** End offset in {@link dense} of each point's vectors. */
  readonly denseEnds: readonly number[];
}

/** A decoded sparse vector. */
export interface DecodedSparse {
  readonly terms: Uint32Array;
  readonly weights: Float32Array;
}

/** Encodes copies of the points: the caller's arrays are not transferred. */
export function encodeBatch(points: readonly Point[], dimensions: number): PointBatch {
  const lexicalBytes = points.reduce((sum, { lexical }) => sum + lexical.indices.length * 8, 0);
  const lexical = new Uint8Array(lexicalBytes);
  const denseParts = points.map((point) => encodeDense(point.dense, dimensions));
  const dense = new Uint8Array(denseParts.reduce((sum, { length }) => sum + length, 0));
  const lexicalEnds: number[] = [];
  const denseEnds: number[] = [];
  let lexicalEnd = 0;
  let denseEnd = 0;
  for (const [row, point] of points.entries()) {
    lexicalEnd += encodeSparse(point.lexical, lexical, lexicalEnd);
    lexicalEnds.push(lexicalEnd);
    const part = denseParts[row] ?? new Uint8Array(0);
    dense.set(part, denseEnd);
    denseEnd += part.length;
    denseEnds.push(denseEnd);
  }
  return { payloads: points.map(payloadOf), lexical, lexicalEnds, dense, denseEnds };
}

/** Returns the vectors of one point of a batch, in their stored form. */
export function storedVectors(
  batch: PointBatch,
  row: number,
): { lexical: Uint8Array<ArrayBuffer>; dense: Uint8Array<ArrayBuffer> | null } {
  const dense = batch.dense.subarray(batch.denseEnds[row - 1] ?? 0, batch.denseEnds[row]);
  return {
    lexical: batch.lexical.subarray(batch.lexicalEnds[row - 1] ?? 0, batch.lexicalEnds[row]),
    dense: dense.length === 0 ? null : dense,
  };
}

/**
 * Decodes the stored form of a sparse vector: all indices as uint32, then all values as float32, in the byte
 * order of the machine. All supported platforms are little-endian.
 */
export function decodeSparse(stored: Uint8Array): DecodedSparse {
  const length = stored.byteLength / 8;
  const aligned = stored.slice().buffer;
  return {
    terms: new Uint32Array(aligned, 0, length),
    weights: new Float32Array(aligned, length * 4, length),
  };
}

/** @returns bytes written */
function encodeSparse(
  { indices, values }: SparseVector,
  target: Uint8Array<ArrayBuffer>,
  at: number,
): number {
  const length = indices.length;
  new Uint32Array(target.buffer, at, length).set(indices);
  new Float32Array(target.buffer, at + length * 4, length).set(values);
  return length * 8;
}

/** Copies the payload fields only, so that other properties (the vectors) are not posted to the thread. */
function payloadOf(point: Point): PointPayload {
  return {
    id: point.id,
    organizationId: point.organizationId,
    datastoreId: point.datastoreId,
    datasourceId: point.datasourceId,
    groupId: point.groupId,
    runId: point.runId,
    ordinal: point.ordinal,
    text: point.text,
    header: point.header,
    page: point.page,
    confidence: point.confidence,
    headingPath: [...point.headingPath],
    anchor: point.anchor,
    start: point.start,
    end: point.end,
    contentHash: point.contentHash,
  };
}
