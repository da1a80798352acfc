/** Begins the pieces that words begin with, as in SentencePiece. */
const WORD_START = '▁';

/** Longer texts are truncated, which bounds the time for one text. */
const MAX_CHARACTERS = 16_384;

/** Words whose splits are cached, because most words of a text are repeated. */
const MAX_REMEMBERED_SPLITS = 10_000;
const MAX_REMEMBERED_LENGTH = 64;

/** Lower than the score of any piece, so an unknown character is skipped only where no piece covers it. */
const UNKNOWN_SCORE = -5_000;
const UNKNOWN = -1;
const PREFIX = -2;

/** Combining marks after the 30th in a row are dropped, because `normalize` sorts them in quadratic time. */
const PILED_MARKS = /(\p{M}{30})\p{M}+/gu;

const WORDS = /[\p{L}\p{M}\p{N}]+/gu;

/**
 * Splits text into pieces of a vocabulary: words by a regular expression, and the words that are not pieces
 * themselves by their scores (Viterbi, as SentencePiece's unigram model). Training used
 * a tokenizer in Python with the same results, which `static-model.expected.json` contains.
 */
export class PieceTokenizer {
  /** The id of each piece, and `PREFIX` for the other beginnings of pieces, where a search goes on. */
  private readonly ids: ReadonlyMap<string, number>;
  private readonly splits = new Map<string, readonly number[]>();

  /** @param scores log probability of each piece, in hundredths: integers, so that sums are exact */
  constructor(
    pieces: readonly string[],
    private readonly scores: Int16Array,
  ) {
    const ids = new Map(pieces.map((piece, id) => [piece, id]));
    for (const piece of pieces) {
      for (let end = piece.length - 1; end > 0; end--) {
        const prefix = piece.slice(0, end);
        if (ids.has(prefix)) break;
        ids.set(prefix, PREFIX);
      }
    }
    this.ids = ids;
  }

  /** The ids of the pieces of a text, in order. Unknown characters have none. */
  encode(text: string): number[] {
    const ids: number[] = [];
    const normalized = text
      .slice(0, MAX_CHARACTERS)
      .replace(PILED_MARKS, '$1')
      .normalize('NFKC')
      .toLowerCase();
    for (const [word] of normalized.matchAll(WORDS)) {
      const id = this.ids.get(WORD_START + word);
      if (id === undefined || id === PREFIX) ids.push(...this.piecesOf(WORD_START + word));
      else ids.push(id);
    }
    return ids;
  }

  private piecesOf(word: string): readonly number[] {
    const known = this.splits.get(word);
    if (known) return known;
    const pieces = this.split(word);
    if (word.length > MAX_REMEMBERED_LENGTH) return pieces;
    if (this.splits.size >= MAX_REMEMBERED_SPLITS) this.splits.clear();
    this.splits.set(word, pieces);
    return pieces;
  }

  /** The pieces of the path with the best score. The time is linear in the length of the word. */
  private split(word: string): number[] {
    const best = new Float64Array(word.length + 1).fill(-Infinity);
    const starts = new Int32Array(word.length + 1);
    const pieces = new Int32Array(word.length + 1);
    best[0] = 0;
    const extend = (start: number, end: number, piece: number, score: number): void => {
      if (best[start]! + score <= best[end]!) return;
      best[end] = best[start]! + score;
      starts[end] = start;
      pieces[end] = piece;
    };
    for (let start = 0; start < word.length; start++) {
      extend(start, start + 1, UNKNOWN, UNKNOWN_SCORE);
      for (let end = start + 1; end <= word.length; end++) {
        const piece = this.ids.get(word.slice(start, end));
        if (piece === undefined) break;
        if (piece !== PREFIX) extend(start, end, piece, this.scores[piece]!);
      }
    }
    const ids: number[] = [];
    for (let end = word.length; end > 0; end = starts[end]!)
      if (pieces[end] !== UNKNOWN) ids.push(pieces[end]!);
    return ids.reverse();
  }
}
