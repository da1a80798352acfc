import type { Point, PointPayload, SparseVector } from '../vector-store.port.js';
import { toUnitLength } from '../unit-vector.js';

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
  /** The dense vectors at unit length, concatenated. */
  readonly dense: Float32Array<ArrayBuffer>;
  /** Index of each point's vector among the vectors of {@link dense}; −1 if the point has none. */
  readonly denseRows: readonly number[];
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
  const dense = new Float32Array(points.filter((point) => point.dense !== null).length * dimensions);
  const lexicalEnds: number[] = [];
  const denseRows: number[] = [];
  let lexicalEnd = 0;
  let denseCount = 0;
  for (const point of points) {
    lexicalEnd += encodeSparse(point.lexical, lexical, lexicalEnd);
    lexicalEnds.push(lexicalEnd);
    denseRows.push(point.dense === null ? -1 : denseCount);
    if (point.dense !== null) dense.set(toUnitLength(point.dense), denseCount++ * dimensions);
  }
  return { payloads: points.map(payloadOf), lexical, lexicalEnds, dense, denseRows };
}

/** Returns the vectors of one point of a batch, in their stored form. */
export function storedVectors(
  batch: PointBatch,
  row: number,
  dimensions: number,
): { lexical: Uint8Array<ArrayBuffer>; dense: Float32Array<ArrayBuffer> | null } {
  const denseRow = batch.denseRows[row] ?? -1;
  return {
    lexical: batch.lexical.subarray(batch.lexicalEnds[row - 1] ?? 0, batch.lexicalEnds[row]),
    dense: denseRow < 0 ? null : batch.dense.subarray(denseRow * dimensions, (denseRow + 1) * dimensions),
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

/** Returns the bytes of a dense vector for storage. Shares memory with the vector. */
export function denseBytes(vector: Float32Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  return new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
}

/** The inverse of {@link denseBytes}. Shares memory with the argument if it is aligned. */
export function denseFromBytes(stored: Uint8Array): Float32Array {
  const aligned = stored.byteOffset % 4 === 0 ? stored : stored.slice();
  return new Float32Array(aligned.buffer, aligned.byteOffset, aligned.byteLength / 4);
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
    headingPath: [...point.headingPath],
    anchor: point.anchor,
    start: point.start,
    end: point.end,
    contentHash: point.contentHash,
  };
}
