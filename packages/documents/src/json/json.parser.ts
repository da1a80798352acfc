import { singleLine } from '../document/canonical-text.js';
import type { DocumentBuilder } from '../document/document-builder.js';
import { DocumentError } from '../document/document-error.js';
import type { DocumentParser } from '../document-parser.js';
import { readText } from '../text-decoding/decode-text.js';
import { withoutDataUrls } from '../text-decoding/text-content.js';
import { addNotebook, isNotebook } from './notebook.js';

const MAX_JSON_DEPTH = 200;
const QUOTE = 34;
const BACKSLASH = 92;
const OPEN_BRACKET = 91;
const CLOSE_BRACKET = 93;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;

/** A value with at most this many scalars is one record; larger values are divided. */
const MAX_RECORD_LINES = 40;
const MAX_NAMED_LINES = 10;
/** A file in base64. Keys and hashes are shorter. */
const ENCODED_FILE = /^(?=[^a-z]*[a-z])(?=[^A-Z]*[A-Z])(?=\D*\d)[A-Za-z\d+/=\n\r]{1000,}$/;
const PADDING = ' '.repeat(20);

/**
 * Reads JSON (RFC 8259), JSON Lines and concatenated values as records: one block for each record, one line
 * `path: value` for each scalar. Paths start at the root (`users[3].address.city`), so that a record can be
 * understood and located on its own.
 */
export const jsonParser: DocumentParser = {
  async parse(input, builder) {
    const text = await readText(input, builder);
    const values = readValues(text, input.fileName, builder);
    const [first] = values;
    if (values.length === 1 && isNotebook(first)) return addNotebook(first, input, builder);
    for (const [index, value] of values.entries())
      addRecords(builder, value, values.length > 1 ? `[${index}]` : '');
  },
};

/** @throws SyntaxError; DocumentError for too much nesting */
function parseBounded(text: string): unknown {
  guardDepth(text);
  return parseJson(text);
}

/** Reads one value, or one value per line, or concatenated objects as programs append them to a file. */
function readValues(text: string, fileName: string | undefined, builder: DocumentBuilder): unknown[] {
  try {
    return [parseBounded(text)];
  } catch (whole) {
    const lines = readLines(text, /\.(?:jsonl|ndjson)$/i.test(fileName ?? ''));
    if (lines !== null && lines.broken.length === 0) return lines.values;
    const values = splitValues(text);
    try {
      if (values.length > 1) return values.map(parseBounded);
    } catch {
      // The lines or the error of the whole file say more.
    }
    if (lines === null) throw whole instanceof DocumentError ? whole : jsonError(text);
    builder.warn('LINES_SKIPPED', skippedLines(lines.broken));
    return lines.values;
  }
}

interface JsonLines {
  readonly values: unknown[];
  /** Numbers of the lines that are not JSON, from 1. */
  readonly broken: readonly number[];
}

/**
 * Reads a value per line. A broken line is left out alone.
 *
 * @param isNamedSo whether the name of the file says that it has lines
 * @returns null when the text is rather one value: few lines are objects or arrays
 */
function readLines(text: string, isNamedSo: boolean): JsonLines | null {
  const values: unknown[] = [];
  const broken: number[] = [];
  let containers = 0;
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    try {
      const value = parseBounded(line);
      values.push(value);
      if (isContainer(value)) containers += 1;
    } catch {
      broken.push(index + 1);
    }
  }
  const isLines =
    broken.length === 0 ? values.length > 1 : containers > 0 && (isNamedSo || containers > broken.length);
  return isLines ? { values, broken } : null;
}

function skippedLines(broken: readonly number[]): string {
  const shown = broken.slice(0, MAX_NAMED_LINES).join(', ');
  const rest = broken.length > MAX_NAMED_LINES ? ` and ${broken.length - MAX_NAMED_LINES} more` : '';
  return broken.length === 1
    ? `Line ${shown} is not valid JSON and was skipped. Correct it and upload the file again.`
    : `Lines ${shown}${rest} are not valid JSON and were skipped. Correct them and upload the file again.`;
}

function addRecords(builder: DocumentBuilder, value: unknown, path: string): void {
  const lines: string[] = [];
  const flushLines = (): void => {
    builder.block('paragraph', lines.join('\n'));
    lines.length = 0;
  };
  for (const [childPath, child] of isContainer(value) ? childrenOf(value, path) : [[path, value] as const]) {
    if (!isContainer(child)) {
      lines.push(lineOf(childPath, child));
      if (lines.length >= MAX_RECORD_LINES) flushLines();
      continue;
    }
    const scalars = scalarLines(child, childPath);
    // Small members of an object are joined into one record; elements of an array are separate records.
    if (scalars !== null && !Array.isArray(value) && lines.length + scalars.length <= MAX_RECORD_LINES) {
      lines.push(...scalars);
      continue;
    }
    flushLines();
    if (scalars === null) addRecords(builder, child, childPath);
    else builder.block('paragraph', scalars.join('\n'));
  }
  flushLines();
}

/** @returns null when there are more scalars than fit into one record */
function scalarLines(value: object, path: string): string[] | null {
  const lines: string[] = [];
  for (const [childPath, child] of childrenOf(value, path)) {
    if (isContainer(child)) {
      const inner = scalarLines(child, childPath);
      if (inner === null) return null;
      lines.push(...inner);
    } else lines.push(lineOf(childPath, child));
    if (lines.length > MAX_RECORD_LINES) return null;
  }
  return lines;
}

function* childrenOf(value: object, path: string): Generator<readonly [string, unknown]> {
  if (Array.isArray(value)) {
    for (const [index, child] of value.entries()) yield [`${path}[${index}]`, child];
    return;
  }
  for (const [key, child] of Object.entries(value)) {
    const isName = /^[\p{L}_$][\p{L}\p{N}_$-]*$/u.test(key);
    const step = isName ? `${path === '' ? '' : '.'}${key}` : `[${JSON.stringify(key)}]`;
    yield [`${path}${step}`, child];
  }
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function lineOf(path: string, value: unknown): string {
  const text = ENCODED_FILE.test(String(value)) ? '[base64]' : withoutDataUrls(String(value));
  return path === '' ? text : `${path}: ${text}`;
}

/** The error for a text that is not JSON, with the place of the first mistake and nothing else of the text. */
function jsonError(text: string): DocumentError {
  // For some mistakes, V8 only shows the ten characters before and after them, if the text has as many.
  const padded = `${PADDING}${text}${PADDING}`;
  const [mistake = '', around = ''] = messageFor(padded).split(', ..."');
  const at = padded.indexOf(around.slice(0, 20)) + 10;
  const before = text.slice(0, at - PADDING.length).split('\n');
  const place = ` (line ${before.length} column ${(before.at(-1)?.length ?? 0) + 1})`;
  const message = around === '' ? messageFor(text) : `${mistake}${place}`;
  return new DocumentError('CORRUPT_FILE', message, {
    userMessage: `The JSON has a mistake: ${singleLine(message)}. Correct it and upload it again.`,
  });
}

function messageFor(text: string): string {
  try {
    return String(JSON.parse(text));
  } catch (error) {
    return error instanceof Error ? error.message : '';
  }
}

/**
 * Rejects nesting that would overflow the stack of a recursive reader.
 *
 * @throws DocumentError TOO_COMPLEX for nesting beyond {@link MAX_JSON_DEPTH}
 */
function guardDepth(text: string): void {
  walkBrackets(text, (depth) => {
    if (depth > MAX_JSON_DEPTH)
      throw new DocumentError('TOO_COMPLEX', `nested deeper than ${MAX_JSON_DEPTH}`, {
        userMessage: `It is nested deeper than ${MAX_JSON_DEPTH} levels, the limit for JSON files. Flatten it and upload it again.`,
      });
  });
}

/** Splits concatenated JSON after each object or array. Text after the last one is a piece of its own. */
function splitValues(text: string): string[] {
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

/**
 * Parses JSON and returns numbers that a double cannot represent exactly as strings, as written. Exports
 * often contain identifiers of 17 and more digits.
 *
 * @throws SyntaxError
 */
function parseJson(text: string): unknown {
  if (!/\d{16}/.test(text)) return JSON.parse(text);
  return JSON.parse(text, (_key, value: unknown, context?: { source?: string }) => {
    const source = context?.source;
    return typeof value === 'number' && source !== undefined && String(value) !== source ? source : value;
  });
}
