import { inflateSync, constants } from 'node:zlib';
import { asArray, asDictionary, type PdfDictionary, type PdfName, type PdfValue } from './pdf-values.js';

/** A decoded object stream, and the number and start offset of each of its objects, sorted by offset. */
export interface ObjectStream {
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
export class ObjectStreams {
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
