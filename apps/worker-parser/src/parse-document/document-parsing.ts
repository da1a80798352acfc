import { RunLifecycleRepository } from '@citewell/database';
import { hashEncoded, warningOf } from '@citewell/documents';
import { documentHash, RunBlobs, type StageWork } from '@citewell/ingestion';
import { FaultPoints } from '@citewell/observability';
import { Inject, Injectable } from '@nestjs/common';
import { ChangeDetector } from './change-detector.js';
import { ContentParser } from './content-parser.js';

/** Parses the content of a run in the sandbox and stores the document as blobs of the run. */
@Injectable()
export class DocumentParsing {
  constructor(
    @Inject(RunLifecycleRepository) private readonly lifecycle: RunLifecycleRepository,
    @Inject(ContentParser) private readonly parser: ContentParser,
    @Inject(ChangeDetector) private readonly changes: ChangeDetector,
    @Inject(RunBlobs) private readonly runBlobs: RunBlobs,
    @Inject(FaultPoints) private readonly faults: FaultPoints,
  ) {}

  async parse(work: StageWork): Promise<void> {
    const { run, datasource, serving, signal } = work;
    const content = await this.parser.find(run, datasource);
    if (await this.changes.isContentUnchanged(serving, content)) return this.lifecycle.keepServing(run);

    const file = await this.parser.parse(content, work);
    const textHash = documentHash(hashEncoded(file));
    const fingerprint = await this.changes.fingerprintOf(content, file);
    // The serving run may have a warning about the encoding, which a choice ends.
    if (content.encoding === undefined && this.changes.isDocumentUnchanged(serving, textHash)) {
      // Same bytes, and recognition found nothing new: the serving run gets the new fingerprint, so that the
      // bytes are not parsed again. Other bytes with the same text (a page with the time of day in it): it
      // keeps its own.
      const hasSameBytes = this.changes.lacksRecognition(serving, content);
      return this.lifecycle.keepServing(run, hasSameBytes ? fingerprint : null);
    }

    const { text, outline, characters, pageCount, leftOut, title } = file;
    await this.runBlobs.put(run, { text, outline }, { signal });
    this.faults.reach('after-parse', run.contentName);
    await this.lifecycle.advance(run, 'indexing', {
      fingerprint,
      textHash,
      characters,
      counts: {
        chunks: 0,
        characters,
        bytes: content.bytes,
        pages: pageCount ?? 0,
        leftOut,
        ...(title === null ? {} : { title }),
      },
      warning: warningOf(file, { isPage: work.datasource.type === 'web_page' }),
    });
  }
}
