// The worker thread of `chunk-thread.ts`.
import { constants, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { chunkDocument, decodeDocument, type DocumentContent, isListing } from '@citewell/documents';
import {
  type ChangedSentences,
  changedSentences,
  type DocumentNames,
  encodeDocumentTerms,
  readableName,
  searchableNames,
  type SparseVector,
} from '@citewell/retrieval';
import {
  batchesOf,
  type ChunkReply,
  type ChunkRequest,
  type ChunkResponse,
  type WeightedChunk,
} from './chunk-thread.protocol.js';

/** Weight of the terms of a table of contents or an index. A passage with the answer is ranked above it. */
const LISTING_WEIGHT = 0.5;
/** Chunks per reply. Receiving them blocks the main thread for about a millisecond. */
const BATCH_CHUNKS = 64;

const documents = new Map<number, Generator<WeightedChunk[]>>();

// Queries have priority over chunking. Only on Linux does a thread have its own priority.
if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_BELOW_NORMAL);

// Only `ChunkThread` starts this thread, so messages need no check.
parentPort?.on('message', (request: ChunkRequest) => {
  let response: ChunkResponse;
  try {
    response = { call: request.call, ok: true, reply: answer(request) };
  } catch (error) {
    documents.delete(request.document);
    const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
    response = { call: request.call, ok: false, message };
  }
  parentPort?.postMessage(response);
});

function answer(request: ChunkRequest): ChunkReply {
  switch (request.kind) {
    case 'open': {
      const document = decodeDocument(request.encoded);
      documents.set(request.document, batchesOf(weighted(document, request.names), BATCH_CHUNKS));
      const changed = request.former && changesOf(request.former, document);
      return {
        characters: document.text.length,
        ...nextBatch(request.document),
        ...(changed && { changed }),
      };
    }
    case 'next':
      return { characters: 0, ...nextBatch(request.document) };
    case 'close':
      documents.delete(request.document);
      return { characters: 0, chunks: [], isLast: true };
  }
}

function changesOf(
  { buffer, byteOffset, byteLength }: Uint8Array,
  { text }: DocumentContent,
): ChangedSentences {
  return changedSentences(Buffer.from(buffer, byteOffset, byteLength).toString('utf16le'), text);
}

function nextBatch(document: number): Pick<ChunkReply, 'chunks' | 'isLast'> {
  const { done, value } = documents.get(document)?.next() ?? { done: true };
  const chunks = done === true ? [] : value;
  const isLast = chunks.length < BATCH_CHUNKS;
  if (isLast) documents.delete(document);
  return { chunks, isLast };
}

function* weighted(document: DocumentContent, names: DocumentNames): Generator<WeightedChunk> {
  const searchable = searchableNames(names);
  for (const chunk of chunkDocument(document, { name: readableName(names.name) })) {
    const lexical = encodeDocumentTerms(chunk.text, chunk.header, searchable);
    const isPartOfListing = isListing(chunk.text);
    yield {
      ...chunk,
      lexical: isPartOfListing ? scaled(lexical, LISTING_WEIGHT) : lexical,
      isListing: isPartOfListing,
    };
  }
}

function scaled({ indices, values }: SparseVector, factor: number): SparseVector {
  return { indices, values: values.map((value) => value * factor) };
}
