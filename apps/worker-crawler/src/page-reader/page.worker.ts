// The thread in which pages are parsed, see `page-reader.ts`.
import { constants, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import {
  type Document,
  DocumentError,
  encodeDocument,
  hashEncoded,
  titleLine,
  warningOf,
} from '@citewell/documents';
import { readPage, withEmbeddedPage } from '@citewell/documents/web-page';
import { tableOptions, tablesFile, typedTables } from '@citewell/tables/writer';
import type { ReadDocument, ReadRequest, ReadResponse } from './page-reader.protocol.js';

// Questions have priority over crawling. Only on Linux does a thread have a priority of its own.
if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_BELOW_NORMAL);

// Only `PageReader` starts this thread, so the message has this type.
parentPort?.on('message', (request: ReadRequest) => {
  void respond(request).then((response) => parentPort?.postMessage(response));
});

async function respond({ bytes, embedded, ...request }: ReadRequest): Promise<ReadResponse> {
  try {
    const html = embedded && (await withEmbeddedPage(bytes, request.contentType, embedded));
    const { document, facts } = await readPage(html ?? bytes, request);
    const page = { facts, document: document && encode(document) };
    return { ok: true, page: html === undefined ? page : { ...page, html } };
  } catch (error) {
    const code = error instanceof DocumentError ? error.code : null;
    return { ok: false, code, message: error instanceof Error ? error.message : String(error) };
  }
}

function encode(document: Document): ReadDocument {
  const encoded = encodeDocument(document);
  const characters = document.text.length;
  const { leftOut } = document;
  const warning = warningOf({ ...document, characters }, { isPage: true });
  return {
    ...encoded,
    characters,
    textHash: hashEncoded(encoded),
    leftOut,
    title: titleLine(document.title),
    warning,
    ...tablesOf(document),
  };
}

/** A page is read, whatever happens to its tables. */
function tablesOf(document: Document): Pick<ReadDocument, 'tables' | 'tablesFailure'> {
  if (!document.blocks.some(({ kind }) => kind === 'table')) return { tables: null };
  try {
    return { tables: tablesFile(typedTables(document, tableOptions('text/html', document.metadata))) };
  } catch (error) {
    return { tables: null, tablesFailure: error instanceof Error ? error.message : String(error) };
  }
}
