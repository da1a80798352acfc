import type { BlobStore } from '@citewell/blob-store';
import { runBlobKey } from '@citewell/database';
import { BLOB_STORE } from '@citewell/infrastructure';
import { type ListedChunk, readChunkList } from '@citewell/ingestion';
import { Inject, Injectable } from '@nestjs/common';
import type { FoundPassage } from './retriever.service.js';

/** A character of the canonical text is two bytes in its blob (UTF-16LE). */
const BYTES_PER_CHARACTER = 2;

/** Characters above a passage: enough for the signatures of a function. */
const CHARACTERS_ABOVE = 600;

/** A chunk with its text. */
export interface ReadChunk extends ListedChunk {
  text: string;
}

type RunKey = Parameters<typeof runBlobKey>[0];

/** Reads the chunks of a run and its text from the blob store. */
@Injectable()
export class ChunkReader {
  constructor(@Inject(BLOB_STORE) private readonly blobStore: BlobStore) {}

  /**
   * At most `limit` chunks in text order, after an ordinal; -1 starts at the first chunk.
   *
   * @throws BlobNotFoundError when the run no longer serves and its blobs are gone
   */
  async read(run: RunKey, { after, limit }: { after: number; limit: number }): Promise<ReadChunk[]> {
    const list = await this.blobStore.open(runBlobKey(run, 'chunks'));
    const chunks = await readChunkList(list, after, limit);
    const [first] = chunks;
    if (!first) return [];
    // Chunks are in text order, so one slice of the text contains a page of chunks.
    const from = first.start;
    const to = chunks.at(-1)?.end ?? from;
    const text = await this.readText(run, from, to);
    return chunks.map((chunk) => ({ ...chunk, text: text.slice(chunk.start - from, chunk.end - from) }));
  }

  /**
   * The text directly above a passage, at most 600 characters: a quote may need its last lines to be understood. Empty at the
   * beginning of a document, and if the text cannot be read: the run may have been purged meanwhile, or the store may be down.
   * A quote is right without it.
   */
  async readAbove({ organizationId, datasourceId, runId: id, start }: FoundPassage): Promise<string> {
    if (start === 0) return '';
    try {
      const from = Math.max(0, start - CHARACTERS_ABOVE);
      return (await this.readText({ organizationId, datasourceId, id }, from, start)).toWellFormed();
    } catch {
      return '';
    }
  }

  private async readText(run: RunKey, start: number, end: number): Promise<string> {
    const slice = await this.blobStore.read(runBlobKey(run, 'text'), {
      start: start * BYTES_PER_CHARACTER,
      end: end * BYTES_PER_CHARACTER,
    });
    return slice.toString('utf16le');
  }
}
