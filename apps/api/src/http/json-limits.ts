/** Deepest nesting of arrays and objects. */
const MAX_DEPTH = 64;
/** Largest number of values in all arrays and objects together. */
const MAX_VALUES = 50_000;

const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_ARRAY = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/**
 * Counts the values and the depth of JSON while its bytes arrive, before it is parsed. Millions of small values take
 * seconds to parse and validate; one long string does not. JSON that is not valid is left to the parser.
 */
export class JsonLimits {
  private depth = 0;
  private values = 0;
  private isInString = false;
  /** Whether the next byte of a string is escaped. */
  private isEscaped = false;

  /** @returns whether the JSON so far is within the limits */
  accept(bytes: Uint8Array): boolean {
    for (let at = 0; at < bytes.length; at += 1) {
      // Bytes of characters outside ASCII are 128 and above, so none of them looks like a sign of the syntax.
      const byte = bytes[at];
      if (this.isInString) {
        if (this.isEscaped) this.isEscaped = false;
        else if (byte === BACKSLASH) this.isEscaped = true;
        else if (byte === QUOTE) this.isInString = false;
        continue;
      }
      if (byte === QUOTE) {
        this.isInString = true;
      } else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) {
        this.depth += 1;
        this.values += 1;
        if (this.depth > MAX_DEPTH) return false;
      } else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) {
        this.depth -= 1;
      } else if (byte === COMMA) {
        this.values += 1;
      }
    }
    return this.values <= MAX_VALUES;
  }
}
