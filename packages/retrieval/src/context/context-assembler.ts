import { type Passage, renderPassage, withRange } from './passage.js';
import { countTokens as defaultCounter, type TokenCounter } from './token-counter.js';

export interface ContextOptions<P> {
  /** Budget of the rendered context, including numbers, headers and fences. */
  readonly maxTokens: number;
  /** Default: `countTokens` with the encoding `o200k_base`. */
  readonly countTokens?: TokenCounter;
  /** Longest merged slice in UTF-16 code units. Default 6,000. */
  readonly maxMergedCharacters?: number;
  /** Returns the text between two chunks of a run, so that chunks with a gap can be merged. */
  readonly gapText?: GapText<P>;
}

export interface AssembledContext<P> {
  /** Replaces `{context}` in a prompt. Empty without passages. */
  readonly text: string;
  /** `[n]` cites `passages[n - 1]`. Contiguous slices, in the order of the best chunk in each. */
  readonly passages: P[];
  readonly tokens: number;
}

const DEFAULT_MAX_MERGED = 6_000;
const SEPARATOR = '\n\n';
/** A shorter slice is not worth its header, in UTF-16 code units. */
const MIN_TRUNCATED = 80;

/**
 * Numbers the passages [1]..[n] by relevance and renders them within a token budget. Chunks are added from
 * the best one down if they fit; then adjacent chunks are merged. If none fits, the best one is truncated.
 *
 * @param passages in any order; those with equal scores are in the order of the search
 */
export function assembleContext<P extends Passage>(
  passages: readonly P[],
  {
    maxTokens,
    countTokens = defaultCounter,
    maxMergedCharacters = DEFAULT_MAX_MERGED,
    gapText,
  }: ContextOptions<P>,
): AssembledContext<P> {
  const ranked = distinct(passages);
  const rankOf = (slice: P): number => ranked.findIndex((passage) => isWithin(passage, slice));
  const cost = (passage: P): number => countTokens(SEPARATOR + renderPassage(passages.length, passage));
  const render = (chosen: readonly P[]): AssembledContext<P> => {
    const merged = mergePassages(chosen, { maxCharacters: maxMergedCharacters, ...(gapText && { gapText }) });
    const ordered = merged.toSorted((a, b) => rankOf(a) - rankOf(b));
    const text = ordered.map((passage, index) => renderPassage(index + 1, passage)).join(SEPARATOR);
    return { text, passages: ordered, tokens: countTokens(text) };
  };

  const chosen: P[] = [];
  let remainingTokens = maxTokens;
  for (const passage of ranked) {
    const tokens = cost(passage);
    if (tokens > remainingTokens) continue;
    chosen.push(passage);
    remainingTokens -= tokens;
  }
  const [best] = ranked;
  if (chosen.length === 0 && best !== undefined) {
    const truncated = truncateToFit(best, (passage) => cost(passage) <= maxTokens);
    if (truncated !== undefined) chosen.push(truncated);
  }
  // Merging saves headers but may add gap texts: remove the least relevant passages until the context fits.
  let context = render(chosen);
  while (context.tokens > maxTokens && chosen.length > 0) {
    chosen.pop();
    context = render(chosen);
  }
  return context;
}

function isWithin(passage: Passage, slice: Passage): boolean {
  return (
    passage.datasourceId === slice.datasourceId &&
    passage.runId === slice.runId &&
    passage.start >= slice.start &&
    passage.end <= slice.end
  );
}

/** Returns the passages best first, with each range of a run once. */
function distinct<P extends Passage>(passages: readonly P[]): P[] {
  const ranges = new Map<string, P>();
  for (const passage of passages.toSorted((a, b) => b.score - a.score)) {
    const range = `${passage.datasourceId}/${passage.runId}/${passage.start}-${passage.end}`;
    if (!ranges.has(range)) ranges.set(range, passage);
  }
  return [...ranges.values()];
}

/** Finds the longest prefix that fits by bisection, and ends it between words if possible. */
function truncateToFit<P extends Passage>(passage: P, fits: (passage: P) => boolean): P | undefined {
  const prefix = (length: number): P =>
    withRange(passage, { text: passage.text.slice(0, length), end: passage.start + length });
  let low = 0;
  let high = passage.text.length;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(prefix(middle))) low = middle;
    else high = middle - 1;
  }
  const atSpace = passage.text.lastIndexOf(' ', low);
  let length = atSpace >= low / 2 ? atSpace : low;
  if (!passage.text.slice(0, length).isWellFormed()) length--;
  return length < MIN_TRUNCATED ? undefined : prefix(length);
}

/**
 * Returns the canonical text between two chunks of a run, `[before.end, after.start)`; null if it is unknown.
 */
type GapText<P> = (before: P, after: P) => string | null;

interface MergeOptions<P> {
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
