import type { BlobStore } from '@citewell/blob-store';
import { runBlobKey } from '@citewell/database';
import { BLOB_STORE } from '@citewell/infrastructure';
import { Inject, Injectable } from '@nestjs/common';
import type { FoundPassage } from './retriever.service.js';

/** Enough for the signatures of a function. */
const CHARACTERS = 600;
/** A character of the canonical text is two bytes in its blob (UTF-16LE). */
const BYTES_PER_CHARACTER = 2;

/** Reads the text directly above passages: a quote may need its last lines to be understood. */
@Injectable()
export class TextAbove {
  constructor(@Inject(BLOB_STORE) private readonly blobStore: BlobStore) {}

  /**
   * At most 600 characters. Empty at the beginning of a document, and if the text cannot be read: the run may have been purged
   * meanwhile, or the store may be down. A quote is right without it.
   */
  async read({ organizationId, datasourceId, runId, start }: FoundPassage): Promise<string> {
    if (start === 0) return '';
    try {
      const slice = await this.blobStore.read(
        runBlobKey({ organizationId, datasourceId, id: runId }, 'text'),
        {
          start: Math.max(0, start - CHARACTERS) * BYTES_PER_CHARACTER,
          end: start * BYTES_PER_CHARACTER,
        },
      );
      return slice.toString('utf16le').toWellFormed();
    } catch {
      return '';
    }
  }
}
