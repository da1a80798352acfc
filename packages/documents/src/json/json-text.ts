import { DocumentError } from '../document/document-error.js';

export const MAX_JSON_DEPTH = 200;

/**
 * Rejects nesting that would overflow the stack of a recursive reader.
 *
 * @throws DocumentError TOO_COMPLEX for nesting beyond {@link MAX_JSON_DEPTH}
 */
export function guardDepth(text: string): void {
  walkBrackets(text, (depth) => {
    if (depth > MAX_JSON_DEPTH)
      throw new DocumentError('TOO_COMPLEX', `nested deeper than ${MAX_JSON_DEPTH}`, {
        userMessage: `It is nested deeper than ${MAX_JSON_DEPTH} levels, the limit for JSON files. Flatten it and upload it again.`,
      });
  });
}

/** Splits concatenated JSON after each object or array. Text after the last one is a piece of its own. */
export function splitValues(text: string): string[] {
  const pieces: string[] = [];
  let start = 0;
  walkBrackets(text, (depth, index) => {
    if (depth !== 0) return;
    pieces.push(text.slice(start, index + 1));
    start = index + 1;
  });
  const rest = text.slice(start);
  return rest.trim() === '' ? pieces : [...pieces, rest];
}

/** @param onBracket called for each bracket outside of strings, with the depth after it and its index */
function walkBrackets(text: string, onBracket: (depth: number, index: number) => void): void {
  let depth = 0;
  let isString = false;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (isString) {
      if (code === BACKSLASH) index += 1;
      else if (code === QUOTE) isString = false;
    } else if (code === QUOTE) isString = true;
    else if (code === OPEN_BRACE || code === OPEN_BRACKET) onBracket((depth += 1), index);
    else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) onBracket((depth -= 1), index);
  }
}

const QUOTE = 34;
const BACKSLASH = 92;
const OPEN_BRACKET = 91;
const CLOSE_BRACKET = 93;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;

/**
 * Parses JSON and returns numbers that a double cannot represent exactly as strings, as written. Exports
 * often contain identifiers of 17 and more digits.
 *
 * @throws SyntaxError
 */
export function parseJson(text: string): unknown {
  if (!/\d{16}/.test(text)) return JSON.parse(text);
  return JSON.parse(text, (_key, value: unknown, context?: { source?: string }) => {
    const source = context?.source;
    return typeof value === 'number' && source !== undefined && String(value) !== source ? source : value;
  });
}
