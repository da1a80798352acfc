// The thread that pages are read in; see `page-reader.ts`.
import { constants, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { DocumentError, encodeDocument, hashEncoded } from '@citewell/documents';
import { readPage } from '@citewell/documents/web-page';
import type { ReadDocument, ReadRequest, ReadResponse } from './page-reader.protocol.js';

// Questions are answered before pages are read. Only on Linux does a thread have a priority of its own.
if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_BELOW_NORMAL);

// `PageReader` alone starts this thread, and sends exactly this.
parentPort?.on('message', (request: ReadRequest) => {
  void answer(request).then((response) => parentPort?.postMessage(response));
});

async function answer({ bytes, url, contentType }: ReadRequest): Promise<ReadResponse> {
  try {
    const { document, facts } = await readPage(bytes, { url, contentType });
    return { ok: true, page: { facts, document: document && encode(document) } };
  } catch (error) {
    const code = error instanceof DocumentError ? error.code : null;
    return { ok: false, code, message: error instanceof Error ? error.message : String(error) };
  }
}

function encode(document: Parameters<typeof encodeDocument>[0]): ReadDocument {
  const encoded = encodeDocument(document);
  return { ...encoded, characters: document.text.length, textHash: hashEncoded(encoded) };
}
