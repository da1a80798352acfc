import { constants, inflateSync } from 'node:zlib';
import {
  asArray,
  asDictionary,
  type PdfDictionary,
  type PdfName,
  type PdfValue,
  readValue,
} from './pdf-values.js';

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

/** A decoded object stream, and the number and start offset of each of its objects, sorted by offset. */
interface ObjectStream {
  readonly bytes: Buffer;
  readonly entries: readonly { readonly number: number; readonly start: number }[];
}

const MEGABYTE = 1024 * 1024;
const MAX_STREAM_BYTES = 32 * MEGABYTE;
/** Limit of all streams of a file together. */
const MAX_INFLATED_BYTES = 256 * MEGABYTE;
// Minimum charge for a stream and an object against that limit: even empty ones take time.
const MIN_STREAM_BYTES = 8 * 1024;
const MIN_OBJECT_BYTES = 32;
/** Limit of the list of object numbers and offsets. Real streams have some hundred objects. */
const MAX_HEADER_BYTES = MEGABYTE;
/** Predictors from this value on are PNG predictors; 1 means no predictor. */
const FIRST_PNG_PREDICTOR = 10;

/** Reads the object streams (ISO 32000-1, 7.5.7) of one file, up to a limit of inflated bytes. */
class ObjectStreams {
  private budget = MAX_INFLATED_BYTES;

  /** @returns null for a damaged or too large stream, or an unusual encoding */
  read(dictionary: PdfDictionary, data: Buffer): ObjectStream | null {
    if (dictionary.get('/Type') !== '/ObjStm') return null;
    const bytes = this.decode(dictionary, data);
    const first = dictionary.get('/First');
    if (bytes === null || typeof first !== 'number') return null;
    const entries = entriesOf(bytes.toString('latin1', 0, Math.min(first, MAX_HEADER_BYTES)), first);
    this.budget -= entries.length * MIN_OBJECT_BYTES;
    return { bytes, entries };
  }

  private decode(dictionary: PdfDictionary, data: Buffer): Buffer | null {
    const filter = onlyItem(dictionary, '/Filter');
    if (filter === undefined) return data;
    if (filter !== '/FlateDecode') return null;
    const inflated = this.inflate(data);
    const parameters = asDictionary(onlyItem(dictionary, '/DecodeParms'));
    const predictor = parameters?.get('/Predictor') ?? 1;
    if (inflated === null || parameters === undefined || predictor === 1) return inflated;
    const columns = parameters.get('/Columns') ?? 1;
    // Other values occur in images only.
    const isOfBytes =
      (parameters.get('/Colors') ?? 1) === 1 && (parameters.get('/BitsPerComponent') ?? 8) === 8;
    if (typeof predictor !== 'number' || predictor < FIRST_PNG_PREDICTOR) return null;
    if (typeof columns !== 'number' || !Number.isInteger(columns) || columns < 1) return null;
    return isOfBytes ? undoPrediction(inflated, columns) : null;
  }

  private inflate(data: Buffer): Buffer | null {
    if (this.budget <= 0) return null;
    const maxOutputLength = Math.min(MAX_STREAM_BYTES, this.budget);
    try {
      // Z_SYNC_FLUSH also reads truncated streams and streams with a wrong checksum.
      const inflated = inflateSync(data, { maxOutputLength, finishFlush: constants.Z_SYNC_FLUSH });
      this.budget -= Math.max(MIN_STREAM_BYTES, inflated.length);
      return inflated;
    } catch (error) {
      const isTooLarge = error instanceof RangeError;
      this.budget -= isTooLarge ? maxOutputLength : MIN_STREAM_BYTES;
      return null;
    }
  }
}

/** Parses the header of an object stream: object numbers and offsets relative to the first object. */
function entriesOf(header: string, first: number): { number: number; start: number }[] {
  const entries: { number: number; start: number }[] = [];
  let isSorted = true;
  const fields = header.split(/\s+/);
  for (let index = fields[0] === '' ? 1 : 0; index + 1 < fields.length; index += 2) {
    const number = Number(fields[index]);
    const start = first + Number(fields[index + 1]);
    if (!Number.isInteger(number) || !Number.isInteger(start) || start < first) break;
    isSorted &&= start >= (entries.at(-1)?.start ?? 0);
    entries.push({ number, start });
  }
  return isSorted ? entries : entries.sort((one, other) => one.start - other.start);
}

/**
 * The value of an entry that may also be an array of one item. Null for longer arrays: filter chains are
 * unsupported.
 */
function onlyItem(dictionary: PdfDictionary, key: PdfName): PdfValue | undefined {
  const value = dictionary.get(key) ?? undefined;
  const list = asArray(value);
  if (list === undefined) return value;
  return list.length <= 1 ? (list[0] ?? undefined) : null;
}

/** Reverses PNG filters for rows of single bytes (RFC 2083, 6). Each row begins with its filter type. */
function undoPrediction(data: Buffer, columns: number): Buffer {
  const rows = Math.trunc(data.length / (columns + 1));
  const out = Buffer.alloc(rows * columns);
  for (let row = 0; row < rows; row += 1) {
    const from = row * (columns + 1) + 1;
    const to = row * columns;
    const filter = data[from - 1] ?? 0;
    for (let column = 0; column < columns; column += 1) {
      const left = column > 0 ? (out[to + column - 1] ?? 0) : 0;
      const above = row > 0 ? (out[to + column - columns] ?? 0) : 0;
      const aboveLeft = row > 0 && column > 0 ? (out[to + column - columns - 1] ?? 0) : 0;
      out[to + column] = (data[from + column] ?? 0) + predicted(filter, left, above, aboveLeft);
    }
  }
  return out;
}

function predicted(filter: number, left: number, above: number, aboveLeft: number): number {
  switch (filter) {
    case 1:
      return left;
    case 2:
      return above;
    case 3:
      return (left + above) >> 1;
    case 4:
      return paeth(left, above, aboveLeft);
    default:
      return 0;
  }
}

/** The Paeth predictor (RFC 2083, 6.6): the neighbour that is nearest to left + above - above left. */
function paeth(left: number, above: number, aboveLeft: number): number {
  const estimate = left + above - aboveLeft;
  const byLeft = Math.abs(estimate - left);
  const byAbove = Math.abs(estimate - above);
  const byBoth = Math.abs(estimate - aboveLeft);
  if (byLeft <= byAbove && byLeft <= byBoth) return left;
  return byAbove <= byBoth ? above : aboveLeft;
}
