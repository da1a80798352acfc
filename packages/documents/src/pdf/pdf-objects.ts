import { ObjectStreams } from './object-streams.js';
import { asDictionary, type PdfDictionary, type PdfValue, readValue } from './pdf-values.js';

/** A PDF object in the bytes of the file or of an object stream. */
export class PdfObject {
  constructor(
    readonly number: number,
    private readonly search: WordSearch,
    private readonly start: number,
    private readonly end: number,
  ) {}

  /** Whether the object contains `word`. Call this for objects in file order; see {@link WordSearch}. */
  has(word: string): boolean {
    return this.search.next(word, this.start) < this.end;
  }

  /** The source of the object, one character per byte. */
  get source(): string {
    return this.search.bytes.toString('latin1', this.start, this.end);
  }

  read(): PdfValue | undefined {
    return readValue(this.search.bytes, this.start, this.end);
  }

  /** @returns undefined when the object is not a dictionary */
  readDictionary(): PdfDictionary | undefined {
    return asDictionary(this.read());
  }
}

/**
 * Yields all objects of a file in file order, including those in object streams. For other streams, only the
 * dictionary is part of the object. Works in one pass without the cross-reference table, so that replaced objects are
 * included, before their replacements.
 */
export function* objectsOf(file: Buffer): Generator<PdfObject> {
  const search = new WordSearch(file);
  const streams = new ObjectStreams();
  for (let at = 0; ;) {
    const keyword = search.next('obj', at);
    if (keyword === Infinity) return;
    at = keyword + 'obj'.length;
    const number = numberBefore(file, keyword);
    if (number === null) continue;
    const end = Math.min(search.next('endobj', at), file.length);
    const stream = findStream(search, at, end);
    const object = new PdfObject(number, search, at, stream?.keyword ?? end);
    yield object;
    if (stream === null) at = end;
    else {
      at = streamEnd(search, object, stream.data);
      const isObjectStream = object.has('/ObjStm');
      if (isObjectStream) yield* objectsIn(streams, object, file.subarray(stream.data, at));
    }
  }
}

/** The object number before an `obj` keyword, as in `12 0 obj`; null when there is none. */
function numberBefore(file: Buffer, keyword: number): number | null {
  const before = file.toString('latin1', Math.max(0, keyword - 24), keyword);
  const number = /(?<!\d)(\d{1,10})\s+\d{1,5}\s*$/.exec(before)?.[1];
  return number === undefined ? null : Number(number);
}

/**
 * Finds the stream after an object's dictionary. The keyword may also occur in a string of the dictionary.
 */
function findStream(
  search: WordSearch,
  start: number,
  end: number,
): { readonly keyword: number; readonly data: number } | null {
  const { bytes } = search;
  for (let keyword = search.next('stream', start); keyword < end;) {
    const data = keyword + 'stream'.length;
    const lineEnd = /^\r?\n|^\r/.exec(bytes.toString('latin1', data, data + 2));
    const isAfterDictionary = />>\s*$/.test(bytes.toString('latin1', Math.max(start, keyword - 16), keyword));
    if (lineEnd !== null && isAfterDictionary) return { keyword, data: data + lineEnd[0].length };
    keyword = search.next('stream', data);
  }
  return null;
}

/** Determines the end by the length if it is direct and correct, else by the next `endstream`. */
function streamEnd(search: WordSearch, object: PdfObject, data: number): number {
  const { bytes } = search;
  const length = /\/Length\s+(\d{1,10})\b(?!\s+\d+\s+R)/.exec(object.source)?.[1];
  const end = length === undefined ? bytes.length : data + Number(length);
  if (/^\s*endstream/.test(bytes.toString('latin1', end, end + 16))) return end;
  return Math.min(search.next('endstream', data), bytes.length);
}

function* objectsIn(streams: ObjectStreams, object: PdfObject, data: Buffer): Generator<PdfObject> {
  const dictionary = object.readDictionary();
  const stream = dictionary === undefined ? null : streams.read(dictionary, data);
  if (stream === null) return;
  const search = new WordSearch(stream.bytes);
  for (const [index, { number, start }] of stream.entries.entries()) {
    const end = stream.entries[index + 1]?.start ?? stream.bytes.length;
    yield new PdfObject(number, search, start, end);
  }
}

/** Searches for words in bytes at increasing offsets. All searches for one word together take one pass. */
class WordSearch {
  private readonly found = new Map<string, number>();

  constructor(readonly bytes: Buffer) {}

  /** The next offset of the word at or after `from`, which must not decrease; Infinity when there is none. */
  next(word: string, from: number): number {
    const known = this.found.get(word) ?? -1;
    if (known >= from) return known;
    const at = this.bytes.indexOf(word, from, 'latin1');
    const offset = at < 0 ? Infinity : at;
    this.found.set(word, offset);
    return offset;
  }
}
