import { resliced, type Passage } from './passage.js';

/** The canonical text between two chunks of one run, `[before.end, after.start)`, or null where it is not known. */
export type GapText<P> = (before: P, after: P) => string | null;

export interface MergeOptions<P> {
  /** Longest merged slice, in UTF-16 units; a longer one would make its citation hard to check. */
  readonly maxCharacters: number;
  readonly gapText?: GapText<P>;
}

/**
 * Joins chunks of one run that overlap or touch (or whose gap is known) into contiguous slices, so that the
 * model reads them in order and a citation names one range. Start, page, headings and header are those of the
 * first chunk, the score and the id those of the best. The result is in no particular order.
 *
 * A chunk whose text is not as long as its range, or that contradicts its neighbour where they overlap, is left
 * alone: a slice is only ever made of text that is known to be the document's.
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
  return resliced(before, { text, end, chunkId: best.chunkId, score: best.score });
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
