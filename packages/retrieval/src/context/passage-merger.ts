import { withRange, type Passage } from './passage.js';

/**
 * Returns the canonical text between two chunks of a run, `[before.end, after.start)`; null if it is unknown.
 */
export type GapText<P> = (before: P, after: P) => string | null;

export interface MergeOptions<P> {
  /** Longest merged slice, in UTF-16 code units. Citations of longer slices would be hard to check. */
  readonly maxCharacters: number;
  readonly gapText?: GapText<P>;
}

/**
 * Joins chunks of one run that overlap, are adjacent, or have a gap with a known text. The model then reads
 * contiguous slices in order, and a citation has one range. Start, page, headings and header are those of the
 * first chunk; score and id are those of the best one. The result has no particular order.
 *
 * A chunk is not joined if its text is not as long as its range, or differs from the other chunk where they
 * overlap: merged slices contain only text that is known to be in the document.
 */
export function mergePassages<P extends Passage>(passages: readonly P[], options: MergeOptions<P>): P[] {
  const byRun = Map.groupBy(passages, ({ datasourceId, runId }) => `${datasourceId}/${runId}`);
  return [...byRun.values()].flatMap((chunks) => mergeRun(chunks, options));
}

function mergeRun<P extends Passage>(chunks: readonly P[], options: MergeOptions<P>): P[] {
  const merged: P[] = [];
  for (const chunk of chunks.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = merged.at(-1);
    const joined = last === undefined ? undefined : join(last, chunk, options);
    if (joined === undefined) merged.push(chunk);
    else merged[merged.length - 1] = joined;
  }
  return merged;
}

function join<P extends Passage>(
  before: P,
  after: P,
  { maxCharacters, gapText }: MergeOptions<P>,
): P | undefined {
  if (!isExact(before) || !isExact(after)) return undefined;
  const end = Math.max(before.end, after.end);
  const within = after.end <= before.end;
  if (!within && end - before.start > maxCharacters) return undefined;
  const text = joinedText(before, after, gapText);
  if (text === undefined) return undefined;
  const best = after.score > before.score ? after : before;
  return withRange(before, { text, end, chunkId: best.chunkId, score: best.score });
}

function joinedText<P extends Passage>(before: P, after: P, gapText?: GapText<P>): string | undefined {
  if (after.start > before.end) {
    const gap = gapText?.(before, after) ?? null;
    return gap?.length === after.start - before.end ? before.text + gap + after.text : undefined;
  }
  const overlap = Math.min(before.end, after.end) - after.start;
  const from = after.start - before.start;
  if (before.text.slice(from, from + overlap) !== after.text.slice(0, overlap)) return undefined;
  return before.text + after.text.slice(overlap);
}

function isExact(passage: Passage): boolean {
  return passage.text.length === passage.end - passage.start;
}
