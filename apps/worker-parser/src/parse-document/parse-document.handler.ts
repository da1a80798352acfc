import type { RunPayload } from '@citewell/contracts/jobs';
import { RunExecutor } from '@citewell/ingestion';
import type { JobContext } from '@citewell/queue';
import { Inject, Injectable } from '@nestjs/common';
import { DocumentParsing } from './document-parsing.js';

/** Handles `parse-document`: parses the content of a run. */
@Injectable()
export class ParseDocumentHandler {
  constructor(
    @Inject(RunExecutor) private readonly executor: RunExecutor,
    @Inject(DocumentParsing) private readonly documents: DocumentParsing,
  ) {}

  async handle(payload: RunPayload, job: JobContext): Promise<void> {
    await this.executor.execute(payload, job, (work) => this.documents.parse(work));
  }
}
