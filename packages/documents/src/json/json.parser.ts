import type { DocumentBuilder } from '../document/document-builder.js';
import { DocumentError } from '../document/document-error.js';
import type { DocumentParser } from '../document-parser.js';
import { readText } from '../text-decoding/read-text.js';
import { guardDepth, parseJson, splitValues } from './json-text.js';

/** A value with at most this many scalars is one record; larger values are divided. */
const MAX_RECORD_LINES = 40;

/**
 * Reads JSON (RFC 8259), JSON Lines and concatenated values as records: one block for each record, one line
 * `path: value` for each scalar. Paths start at the root (`users[3].address.city`), so that a record can be
 * understood and located on its own.
 */
export const jsonParser: DocumentParser = {
  async parse(input, builder) {
    const text = await readText(input, builder);
    guardDepth(text);
    const values = readValues(text);
    for (const [index, value] of values.entries())
      addRecords(builder, value, values.length > 1 ? `[${index}]` : '');
  },
};

/** Reads one value, or one value per line, or concatenated objects as programs append them to a file. */
function readValues(text: string): unknown[] {
  try {
    return [parseJson(text)];
  } catch (whole) {
    const lines = text.split('\n').filter((line) => line.trim() !== '');
    for (const pieces of [lines, splitValues(text)]) {
      try {
        if (pieces.length > 1) return pieces.map(parseJson);
      } catch {
        // Report the error of reading the whole file as JSON, which is more helpful.
      }
    }
    throw new DocumentError('CORRUPT_FILE', 'neither JSON nor JSON lines', { cause: whole });
  }
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
  return path === '' ? String(value) : `${path}: ${String(value)}`;
}
