import { resliced, type Passage } from './passage.js';
import { renderPassage } from './passage-fence.js';
import { mergePassages, type GapText } from './passage-merger.js';
import { countTokens as defaultCounter, type TokenCounter } from './token-counter.js';

export interface ContextOptions<P> {
  /** Budget of the rendered context: numbers, headers and fences included. */
  readonly maxTokens: number;
  /** `o200k_base` by default. */
  readonly countTokens?: TokenCounter;
  /** Longest merged slice in UTF-16 units, 6,000 by default. */
  readonly maxMergedCharacters?: number;
  /** Gives the text between two chunks of a run, so that neighbours that do not touch can be merged. */
  readonly gapText?: GapText<P>;
}

export interface AssembledContext<P> {
  /** What replaces `{context}` in a prompt; empty without passages. */
  readonly text: string;
  /** `passages[n - 1]` is what `[n]` cites: contiguous slices, the most relevant first. */
  readonly passages: P[];
  readonly tokens: number;
}

const DEFAULT_MAX_MERGED = 6_000;
const SEPARATOR = '\n\n';
/** A slice cut shorter than this says too little to be worth its header. */
const MIN_CUT = 80;

/**
 * Numbers the passages [1]..[n] by relevance and renders them within a budget of tokens. Chunks are taken from
 * the best down as long as they fit, and a smaller one may fit where a larger did not; then neighbours are
 * merged. If not even the best fits, its beginning is taken, as a shorter slice.
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
  const cost = (passage: P): number => countTokens(SEPARATOR + renderPassage(passages.length, passage));
  const render = (chosen: readonly P[]): AssembledContext<P> => {
    const merged = mergePassages(chosen, { maxCharacters: maxMergedCharacters, ...(gapText && { gapText }) });
    const ordered = merged.sort((a, b) => b.score - a.score);
    const text = ordered.map((passage, index) => renderPassage(index + 1, passage)).join(SEPARATOR);
    return { text, passages: ordered, tokens: countTokens(text) };
  };

  const chosen: P[] = [];
  let left = maxTokens;
  for (const passage of distinct(passages)) {
    const tokens = cost(passage);
    if (tokens > left) continue;
    chosen.push(passage);
    left -= tokens;
  }
  const [best] = passages.toSorted((a, b) => b.score - a.score);
  if (chosen.length === 0 && best !== undefined) {
    const cut = cutToFit(best, (passage) => cost(passage) <= maxTokens);
    if (cut !== undefined) chosen.push(cut);
  }
  // Merging saves headers but may add gaps: what no longer fits goes, the least relevant first.
  let context = render(chosen);
  while (context.tokens > maxTokens && chosen.length > 0) {
    chosen.pop();
    context = render(chosen);
  }
  return context;
}

/** Best first, each range of a run once. */
function distinct<P extends Passage>(passages: readonly P[]): P[] {
  const ranges = new Map<string, P>();
  for (const passage of passages.toSorted((a, b) => b.score - a.score)) {
    const range = `${passage.datasourceId}/${passage.runId}/${passage.start}-${passage.end}`;
    if (!ranges.has(range)) ranges.set(range, passage);
  }
  return [...ranges.values()];
}

/** The longest beginning that fits, found by bisection and ended between words where there are any. */
function cutToFit<P extends Passage>(passage: P, fits: (passage: P) => boolean): P | undefined {
  const beginning = (length: number): P =>
    resliced(passage, { text: passage.text.slice(0, length), end: passage.start + length });
  let low = 0;
  let high = passage.text.length;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(beginning(middle))) low = middle;
    else high = middle - 1;
  }
  const atSpace = passage.text.lastIndexOf(' ', low);
  let length = atSpace >= low / 2 ? atSpace : low;
  if (!passage.text.slice(0, length).isWellFormed()) length--;
  return length < MIN_CUT ? undefined : beginning(length);
}
