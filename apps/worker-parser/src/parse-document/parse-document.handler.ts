import { ARCHIVE_TYPE } from '@citewell/contracts/schemas';
import type { RunPayload } from '@citewell/contracts/jobs';
import type { SiblingLimits } from '@citewell/database';
import { FILE_TYPES, isTextual } from '@citewell/documents/file-type';
import { RunExecutor } from '@citewell/ingestion';
import type { JobContext } from '@citewell/queue';
import { Inject, Injectable } from '@nestjs/common';
import { ArchiveUnpacker } from '../unpack-archive/archive-unpacker.js';
import { DocumentParsing } from './document-parsing.js';

/** Small text files that are parsed with one: delivering one costs more than parsing it. */
const SIBLING_LIMITS: SiblingLimits = {
  runs: 15,
  size: 256_000,
  contentTypes: FILE_TYPES.filter(isTextual),
};

/** Handles `parse-document`: parses the content of a run, or unpacks it if it is an archive. */
@Injectable()
export class ParseDocumentHandler {
  constructor(
    @Inject(RunExecutor) private readonly executor: RunExecutor,
    @Inject(DocumentParsing) private readonly documents: DocumentParsing,
    @Inject(ArchiveUnpacker) private readonly archives: ArchiveUnpacker,
  ) {}

  async handle(payload: RunPayload, job: JobContext): Promise<void> {
    await this.executor.execute(
      payload,
      job,
      (work) =>
        work.run.contentType === ARCHIVE_TYPE ? this.archives.unpack(work) : this.documents.parse(work),
      { siblings: SIBLING_LIMITS },
    );
  }
}
