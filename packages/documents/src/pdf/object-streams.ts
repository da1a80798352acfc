import { inflateSync, constants } from 'node:zlib';
import { asArray, asDictionary, type PdfDictionary, type PdfName, type PdfValue } from './pdf-values.js';

/** What a stream holds, inflated, and where each of its objects begins, from the first on. */
export interface ObjectStream {
  readonly bytes: Buffer;
  readonly places: readonly { readonly number: number; readonly start: number }[];
}

const MEGABYTE = 1024 * 1024;
const MAX_STREAM_BYTES = 32 * MEGABYTE;
/** Of all streams of a file, together. */
const MAX_INFLATED_BYTES = 256 * MEGABYTE;
/** What a stream and an object count for at least: both cost, however small they are. */
const MIN_STREAM_BYTES = 8 * 1024;
const MIN_OBJECT_BYTES = 32;
/** Of number and place of each object: streams have some hundreds. */
const MAX_HEADER_BYTES = MEGABYTE;
/** Predictors from this one on are those of PNG; 1 is none. */
const FIRST_PNG_PREDICTOR = 10;

/** Reads object streams (ISO 32000-1, 7.5.7) of one file, until they are too much. */
export class ObjectStreams {
  private budget = MAX_INFLATED_BYTES;

  /** @returns null for what is damaged, too large, or encoded as no program encodes them */
  read(dictionary: PdfDictionary, data: Buffer): ObjectStream | null {
    if (dictionary.get('/Type') !== '/ObjStm') return null;
    const bytes = this.decode(dictionary, data);
    const first = dictionary.get('/First');
    if (bytes === null || typeof first !== 'number') return null;
    const places = placesOf(bytes.toString('latin1', 0, Math.min(first, MAX_HEADER_BYTES)), first);
    this.budget -= places.length * MIN_OBJECT_BYTES;
    return { bytes, places };
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
    // Colours and bits other than these are of pictures.
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
      // What is cut off, or has the wrong sum, is read as far as it goes.
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

/** A stream begins with the number and the place of each object, counted from the first. */
function placesOf(header: string, first: number): { number: number; start: number }[] {
  const places: { number: number; start: number }[] = [];
  let isSorted = true;
  const fields = header.split(/\s+/);
  for (let index = fields[0] === '' ? 1 : 0; index + 1 < fields.length; index += 2) {
    const number = Number(fields[index]);
    const start = first + Number(fields[index + 1]);
    if (!Number.isInteger(number) || !Number.isInteger(start) || start < first) break;
    isSorted &&= start >= (places.at(-1)?.start ?? 0);
    places.push({ number, start });
  }
  return isSorted ? places : places.sort((one, other) => one.start - other.start);
}

/** Where an entry may be a list of filters, one is all that is undone here. */
function onlyItem(dictionary: PdfDictionary, key: PdfName): PdfValue | undefined {
  const value = dictionary.get(key) ?? undefined;
  const list = asArray(value);
  if (list === undefined) return value;
  return list.length <= 1 ? (list[0] ?? undefined) : null;
}

/** Undoes the filters of PNG for rows of single bytes (RFC 2083, 6): each row begins with the number of its filter. */
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

/** Of three neighbours the one that is nearest to left + above - above left. */
function paeth(left: number, above: number, aboveLeft: number): number {
  const estimate = left + above - aboveLeft;
  const byLeft = Math.abs(estimate - left);
  const byAbove = Math.abs(estimate - above);
  const byBoth = Math.abs(estimate - aboveLeft);
  if (byLeft <= byAbove && byLeft <= byBoth) return left;
  return byAbove <= byBoth ? above : aboveLeft;
}
