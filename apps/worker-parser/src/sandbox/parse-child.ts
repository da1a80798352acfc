// The main file of a parser process. It reads hostile input, so it is started without environment, without the right
// to write files or start processes, and may die at any file: see `parser-process.ts`.
import { readFile, stat } from 'node:fs/promises';
import { DocumentError, encodeDocument, guardFileSize, parseDocument } from '@citewell/documents';
import { decodeRecognized, type ParseMessage, readRequest } from './parse-protocol.js';

/** Progress more often than this says nothing new, and messages cost time. */
const PROGRESS_INTERVAL_MS = 100;

// Without its worker there is nobody to read for.
process.on('disconnect', () => process.exit(0));
process.on('message', (message) => void answer(message));

async function answer(message: unknown): Promise<void> {
  try {
    const { path, fileType, maxCharacters, declaredEncoding, recognizedPath } = readRequest(message);
    guardFileSize((await stat(path)).size, fileType, maxCharacters);
    const { buffer, byteOffset, byteLength } = await readFile(path);
    let lastProgressAt = 0;
    const document = await parseDocument(new Uint8Array(buffer, byteOffset, byteLength), {
      fileType,
      maxCharacters,
      ...(declaredEncoding === undefined ? {} : { declaredEncoding }),
      ...(recognizedPath === undefined
        ? {}
        : { recognized: decodeRecognized(await readFile(recognizedPath, 'utf8')) }),
      onScans: (pages) => reply({ kind: 'scans', pages }),
      onProgress: ({ done, total }) => {
        const now = performance.now();
        if (now - lastProgressAt < PROGRESS_INTERVAL_MS && done < total) return;
        lastProgressAt = now;
        reply({ kind: 'progress', done, total });
      },
    });
    const { pageCount = null, metadata } = document;
    const hasUnrecognizedPages = metadata['unrecognizedPages'] !== undefined;
    reply({ kind: 'document', ...encodeDocument(document), pageCount, hasUnrecognizedPages });
  } catch (error) {
    // Errors that are not the file's end the process, and the worker says PARSER_CRASHED.
    if (!(error instanceof DocumentError)) throw error;
    reply({ kind: 'failure', code: error.code, message: error.message, sentence: error.userMessage });
  }
}

function reply(message: ParseMessage): void {
  process.send?.(message);
}
