import type { PageContent, PageRange } from '@citewell/contracts/schemas';
import { canonicalText } from './canonical-text.js';

/** In place of the confidence of recognized text: what a model says about a picture. */
export const DESCRIBED = -1;

/** A word as OCR has read it, and where it is on its page. Lengths are shares of the sides of the page, from 0 to 1. */
export interface ReadWord {
  /** From 1. */
  readonly page: number;
  readonly text: string;
  /** How sure OCR is, in percent. */
  readonly confidence: number;
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** A word of the canonical text that OCR has read. Offsets are those of {@link Document.text}. */
export interface PlacedWord extends ReadWord {
  readonly start: number;
  readonly end: number;
}

/** What OCR has read on a page. */
export interface PageWords {
  readonly page: number;
  readonly words: readonly PlacedWord[];
  /** Words that are not part of the text, because OCR is too unsure about them. */
  readonly unreadable: readonly ReadWord[];
}

/** Later ranges are not listed. */
const MAX_RANGES = 1_000;

/** Characters after the last found word that are searched for the next one, and before it for one in another order. */
const REACH = { after: 400, before: 4_000 };
const PART_OF_WORD = /[\p{L}\p{N}\p{M}]/u;
const HYPHEN = /[-\u00AD\u2010]$/u;

/**
 * Finds the words of a block in its text. They are there in this order, except in cells of several lines and in text
 * from right to left. A word that the text has in another form, such as dots of a table of contents, has no place.
 *
 * @param offset of the text in the document
 */
function placeWords(text: string, offset: number, words: readonly ReadWord[]): PlacedWord[] {
  const placed: PlacedWord[] = [];
  const taken = new Uint8Array(text.length);
  let cursor = 0;
  for (const word of words) {
    const whole = canonicalText(word.text).trim();
    for (const form of HYPHEN.test(whole) ? [whole, whole.replace(HYPHEN, '')] : [whole]) {
      const at = form === '' ? -1 : findWord(text, form, cursor, taken);
      if (at < 0) continue;
      placed.push({ ...word, start: offset + at, end: offset + at + form.length });
      taken.fill(1, at, at + form.length);
      if (at >= cursor) cursor = at + form.length;
      break;
    }
  }
  return placed;
}

function findWord(text: string, word: string, cursor: number, taken: Uint8Array): number {
  let next = cursor;
  while (next < text.length && /[\s|]/.test(text.charAt(next))) next += 1;
  if (text.startsWith(word, next) && taken[next] === 0) return next;
  const after = text.slice(cursor, cursor + REACH.after);
  const found = findWhole(after, word, (at) => taken[cursor + at] === 0);
  if (found >= 0) return cursor + found;
  const start = Math.max(0, cursor - REACH.before);
  const before = findWhole(text.slice(start, cursor), word, (at) => taken[start + at] === 0);
  return before < 0 ? -1 : start + before;
}

/** The first place of a word that is not a part of another one. */
function findWhole(text: string, word: string, isFree: (at: number) => boolean): number {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const isBegin = at === 0 || !PART_OF_WORD.test(text.charAt(at - 1)) || !PART_OF_WORD.test(word.charAt(0));
    const last = word.charAt(word.length - 1);
    const isEnd = !PART_OF_WORD.test(text.charAt(at + word.length)) || !PART_OF_WORD.test(last);
    if (isBegin && isEnd && isFree(at)) return at;
  }
  return -1;
}

/** The mean confidence of words by their letters, in percent; undefined without words. */
function meanConfidence(words: readonly ReadWord[]): number | undefined {
  const letters = words.reduce((sum, { text }) => sum + text.length, 0);
  if (letters === 0) return undefined;
  return Math.round(words.reduce((sum, word) => sum + word.confidence * word.text.length, 0) / letters);
}

/** Formats page numbers as ranges: `1-3, 7`. */
export function pageNumbers(pages: readonly number[]): string {
  const ranges: [number, number][] = [];
  for (const page of pages) {
    const last = ranges.at(-1);
    if (last !== undefined && last[1] === page - 1) last[1] = page;
    else ranges.push([page, page]);
  }
  return ranges.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(', ');
}

/** Collects what OCR has read on the pages of a document. */
export class RecognizedWords {
  private readonly pages = new Map<
    number,
    PageWords & { readonly words: PlacedWord[]; readonly unreadable: ReadWord[] }
  >();
  private readonly contents = new Map<number, PageContent>();

  /** Places the words of a block. @returns their mean confidence; undefined without words */
  add(text: string, offset: number, words: readonly ReadWord[]): number | undefined {
    for (const word of placeWords(text, offset, words)) this.on(word.page).words.push(word);
    return meanConfidence(words);
  }

  addUnreadable(words: readonly ReadWord[]): void {
    for (const word of words) this.on(word.page).unreadable.push(word);
  }

  setContent(page: number, content: PageContent): void {
    this.contents.set(page, content);
  }

  get all(): PageWords[] {
    return [...this.pages.values()].sort((one, other) => one.page - other.page);
  }

  ranges(pageCount: number): PageRange[] {
    const ranges: { from: number; to: number; content: PageContent }[] = [];
    for (let page = 1; page <= pageCount && ranges.length <= MAX_RANGES; page += 1) {
      const content = this.contents.get(page) ?? 'text';
      const last = ranges.at(-1);
      if (last?.content === content) last.to = page;
      else ranges.push({ from: page, to: page, content });
    }
    return ranges.slice(0, MAX_RANGES).map((range) => {
      const pages = range.content === 'recognized' ? this.all.filter(isIn(range)) : [];
      const confidence = meanConfidence(pages.flatMap(({ words }) => words));
      const unreadable = pages.reduce((sum, page) => sum + page.unreadable.length, 0);
      return {
        ...range,
        ...(confidence !== undefined && { confidence }),
        ...(unreadable > 0 && { unreadable }),
      };
    });
  }

  private on(page: number): PageWords & { readonly words: PlacedWord[]; readonly unreadable: ReadWord[] } {
    const known = this.pages.get(page);
    if (known !== undefined) return known;
    const empty = { page, words: [], unreadable: [] };
    this.pages.set(page, empty);
    return empty;
  }
}

function isIn({ from, to }: { from: number; to: number }) {
  return ({ page }: PageWords): boolean => page >= from && page <= to;
}
