import type { BlobStore } from '@citewell/blob-store';
import { IngestionError } from '@citewell/contracts/errors';
import type { RunPayload } from '@citewell/contracts/jobs';
import { BlobRepository, type RunEntity, RunLifecycleRepository } from '@citewell/database';
import { hashEncoded, isParsableType } from '@citewell/documents';
import { BLOB_STORE, SPACE } from '@citewell/infrastructure';
import {
  documentHash,
  pipelineFingerprint,
  RunBlobs,
  RunExecutor,
  type StageWork,
} from '@citewell/ingestion';
import { FaultPoints } from '@citewell/observability';
import type { JobContext } from '@citewell/queue';
import type { Space } from '@citewell/vector-store';
import { Inject, Injectable } from '@nestjs/common';
import { TextRecognition } from '../recognition/text-recognition.js';
import { ParserSandbox } from '../sandbox/parser-sandbox.js';

/** Raw bytes become a document, in a process of their own; its text and outline are kept as blobs. */
@Injectable()
export class ParseDocumentHandler {
  constructor(
    @Inject(RunExecutor) private readonly executor: RunExecutor,
    @Inject(RunLifecycleRepository) private readonly lifecycle: RunLifecycleRepository,
    @Inject(BlobRepository) private readonly blobRows: BlobRepository,
    @Inject(BLOB_STORE) private readonly blobStore: BlobStore,
    @Inject(RunBlobs) private readonly runBlobs: RunBlobs,
    @Inject(ParserSandbox) private readonly sandbox: ParserSandbox,
    @Inject(TextRecognition) private readonly recognition: Pick<TextRecognition, 'isAvailable'>,
    @Inject(SPACE) private readonly space: Space,
    @Inject(FaultPoints) private readonly faults: FaultPoints,
  ) {}

  async handle(payload: RunPayload, job: JobContext): Promise<void> {
    await this.executor.execute(payload, job, (work) => this.parse(work));
  }

  private async parse(work: StageWork): Promise<void> {
    const content = await this.contentOf(work);
    const serving = this.comparableRun(work);
    const fingerprint = pipelineFingerprint(content);
    const unrecognised = pipelineFingerprint(content, { lacksRecognition: true });
    if (serving?.fingerprint === fingerprint) return this.lifecycle.keepServing(work.run);
    if (serving?.fingerprint === unrecognised && !(await this.recognition.isAvailable()))
      return this.lifecycle.keepServing(work.run);

    const file = await this.sandbox.parse(
      {
        source: this.blobStore.localPath?.(content.key) ?? (await this.blobStore.open(content.key)),
        fileType: content.contentType,
        fileName: work.run.contentName ?? work.datasource.name,
      },
      { signal: work.signal, onProgress: work.report },
    );
    const textHash = documentHash(hashEncoded(file));
    const lacksRecognition = file.hasUnrecognizedPages && !(await this.recognition.isAvailable());
    const read = lacksRecognition ? unrecognised : fingerprint;
    // Other bytes that say the same (a page with the time of day in it, a file that was saved again): what serves stays a
    // reading of its own. The same bytes, where recognition has found nothing: they are not read for it again.
    if (serving?.textHash === textHash)
      return this.lifecycle.keepServing(work.run, serving.fingerprint === unrecognised ? read : null);
    const { text, outline, characters, pageCount } = file;
    await this.runBlobs.put(work.run, { text, outline }, { signal: work.signal });
    this.faults.reach('after-parse');

    await this.lifecycle.advance(work.run, 'indexing', {
      fingerprint: read,
      textHash,
      characters,
      counts: { chunks: 0, characters, bytes: content.bytes, pages: pageCount ?? 0 },
    });
  }

  private async contentOf({ run }: StageWork) {
    const { contentKey: key, contentType } = run;
    const blob = key === null ? null : await this.blobRows.find(key);
    if (key === null || blob?.sha256 == null)
      throw new IngestionError('INTERNAL', { message: 'the run has no content' });
    if (contentType === null || !isParsableType(contentType))
      throw new IngestionError('UNSUPPORTED_FILE', { message: `type ${contentType}` });
    return { key, contentType, bytes: blob.bytes, sha256: blob.sha256 };
  }

  /** The run that serves, if a new one with the same content would bring nothing: it is in the same space. */
  private comparableRun({ serving }: StageWork): RunEntity | null {
    return serving?.space === this.space.name ? serving : null;
  }
}
