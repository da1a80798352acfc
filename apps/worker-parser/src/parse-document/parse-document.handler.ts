import type { BlobStore } from '@citewell/blob-store';
import { IngestionError } from '@citewell/contracts/errors';
import type { RunPayload } from '@citewell/contracts/jobs';
import { BlobRepository, type RunEntity, RunLifecycleRepository } from '@citewell/database';
import { encodeDocument, hashEncoded, isParsableType } from '@citewell/documents';
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
    @Inject(SPACE) private readonly space: Space,
    @Inject(FaultPoints) private readonly faults: FaultPoints,
  ) {}

  async handle(payload: RunPayload, job: JobContext): Promise<void> {
    await this.executor.execute(payload, job, (work) => this.parse(work));
  }

  private async parse(work: StageWork): Promise<void> {
    const content = await this.contentOf(work);
    const serving = this.comparableRun(work);
    if (serving?.fingerprint === content.fingerprint) return this.lifecycle.keepServing(work.run);

    const document = await this.sandbox.parse(
      {
        source: this.blobStore.localPath?.(content.key) ?? (await this.blobStore.open(content.key)),
        fileType: content.type,
        fileName: work.run.contentName ?? work.datasource.name,
      },
      { signal: work.signal, onProgress: work.report },
    );
    const encoded = encodeDocument(document);
    const textHash = documentHash(hashEncoded(encoded));
    // Other bytes that say the same: a page with the time of day in it, a file that was saved again.
    if (serving?.textHash === textHash) return this.lifecycle.keepServing(work.run);
    await this.runBlobs.put(work.run, encoded, { signal: work.signal });
    this.faults.reach('after-parse');

    await this.lifecycle.advance(work.run, 'indexing', {
      fingerprint: content.fingerprint,
      textHash,
      characters: document.text.length,
      counts: {
        chunks: 0,
        characters: document.text.length,
        bytes: content.bytes,
        pages: document.pageCount ?? 0,
      },
    });
  }

  private async contentOf({ run }: StageWork) {
    const { contentKey: key, contentType: type } = run;
    const blob = key === null ? null : await this.blobRows.find(key);
    if (key === null || blob?.sha256 == null)
      throw new IngestionError('INTERNAL', { message: 'the run has no content' });
    if (type === null || !isParsableType(type))
      throw new IngestionError('UNSUPPORTED_FILE', { message: `type ${type}` });
    const fingerprint = pipelineFingerprint({ sha256: blob.sha256, contentType: type });
    return { key, type, bytes: blob.bytes, fingerprint };
  }

  /** The run that serves, if a new one with the same content would bring nothing: it is in the same space. */
  private comparableRun({ serving }: StageWork): RunEntity | null {
    return serving?.space === this.space.name ? serving : null;
  }
}
