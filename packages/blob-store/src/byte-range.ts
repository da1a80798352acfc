import type { ByteRange } from './blob-store.port.js';

/** A byte range with defaults applied. */
export interface ResolvedRange {
  start: number;
  /** Exclusive; null for the end of the blob. */
  end: number | null;
}

/** @throws RangeError if a bound is not a non-negative integer, or `end` is less than `start` */
export function resolveRange({ start = 0, end }: ByteRange = {}): ResolvedRange {
  const bounds = end === undefined ? [start] : [start, end];
  if (!bounds.every((bound) => Number.isSafeInteger(bound) && bound >= 0)) {
    throw new RangeError(`invalid byte range: ${start}..${end ?? ''}`);
  }
  if (end !== undefined && end < start)
    throw new RangeError(`invalid byte range: ${start}..${end} ends before it starts`);
  return { start, end: end ?? null };
}
