import type { BlobStore } from '@citewell/blob-store';
import { runBlobKey } from '@citewell/database';
import { BLOB_STORE } from '@citewell/infrastructure';
import { type ListedChunk, readChunkList } from '@citewell/ingestion';
import { Inject, Injectable } from '@nestjs/common';

/** A character of the canonical text is two bytes in its blob (UTF-16LE). */
const BYTES_PER_CHARACTER = 2;

export interface ReadChunk extends ListedChunk {
  text: string;
}

/** Reads the chunks of a run in the order of its text, from what the run keeps in the blob store. */
@Injectable()
export class ChunkReader {
  constructor(@Inject(BLOB_STORE) private readonly blobStore: BlobStore) {}

  /**
   * The chunks behind an ordinal, -1 for the beginning; at most `limit`.
   *
   * @throws BlobNotFoundError when the run no longer serves and its blobs are gone
   */
  async read(
    run: { organizationId: string; datasourceId: string; id: string },
    { after, limit }: { after: number; limit: number },
  ): Promise<ReadChunk[]> {
    const list = await this.blobStore.open(runBlobKey(run, 'chunks'));
    const chunks = await readChunkList(list, after, limit);
    const [first] = chunks;
    if (!first) return [];
    // Chunks follow each other in the text, so that a page of them is one slice of it.
    const from = first.start;
    const to = chunks.at(-1)?.end ?? from;
    const slice = await this.blobStore.read(runBlobKey(run, 'text'), {
      start: from * BYTES_PER_CHARACTER,
      end: to * BYTES_PER_CHARACTER,
    });
    const text = slice.toString('utf16le');
    return chunks.map((chunk) => ({ ...chunk, text: text.slice(chunk.start - from, chunk.end - from) }));
  }
}
