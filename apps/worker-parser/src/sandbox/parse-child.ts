// Main file of a parser process. It parses hostile input, so it has no environment, and may neither start processes nor
// write files except the one for tables. Any file may crash it; see `parser-process.ts`.
import { readFile, rm, stat } from 'node:fs/promises';
import {
  type Document,
  DocumentError,
  encodeDocument,
  encodePageWords,
  guardFileSize,
  parseDocument,
} from '@citewell/documents';
import { decodeRecognized, type ParseMessage, readRequest, type RecognizeRequest } from './parse-protocol.js';

/** Shortest time between two progress messages: each costs time. */
const PROGRESS_INTERVAL_MS = 100;

// The worker is dead.
process.on('disconnect', () => process.exit(0));
process.on('message', (message) => void answer(message));

async function answer(message: unknown): Promise<void> {
  try {
    const request = readRequest(message);
    if ('kind' in request) return await scale(request.source);
    if ('page' in request) return await recognize(request);
    const { source, recognizedPath, tablesPath, ...options } = request;
    const { fileType, maxCharacters } = options;
    const isPath = typeof source === 'string';
    guardFileSize(isPath ? (await stat(source)).size : source.byteLength, fileType, maxCharacters);
    const { buffer, byteOffset, byteLength } = isPath ? await readFile(source) : new Uint8Array(source);
    let lastProgressAt = 0;
    const document = await parseDocument(new Uint8Array(buffer, byteOffset, byteLength), {
      ...options,
      ...(recognizedPath === undefined
        ? {}
        : { recognized: decodeRecognized(await readFile(recognizedPath, 'utf8')) }),
      onScans: (pages) => reply({ kind: 'scans', pages }),
      onPicture: (number, file) => reply({ kind: 'picture', number, file }),
      onProgress: ({ done, total }) => {
        const now = performance.now();
        if (now - lastProgressAt < PROGRESS_INTERVAL_MS && done < total) return;
        lastProgressAt = now;
        reply({ kind: 'progress', done, total });
      },
    });
    const { pageCount = null, pages, title, metadata, leftOut, warnings } = document;
    const hasUnrecognizedPages = metadata['unrecognizedPages'] !== undefined;
    reply({
      kind: 'document',
      ...encodeDocument(document),
      words: encodePageWords(document),
      pages,
      pageCount,
      hasUnrecognizedPages,
      title,
      leftOut,
      warnings,
      mayHaveTables: mayHaveTables(document, fileType),
    });
    // The document is read, whatever happens to its tables.
    if (mayHaveTables(document, fileType))
      reply({ kind: 'tables', count: await storeTables(document, fileType, tablesPath) });
  } catch (error) {
    // Other errors are defects: they end the process, and the worker reports PARSER_CRASHED.
    if (!(error instanceof DocumentError)) throw error;
    const { code, message, userMessage: sentence, languages } = error;
    reply({ kind: 'failure', code, message, sentence, languages });
  }
}

function mayHaveTables({ blocks }: Document, fileType: string): boolean {
  return fileType === JSON_TYPE || blocks.some(({ kind }) => kind === 'table');
}

const JSON_TYPE = 'application/json';

/** @returns the number of tables */
async function storeTables(document: Document, fileType: string, path: string): Promise<number> {
  const { tableOptions, typedTables, writeTables } = await import('@citewell/tables/writer');
  await rm(path, { force: true });
  return writeTables(typedTables(document, tableOptions(fileType, document.metadata)), path);
}

/** Loads the recognition on first use: most files need none. */
async function recognize({ source, ...page }: RecognizeRequest): Promise<void> {
  const { recognizePage } = await import('@citewell/documents/recognition');
  reply({ kind: 'recognized', table: await recognizePage(await readFile(source), page) });
}

async function scale(source: string): Promise<void> {
  const { scaledPicture } = await import('@citewell/documents/recognition');
  reply({ kind: 'scaled', file: await scaledPicture(await readFile(source)) });
}

function reply(message: ParseMessage): void {
  process.send?.(message);
}
