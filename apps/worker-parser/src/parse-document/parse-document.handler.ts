import { ARCHIVE_TYPE } from '@citewell/contracts/schemas';
import type { BatchPayload } from '@citewell/contracts/jobs';
import { RunExecutor } from '@citewell/ingestion';
import type { JobContext } from '@citewell/queue';
import { Inject, Injectable } from '@nestjs/common';
import { ArchiveUnpacker } from '../unpack-archive/archive-unpacker.js';
import { DocumentParsing } from './document-parsing.js';

/** Handles `parse-document`: parses the content of each run, or unpacks it if it is an archive. */
@Injectable()
export class ParseDocumentHandler {
  constructor(
    @Inject(RunExecutor) private readonly executor: RunExecutor,
    @Inject(DocumentParsing) private readonly documents: DocumentParsing,
    @Inject(ArchiveUnpacker) private readonly archives: ArchiveUnpacker,
  ) {}

  async handle(batch: BatchPayload, job: JobContext): Promise<void> {
    await this.executor.execute(batch, job, (work) =>
      work.run.contentType === ARCHIVE_TYPE ? this.archives.unpack(work) : this.documents.parse(work),
    );
  }
}
