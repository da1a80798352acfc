import { chunkDocument, embeddedText, type Document } from '@citewell/documents';
import { LexicalIndex } from '../lexical-index.js';
import type { FoundText } from './faq-collection.js';
import { DEPTH, type Search } from './hit-rates.js';

/** Searches the chunks of the product, ranked by BM25 over all words but 33 stop words. */
export function plainBm25(documents: Iterable<readonly [name: string, parsed: Document]>): Search {
  const chunks: (FoundText & { embedded: string })[] = [];
  for (const [document, parsed] of documents) {
    for (const chunk of chunkDocument(parsed)) {
      chunks.push({ document, text: chunk.text, embedded: embeddedText(chunk) });
    }
  }
  const index = new LexicalIndex(new Map(chunks.map(({ embedded }, n) => [String(n), embedded])), 'plain');
  return async (question) => index.search(question, DEPTH).flatMap(({ id }) => chunks[Number(id)] ?? []);
}
