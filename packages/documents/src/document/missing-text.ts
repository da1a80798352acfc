/** Letters of the shortest passage that is noticed, and of a window. */
const MIN_LETTERS = 10;
/** A passage is missing if more than this share of its windows is unknown. */
const MAX_UNKNOWN_SHARE = 0.5;
const MIN_BITS = 1 << 13;
const MAX_BITS = 1 << 30;
/** Of the set of words, for each letter of the text, so that few pairs of words are known by chance. */
const BITS_FOR_LETTER = 32;
/** Of the hash of a window, and its power for the letter that leaves the window. */
const BASE = 0x01000193;
const BASE_POWER = Array.from({ length: MIN_LETTERS }).reduce<number>((power) => Math.imul(power, BASE), 1);
const LINE_FEED = 0x0a;
/** Thai and the scripts after it mostly write no spaces: every two letters count as a word. */
const FIRST_UNSPACED = 0x0e00;

/**
 * Finds text of a file that was neither kept nor left out on purpose, so that a reader that loses text is noticed. The
 * order of lines, white space, case and punctuation do not matter. Time is linear.
 *
 * A passage of a line is suspected if its words, of at least ten letters together, follow each other nowhere else. This
 * is also so for words that were joined, hyphenated or written from right to left. So a suspected passage is missing only
 * if most of its windows of ten letters occur nowhere else in either direction.
 *
 * @param visible see `DocumentBuilder.see`
 * @param known the text of the document, and the text that was left out
 * @returns the missing passages
 */
export function missingText(visible: readonly string[], known: readonly string[]): string[] {
  let passages = [...visible];
  for (const text of known) {
    if (passages.length === 0) return [];
    const words = wordsOf(text);
    passages = passages.flatMap((passage) => unknownPassages(passage, words));
  }
  if (passages.length === 0) return [];
  const normal = passages.map((passage) => passage.normalize('NFKC'));
  const windows = windowsOf(normal, known);
  return normal.filter((passage) => isMissing(passage, windows) && isMissing(reversed(passage), windows));
}

/** The words of a text, alone and with the word before. */
function wordsOf(text: string): HashSet {
  const words = new HashSet(text.length);
  let previous = 0;
  forEachWord(text, (hash) => {
    words.add(hash);
    words.add(pair(previous, hash));
    previous = hash;
  });
  return words;
}

/** The longest passages of lines in which no word follows the one before in the known text. */
function unknownPassages(text: string, known: HashSet): string[] {
  const passages: string[] = [];
  let previous = 0;
  let line = -1;
  let letters = 0;
  let start = 0;
  let end = 0;
  const close = (): void => {
    if (letters >= MIN_LETTERS) passages.push(text.slice(start, end));
    letters = 0;
  };
  forEachWord(text, (hash, from, to, length, lineStart) => {
    const isFirst = lineStart !== line;
    if (isFirst) close();
    if (known.has(isFirst ? hash : pair(previous, hash))) close();
    else {
      if (letters === 0) start = from;
      letters += length;
      end = to;
    }
    line = lineStart;
    previous = hash;
  });
  close();
  return passages;
}

function pair(first: number, second: number): number {
  return (Math.imul(first, 0x9e3779b1) + second) | 0;
}

/** Those windows of the passages, in both directions, that the known texts have. */
function windowsOf(passages: readonly string[], known: readonly string[]): ReadonlySet<number> {
  const wanted = new Set<number>();
  for (const passage of passages)
    for (const text of [passage, reversed(passage)]) forEachWindow(text, (hash) => wanted.add(hash));
  const found = new Set<number>();
  for (const text of known)
    forEachWindow(text, (hash) => {
      if (wanted.has(hash)) found.add(hash);
    });
  return found;
}

function isMissing(passage: string, known: ReadonlySet<number>): boolean {
  let windows = 0;
  let unknown = 0;
  forEachWindow(passage, (hash) => {
    windows += 1;
    if (!known.has(hash)) unknown += 1;
  });
  return unknown > windows * MAX_UNKNOWN_SHARE;
}

function reversed(text: string): string {
  return text.split('').toReversed().join('');
}

/** A set of 32-bit hashes that may contain few others: a Bloom filter with one bit for each. */
class HashSet {
  private readonly bits: Int32Array;
  private readonly mask: number;

  /** @param letters of the text whose words are added */
  constructor(letters: number) {
    let size = MIN_BITS;
    while (size < letters * BITS_FOR_LETTER && size < MAX_BITS) size *= 2;
    this.bits = new Int32Array(size / 32);
    this.mask = size - 1;
  }

  add(hash: number): void {
    const bit = (hash ^ (hash >>> 15)) & this.mask;
    this.bits[bit >>> 5] = (this.bits[bit >>> 5] ?? 0) | (1 << (bit & 31));
  }

  has(hash: number): boolean {
    const bit = (hash ^ (hash >>> 15)) & this.mask;
    return ((this.bits[bit >>> 5] ?? 0) & (1 << (bit & 31))) !== 0;
  }
}

/** Visits each word with its hash, its offsets, its number of letters, and the offset of its line. */
function forEachWord(
  text: string,
  visit: (hash: number, start: number, end: number, letters: number, line: number) => void,
): void {
  const values = letterValues();
  let hash = 0;
  let start = 0;
  let letters = 0;
  let line = 0;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    const value = values[unit] ?? 0;
    if (value === 0) {
      if (letters > 0) visit(hash, start, index, letters, line);
      letters = 0;
      if (unit === LINE_FEED) line = index + 1;
    } else if (letters === 0) {
      hash = value;
      start = index;
      letters = 1;
    } else if (unit >= FIRST_UNSPACED) {
      visit(pair(hash, value), start, index + 1, 1, line);
      hash = value;
      start = index;
    } else {
      hash = (Math.imul(hash, 31) + value) | 0;
      letters += 1;
    }
  }
  if (letters > 0) visit(hash, start, text.length, letters, line);
}

/** Visits each window of {@link MIN_LETTERS} letters with its hash, a polynomial (Karp, Rabin, 1987). */
function forEachWindow(text: string, visit: (hash: number) => void): void {
  const values = letterValues();
  const window = new Int32Array(MIN_LETTERS);
  let hash = 0;
  let letters = 0;
  for (let index = 0; index < text.length; index += 1) {
    const value = values[text.charCodeAt(index)] ?? 0;
    if (value === 0) continue;
    const slot = letters % MIN_LETTERS;
    hash = (Math.imul(hash, BASE) - Math.imul(window[slot] ?? 0, BASE_POWER) + value) | 0;
    window[slot] = value;
    letters += 1;
    if (letters >= MIN_LETTERS) visit(hash);
  }
}

let table: Int32Array | undefined;

/** A value for each UTF-16 code unit that is a letter, a digit or half of a surrogate pair; 0 for the others. */
function letterValues(): Int32Array {
  if (table !== undefined) return table;
  table = new Int32Array(0x10000);
  for (let unit = 0; unit < table.length; unit += 1) {
    const character = String.fromCharCode(unit);
    if (!/[\p{L}\p{N}\p{Cs}]/u.test(character)) continue;
    const folded = character.toLowerCase();
    table[unit] = folded.length === 1 ? folded.charCodeAt(0) : unit;
  }
  return table;
}
