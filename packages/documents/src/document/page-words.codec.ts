import type { Document } from './document.js';
import type { PageWords, PlacedWord, ReadWord } from './recognition.js';

export { DESCRIBED } from './recognition.js';

/** The words of a page as columns of numbers: offsets, the box in ten-thousandths of the sides of the page, and percent. */
type WordRow = readonly [start: number, end: number, ...box: number[]];
type UnreadableRow = readonly [text: string, ...box: number[]];
/** An entry of the index: a page, and the offset and the length of its words, in bytes after the index. */
type IndexEntry = readonly [page: number, offset: number, bytes: number];

/** Of a share of a side of a page. */
const UNITS = 10_000;
/** Of the length of the index, as a UInt32LE before it. */
export const INDEX_LENGTH_BYTES = 4;

/**
 * Encodes the words of recognized pages: the length of the index, the index of the pages as JSON, and the words of each
 * page as JSON, so that those of one page are one range read.
 *
 * @returns null without recognized pages
 */
export function encodePageWords({ recognized }: Pick<Document, 'recognized'>): Buffer | null {
  if (recognized.length === 0) return null;
  const index: IndexEntry[] = [];
  const parts: Buffer[] = [];
  let offset = 0;
  for (const { page, words, unreadable } of recognized) {
    const part = Buffer.from(
      JSON.stringify([
        words.map((word): WordRow => [word.start, word.end, ...boxOf(word)]),
        unreadable.map((word): UnreadableRow => [word.text, ...boxOf(word)]),
      ]),
    );
    index.push([page, offset, part.length]);
    parts.push(part);
    offset += part.length;
  }
  const json = Buffer.from(JSON.stringify(index));
  const length = Buffer.alloc(INDEX_LENGTH_BYTES);
  length.writeUInt32LE(json.length);
  return Buffer.concat([length, json, ...parts]);
}

function boxOf({ left, top, width, height, confidence }: ReadWord): number[] {
  return [...[left, top, width, height].map((share) => Math.round(share * UNITS)), confidence];
}

/**
 * @param index of {@link encodePageWords}, without its length
 * @returns where the words of a page are in the encoded file, in bytes; null for a page without recognized words
 */
export function findPageWords(index: Uint8Array, page: number): { start: number; end: number } | null {
  const entries: unknown = JSON.parse(Buffer.from(index).toString('utf8'));
  const entry: unknown = Array.isArray(entries)
    ? entries.find((candidate) => Array.isArray(candidate) && candidate[0] === page)
    : undefined;
  if (!Array.isArray(entry)) return null;
  const [, offset, bytes]: unknown[] = entry;
  if (!isOffset(offset) || !isOffset(bytes)) throw new TypeError('invalid index of recognized pages');
  const start = INDEX_LENGTH_BYTES + index.byteLength + offset;
  return { start, end: start + bytes };
}

/** Decodes the words of a page. Invalid ones are dropped: a process that read hostile input has written them. */
export function decodePageWords(encoded: Uint8Array): {
  words: Omit<PlacedWord, 'page' | 'text'>[];
  unreadable: Omit<PageWords['unreadable'][number], 'page'>[];
} {
  const [words, unreadable]: unknown[] = asArray(JSON.parse(Buffer.from(encoded).toString('utf8')));
  return {
    words: asArray(words).flatMap((row) => {
      const [start, end, ...box]: unknown[] = asArray(row);
      const read = readBox(box);
      return read !== null && isOffset(start) && isOffset(end) ? [{ start, end, ...read }] : [];
    }),
    unreadable: asArray(unreadable).flatMap((row) => {
      const [text, ...box]: unknown[] = asArray(row);
      const read = readBox(box);
      return read !== null && typeof text === 'string' ? [{ text, ...read }] : [];
    }),
  };
}

function readBox(values: readonly unknown[]): Omit<ReadWord, 'page' | 'text'> | null {
  const numbers = values.filter(isOffset);
  if (numbers.length !== 5 || numbers.some((value) => value > UNITS)) return null;
  const [left, top, width, height, confidence] = numbers as [number, number, number, number, number];
  return {
    left: left / UNITS,
    top: top / UNITS,
    width: width / UNITS,
    height: height / UNITS,
    confidence: Math.min(100, confidence),
  };
}

function asArray(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function isOffset(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= 0;
}
