import { ARCHIVE_TYPE } from '@citewell/contracts/schemas';
import type { BatchPayload } from '@citewell/contracts/jobs';
import {
  documentHash,
  type FingerprintedContent,
  pipelineFingerprint,
  RunBlobs,
  RunExecutor,
  type StageWork,
} from '@citewell/ingestion';
import type { JobContext } from '@citewell/queue';
import { Inject, Injectable } from '@nestjs/common';
import { type RunEntity, RunLifecycleRepository } from '@citewell/database';
import { hashEncoded, warningOf } from '@citewell/documents';
import { FaultPoints } from '@citewell/observability';
import { SPACES, type Spaces } from '@citewell/infrastructure';
import { ArchiveUnpacker } from '../unpack-archive/archive-unpacker.js';
import { ContentParser } from './content-parser.js';
import { TextRecognition } from '../recognition/text-recognition.js';
import type { ParsedFile } from '../sandbox/parse-protocol.js';

/**
 * Decides whether a run would give another result than the serving run. A serving run in an outdated vector space
 * is never equal: the document must be indexed again. Content that was parsed without text recognition is
 * parsed again once recognition is installed.
 */
@Injectable()
export class ChangeDetector {
  constructor(
    @Inject(TextRecognition) private readonly recognition: Pick<TextRecognition, 'isAvailable'>,
    @Inject(SPACES) private readonly spaces: Spaces,
  ) {}

  /** Whether parsing the content would give the serving document again. */
  async isContentUnchanged(serving: RunEntity | null, content: FingerprintedContent): Promise<boolean> {
    if (serving === null || !this.isCurrent(serving)) return false;
    if (serving.fingerprint === pipelineFingerprint(content)) return true;
    return this.lacksRecognition(serving, content) && !(await this.recognition.isAvailable());
  }

  /** Whether the parsed document is equal to the serving one, such as for a file that was saved again. */
  isDocumentUnchanged(serving: RunEntity | null, textHash: string): serving is RunEntity {
    return serving !== null && this.isCurrent(serving) && serving.textHash === textHash;
  }

  private isCurrent({ space }: RunEntity): boolean {
    const { indexing, embedding, isPreparing } = this.spaces;
    // Its space is unknown until the model is open. A reindex then finds what is outdated.
    if (isPreparing) return true;
    return space === indexing.space.name || space === embedding?.space.name;
  }

  /** Whether the serving run has the same content but was parsed without text recognition. */
  lacksRecognition(serving: RunEntity, content: FingerprintedContent): boolean {
    return serving.fingerprint === pipelineFingerprint(content, { lacksRecognition: true });
  }

  /** The fingerprint of a run that parsed this content to this file. */
  async fingerprintOf(
    content: FingerprintedContent,
    { hasUnrecognizedPages }: Pick<ParsedFile, 'hasUnrecognizedPages'>,
  ): Promise<string> {
    const lacksRecognition = hasUnrecognizedPages && !(await this.recognition.isAvailable());
    return pipelineFingerprint(content, { lacksRecognition });
  }
}

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
