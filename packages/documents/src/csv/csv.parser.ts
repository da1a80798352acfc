import type { DocumentBuilder } from '../document/document-builder.js';
import type { DocumentParser } from '../document-parser.js';
import { readText } from '../text-decoding/decode-text.js';
import { withoutDataUrls } from '../text-decoding/text-content.js';
import { DocumentError } from '../document/document-error.js';

/** Rows that are read ahead to find the header. */
const HEAD_ROWS = 100;

/**
 * Reads delimited text as one table; see {@link csvRows}. Ragged rows are kept. Lines above the header, such as the
 * title of a report, become a paragraph.
 */
export const csvParser: DocumentParser = {
  async parse(input, builder) {
    const text = withoutDataUrls(await readText(input, builder));
    const separator = separatorLine(text);
    const sample = text.slice(separator?.end ?? 0).slice(0, SAMPLE_CHARACTERS);
    const delimiter = separator?.delimiter ?? detectDelimiter(sample);
    const rows = csvRows(text, { delimiter, hasEscapes: hasEscapes(sample, delimiter) }, separator?.end);
    const head = [...take(rows, HEAD_ROWS)];
    const above = linesAboveTable(head);
    builder.block(
      'paragraph',
      above.map((row) => row.filter((cell) => cell.trim() !== '').join(' | ')).join('\n'),
    );
    const count = addTable(builder, head.slice(above.length), rows);
    builder.setMetadata('delimiter', delimiter === '\t' ? 'tab' : delimiter).setMetadata('rows', count);
  },
};

/** @returns the number of rows without the header */
function addTable(builder: DocumentBuilder, head: readonly string[][], rest: Iterable<string[]>): number {
  const headerRow = head[0] !== undefined && isHeaderRow(head[0]);
  const table = builder.openTable({ headerRow });
  let count = headerRow ? -1 : 0;
  const add = (row: readonly string[]): void => {
    table.row(row);
    count += 1;
  };
  head.forEach(add);
  for (const row of rest) add(row);
  table.close();
  return count;
}

/** The first items. Unlike a `break`, this does not end the iterator. */
function* take<T>(items: Iterator<T>, count: number): Generator<T> {
  for (let index = 0; index < count; index += 1) {
    const { value, done } = items.next();
    if (done === true) return;
    yield value;
  }
}

const DELIMITERS = [',', ';', '\t', '|'] as const;

type Delimiter = (typeof DELIMITERS)[number];

const SAMPLE_CHARACTERS = 64 * 1024;
const SAMPLE_RECORDS = 100;

/**
 * Detects the delimiter from the first 100 records: the one that gives the largest share of records with the
 * most frequent number of fields, if that number is above one. Ties are won by more fields. A comma when the
 * file has one column.
 */
function detectDelimiter(sample: string): Delimiter {
  let best: { delimiter: Delimiter; share: number; fields: number } = { delimiter: ',', share: 0, fields: 1 };
  for (const delimiter of DELIMITERS) {
    const counts = fieldCounts(sample, { delimiter, hasEscapes: false });
    const { fields, share } = mostFrequent(counts);
    if (fields > 1 && (share > best.share || (share === best.share && fields > best.fields))) {
      best = { delimiter, share, fields };
    }
  }
  return best.delimiter;
}

/** Whether more records have the same number of fields if a backslash escapes a quote, as MySQL writes it. */
function hasEscapes(sample: string, delimiter: string): boolean {
  if (!sample.includes(String.raw`\"`)) return false;
  const [without = 0, withEscapes = 0] = [false, true].map(
    (escapes) => mostFrequent(fieldCounts(sample, { delimiter, hasEscapes: escapes })).share,
  );
  return withEscapes > without;
}

/**
 * The first line `sep=;`, which names the delimiter to Excel and is not part of the table.
 *
 * @returns the delimiter, if the line has one, and the offset of the next line; null when there is no such line
 */
function separatorLine(
  text: string,
): { readonly delimiter: string | undefined; readonly end: number } | null {
  const line = /^\ufeff?[ \t]*("?)sep=([^\r\n"\w])?\1[ \t,;]*(?:\r\n?|\n|$)/i.exec(text);
  return line === null ? null : { delimiter: line[2], end: line[0].length };
}

/**
 * The rows above the header that do not belong to the table, such as the title and the date of a report: each has
 * at most half as many cells with text as the table has columns.
 *
 * @param head the first rows of the file
 */
function linesAboveTable(head: readonly string[][]): readonly string[][] {
  const counts = head.map((row) => row.filter((cell) => cell.trim() !== '').length);
  const { fields } = mostFrequent(counts);
  const first = counts.findIndex((count) => count >= fields);
  const above = counts.slice(0, Math.max(0, first));
  const header = head[first];
  const isTable = fields > 1 && header !== undefined && isHeaderRow(header) && counts.length > first + 1;
  return isTable && above.every((count) => count <= Math.max(1, fields / 2)) ? head.slice(0, first) : [];
}

/** Whether all cells can be column names: not empty, distinct, and neither numbers nor dates. */
export function isHeaderRow(cells: readonly string[]): boolean {
  const names = cells.map((cell) => cell.trim());
  while (names.at(-1) === '') names.pop();
  if (names.length === 0 || new Set(names).size !== names.length) return false;
  return names.every((name) => name !== '' && !/^[\d\s.,:/%€$£+-]+$/.test(name));
}

/** The number of fields of each record. A last record that the sample cuts is not counted. */
function fieldCounts(sample: string, dialect: Dialect): number[] {
  const counts = Array.from(take(csvRows(sample, dialect), SAMPLE_RECORDS + 1), ({ length }) => length);
  const isCut = counts.length > SAMPLE_RECORDS || (counts.length > 1 && sample.length === SAMPLE_CHARACTERS);
  return isCut ? counts.slice(0, -1) : counts;
}

function mostFrequent(counts: readonly number[]): { fields: number; share: number } {
  const tally = new Map<number, number>();
  for (const count of counts) tally.set(count, (tally.get(count) ?? 0) + 1);
  let best = { fields: 1, times: 0 };
  for (const [fields, times] of tally) {
    // One field means that the delimiter does not occur: any other number is better evidence.
    if (fields > 1 && (times > best.times || best.fields === 1)) best = { fields, times };
  }
  return { fields: best.fields, share: counts.length === 0 ? 0 : best.times / counts.length };
}

/** As in Excel. The names of the columns are repeated in every chunk of a table. */
const MAX_COLUMNS = 16_384;
/** Searches for the end of quotes that never close may read this many times the text before they stay on a line. */
const MAX_REREADS = 8;

const [QUOTE, LINE_FEED, CARRIAGE_RETURN, SPACE, BACKSLASH] = [0x22, 0x0a, 0x0d, 0x20, 0x5c];

interface Dialect {
  readonly delimiter: string;
  /** Whether a backslash escapes a quote and a backslash in a quoted field. */
  readonly hasEscapes: boolean;
}

/**
 * Reads delimited text (RFC 4180 and its variants) row by row; cells are slices of the text. Rows without text are
 * skipped.
 *
 * A quote opens a field only if another one closes it: before a delimiter, a line end or the end of the text. A quote
 * at the start of a field in a later line belongs to that line, so the first one never closed. Quotes that do not
 * open a field, and single quotes in one, are ordinary characters.
 *
 * @param start offset of the first row
 * @throws DocumentError TOO_COMPLEX for more columns than Excel has
 */
function* csvRows(text: string, { delimiter, hasEscapes }: Dialect, start = 0): Generator<string[]> {
  const fields = new FieldReader(text, delimiter.charCodeAt(0), hasEscapes, start);
  while (!fields.isAtEnd) {
    const row: string[] = [];
    do {
      row.push(fields.next());
      if (row.length > MAX_COLUMNS) throw tooManyColumns();
    } while (fields.isInRow);
    if (row.length > 1 || row[0] !== '') yield row;
  }
}

class FieldReader {
  /** Whether the last field was followed by a delimiter. */
  isInRow = false;
  /** Characters read in search of closing quotes that do not exist. */
  private reread = 0;

  constructor(
    private readonly text: string,
    private readonly delimiter: number,
    private readonly hasEscapes: boolean,
    private at: number,
  ) {}

  get isAtEnd(): boolean {
    return this.at >= this.text.length;
  }

  next(): string {
    const field = this.quoted() ?? this.unquoted();
    const code = this.text.charCodeAt(this.at);
    this.isInRow = code === this.delimiter;
    if (code === CARRIAGE_RETURN && this.text.charCodeAt(this.at + 1) === LINE_FEED) this.at += 1;
    this.at += 1;
    return field;
  }

  private unquoted(): string {
    const start = this.at;
    while (!this.isFieldEnd(this.at)) this.at += 1;
    return this.text.slice(start, this.at);
  }

  /** @returns null when no quote opens here, or none closes */
  private quoted(): string | null {
    const open = this.skipSpaces(this.at);
    if (this.text.charCodeAt(open) !== QUOTE) return null;
    const close = this.closingQuote(open);
    if (close === null) return null;
    this.at = this.skipSpaces(close + 1);
    const field = this.text.slice(open + 1, close);
    if (this.hasEscapes) return field.replace(/\\(["\\])|""/g, (_, escaped?: string) => escaped ?? '"');
    return field.includes('""') ? field.replaceAll('""', '"') : field;
  }

  private closingQuote(open: number): number | null {
    const { text } = this;
    const isLimited = this.reread > text.length * MAX_REREADS;
    let lineEnd = -1;
    for (let at = text.indexOf('"', open + 1); at >= 0; at = text.indexOf('"', at + 1)) {
      if (this.hasEscapes && this.isEscaped(at, open)) continue;
      if (text.charCodeAt(at + 1) === QUOTE) {
        at += 1;
        continue;
      }
      if (lineEnd < 0) lineEnd = this.lineEnd(open);
      if (isLimited && at > lineEnd) return null;
      if (this.isFieldEnd(this.skipSpaces(at + 1))) return at;
      if (at > lineEnd && this.isFieldStart(at)) {
        this.reread += at - open;
        return null;
      }
    }
    this.reread += text.length - open;
    return null;
  }

  /** Whether an odd number of backslashes stands before a place. */
  private isEscaped(at: number, open: number): boolean {
    let first = at;
    while (first - 1 > open && this.text.charCodeAt(first - 1) === BACKSLASH) first -= 1;
    return (at - first) % 2 === 1;
  }

  private skipSpaces(from: number): number {
    let at = from;
    while (this.text.charCodeAt(at) === SPACE && this.delimiter !== SPACE) at += 1;
    return at;
  }

  private lineEnd(from: number): number {
    let at = from;
    while (at < this.text.length && !isLineBreak(this.text.charCodeAt(at))) at += 1;
    return at;
  }

  private isFieldStart(at: number): boolean {
    const before = this.text.charCodeAt(at - 1);
    return before === this.delimiter || isLineBreak(before);
  }

  private isFieldEnd(at: number): boolean {
    if (at >= this.text.length) return true;
    const code = this.text.charCodeAt(at);
    return code === this.delimiter || isLineBreak(code);
  }
}

function isLineBreak(code: number): boolean {
  return code === LINE_FEED || code === CARRIAGE_RETURN;
}

function tooManyColumns(): DocumentError {
  return new DocumentError('TOO_COMPLEX', 'too many columns', {
    userMessage: `The table has more than ${MAX_COLUMNS.toLocaleString('en')} columns. Split it, or exchange its rows and columns.`,
  });
}
