import type { ByteRange } from './blob-store.port.js';

/** A range with its defaults filled in; `end` is null where the blob's own end is meant. */
export interface ResolvedRange {
  start: number;
  end: number | null;
}

/** @throws RangeError when a bound is negative or no whole number, or the range runs backwards */
export function resolveRange({ start = 0, end }: ByteRange = {}): ResolvedRange {
  const bounds = end === undefined ? [start] : [start, end];
  if (!bounds.every((bound) => Number.isSafeInteger(bound) && bound >= 0)) {
    throw new RangeError(`not a byte range: ${start}..${end ?? ''}`);
  }
  if (end !== undefined && end < start)
    throw new RangeError(`the byte range ${start}..${end} runs backwards`);
  return { start, end: end ?? null };
}
