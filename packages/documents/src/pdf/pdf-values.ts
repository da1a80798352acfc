/** A PDF value (ISO 32000-1, 7.3). Booleans and invalid values are null. */
export type PdfValue = number | PdfName | PdfString | PdfReference | PdfArray | PdfDictionary | null;
/** A name with its slash and with escapes resolved. */
export type PdfName = `/${string}`;
/** The bytes of a string, with escapes resolved. */
export type PdfString = Buffer;
export type PdfArray = readonly PdfValue[];
export type PdfDictionary = ReadonlyMap<PdfName, PdfValue>;

export class PdfReference {
  constructor(readonly number: number) {}
}

// Limits of nesting and size, far above those of the values that are needed. Larger values are truncated.
const MAX_DEPTH = 24;
const MAX_VALUES = 50_000;

/**
 * Reads the value at an offset, in one pass. A damaged value is read as far as possible.
 *
 * @param end exclusive limit
 * @returns undefined when there is no value
 */
export function readValue(bytes: Buffer, start: number, end: number): PdfValue | undefined {
  const value = new ValueReader(bytes, start, Math.min(end, bytes.length)).read(0);
  return value === 'R' ? null : value;
}

export function asDictionary(value: PdfValue | undefined): PdfDictionary | undefined {
  return value instanceof Map ? value : undefined;
}

export function asArray(value: PdfValue | undefined): PdfArray | undefined {
  return Array.isArray(value) ? value : undefined;
}

const [REGULAR, SPACE, DELIMITER] = [0, 1, 2];
const KIND_OF_BYTE = new Uint8Array(256);
for (const byte of Buffer.from('\0\t\n\f\r ')) KIND_OF_BYTE[byte] = SPACE;
for (const byte of Buffer.from('()<>[]{}/%')) KIND_OF_BYTE[byte] = DELIMITER;

const [LINE_FEED, CARRIAGE_RETURN, PERCENT, OPEN, CLOSE, SLASH, LESS, GREATER, LEFT, BACKSLASH, RIGHT] =
  Buffer.from('\n\r%()/<>[\\]');
const ZERO = 0x30;
/** Escape sequences of one letter; a backslash before any other character is ignored. */
const ESCAPES: ReadonlyMap<string, string> = new Map(
  Object.entries({ n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' }),
);

class ValueReader {
  private values = 0;

  constructor(
    private readonly bytes: Buffer,
    private at: number,
    private readonly end: number,
  ) {}

  /**
   * Reads the next value. Returns `R` for that keyword, which makes a reference of the two numbers before it,
   * and undefined at the end of the enclosing array or dictionary.
   */
  read(depth: number): PdfValue | 'R' | undefined {
    this.skipSpace();
    this.values += 1;
    if (this.at >= this.end || depth > MAX_DEPTH || this.values > MAX_VALUES) return undefined;
    switch (this.bytes[this.at]) {
      case SLASH:
        return this.readName();
      case OPEN:
        return this.readLiteral();
      case LEFT:
        this.at += 1;
        return this.readItems(depth);
      case LESS:
        if (this.bytes[this.at + 1] !== LESS) return this.readHex();
        this.at += 2;
        return dictionaryOf(this.readItems(depth));
      case RIGHT:
      case GREATER:
        return undefined;
      case undefined:
      default:
        return this.readWord();
    }
  }

  private skipSpace(): void {
    for (; this.at < this.end; this.at += 1) {
      const byte = this.bytes[this.at] ?? 0;
      if (byte === PERCENT) this.skipComment();
      else if (KIND_OF_BYTE[byte] !== SPACE) return;
    }
  }

  private skipComment(): void {
    while (this.at < this.end) {
      const byte = this.bytes[this.at];
      if (byte === LINE_FEED || byte === CARRIAGE_RETURN) return;
      this.at += 1;
    }
  }

  /** Reads up to and including the end of an array or dictionary. */
  private readItems(depth: number): PdfValue[] {
    const items: PdfValue[] = [];
    for (;;) {
      const item = this.read(depth + 1);
      if (item === undefined) break;
      if (item !== 'R') items.push(item);
      else {
        items.pop();
        const number = items.pop();
        items.push(typeof number === 'number' ? new PdfReference(number) : null);
      }
    }
    if (this.bytes[this.at] === GREATER && this.bytes[this.at + 1] === GREATER) this.at += 2;
    else if (this.bytes[this.at] === RIGHT || this.bytes[this.at] === GREATER) this.at += 1;
    return items;
  }

  private skipRegular(): void {
    while (this.at < this.end && KIND_OF_BYTE[this.bytes[this.at] ?? 0] === REGULAR) this.at += 1;
  }

  private readName(): PdfName {
    const start = (this.at += 1);
    this.skipRegular();
    const name = this.bytes.toString('latin1', start, this.at);
    return name.includes('#')
      ? `/${name.replace(/#([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)))}`
      : `/${name}`;
  }

  /** Reads a number or a keyword. */
  private readWord(): PdfValue | 'R' {
    const start = this.at;
    this.skipRegular();
    // Skip stray braces and closing parentheses.
    if (this.at === start) this.at += 1;
    const number = this.wholeNumber(start);
    if (number !== null) return number;
    const word = this.bytes.toString('latin1', start, this.at);
    if (word === 'R') return word;
    return /^[-+]?(?:\d+(?:\.\d*)?|\.\d+)$/.test(word) ? Number(word) : null;
  }

  /** The word that was just read, if it consists of digits, as most words do. */
  private wholeNumber(start: number): number | null {
    let number = 0;
    for (let at = start; at < this.at; at += 1) {
      const digit = (this.bytes[at] ?? 0) - ZERO;
      if (digit < 0 || digit > 9) return null;
      number = number * 10 + digit;
    }
    return number;
  }

  private readHex(): PdfString {
    const start = (this.at += 1);
    while (this.at < this.end && this.bytes[this.at] !== GREATER) this.at += 1;
    const digits = this.bytes.toString('latin1', start, this.at).replace(/[^\da-f]/gi, '');
    this.at += 1;
    return Buffer.from(digits.length % 2 === 0 ? digits : `${digits}0`, 'hex');
  }

  /** Reads a literal string. Balanced parentheses need no escape. */
  private readLiteral(): PdfString {
    const start = (this.at += 1);
    let hasEscapes = false;
    for (let open = 1; this.at < this.end; this.at += 1) {
      const byte = this.bytes[this.at];
      if (byte === BACKSLASH) {
        hasEscapes = true;
        this.at += 1;
      } else if (byte === OPEN) open += 1;
      else if (byte === CLOSE && (open -= 1) === 0) break;
    }
    const end = Math.min(this.at, this.end);
    this.at += 1;
    if (!hasEscapes) return this.bytes.subarray(start, end);
    const text = this.bytes
      .toString('latin1', start, end)
      .replace(/\\(?:([0-7]{1,3})|(\r\n?|\n)|([^]))/g, (_, octal?: string, lineEnd?: string, letter = '') => {
        if (octal !== undefined) return String.fromCharCode(parseInt(octal, 8) & 0xff);
        return lineEnd === undefined ? (ESCAPES.get(letter) ?? letter) : '';
      });
    return Buffer.from(text, 'latin1');
  }
}

function dictionaryOf(items: readonly PdfValue[]): PdfDictionary {
  const dictionary = new Map<PdfName, PdfValue>();
  for (let index = 0; index < items.length; index += 1) {
    const key = items[index];
    if (typeof key !== 'string') continue;
    index += 1;
    dictionary.set(key, items[index] ?? null);
  }
  return dictionary;
}
