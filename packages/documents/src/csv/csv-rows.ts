import { DocumentError } from '../document/document-error.js';

/** As in Excel. The names of the columns are repeated in every chunk of a table. */
const MAX_COLUMNS = 16_384;
/** Searches for the end of quotes that never close may read this many times the text before they stay on a line. */
const MAX_REREADS = 8;

const [QUOTE, LINE_FEED, CARRIAGE_RETURN, SPACE] = [0x22, 0x0a, 0x0d, 0x20];

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
export function* csvRows(text: string, delimiter: string, start = 0): Generator<string[]> {
  const fields = new FieldReader(text, delimiter.charCodeAt(0), start);
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
    return field.includes('""') ? field.replaceAll('""', '"') : field;
  }

  private closingQuote(open: number): number | null {
    const { text } = this;
    const isLimited = this.reread > text.length * MAX_REREADS;
    let lineEnd = -1;
    for (let at = text.indexOf('"', open + 1); at >= 0; at = text.indexOf('"', at + 1)) {
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
