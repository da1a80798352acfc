import type { BlobSource, BlobStore, PutOptions, PutResult } from '@citewell/blob-store';
import { BlobRepository, type RunBlobKind, runBlobKey, type RunEntity } from '@citewell/database';
import { BLOB_STORE } from '@citewell/infrastructure';
import { Inject, Injectable } from '@nestjs/common';

/** What a run keeps in the blob store. Every blob has its row before its first byte. */
@Injectable()
export class RunBlobs {
  constructor(
    @Inject(BlobRepository) private readonly rows: BlobRepository,
    @Inject(BLOB_STORE) private readonly store: BlobStore,
  ) {}

  /** Writes a blob of a run; writing it again after a crash replaces it. */
  async put(
    run: RunEntity,
    kind: RunBlobKind,
    source: BlobSource,
    options: PutOptions = {},
  ): Promise<PutResult & { key: string }> {
    const key = runBlobKey(run, kind);
    await this.rows.announce({
      key,
      organizationId: run.organizationId,
      datasourceId: run.datasourceId,
      runId: run.id,
    });
    const result = await this.store.put(key, source, options);
    await this.rows.writtenAndKept(key, result);
    return { ...result, key };
  }

  async read(run: RunEntity, kind: 'text' | 'outline'): Promise<Buffer> {
    return this.store.read(runBlobKey(run, kind));
  }

  /** Takes over what another run of the datasource has parsed. */
  async inherit(from: RunEntity, to: RunEntity, signal: AbortSignal): Promise<void> {
    for (const kind of ['text', 'outline'] as const) {
      await this.put(to, kind, await this.store.open(runBlobKey(from, kind)), { signal });
    }
  }
}
