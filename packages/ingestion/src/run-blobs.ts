import type { BlobSource, BlobStore, PutOptions } from '@citewell/blob-store';
import {
  BlobRepository,
  RUN_BLOB_KINDS,
  type RunBlobKind,
  runBlobKey,
  type RunEntity,
  type WrittenBlob,
} from '@citewell/database';
import { BLOB_STORE } from '@citewell/infrastructure';
import { Inject, Injectable } from '@nestjs/common';

type RunBlobSources = Partial<Record<RunBlobKind, BlobSource>>;

/** What a run keeps in the blob store. Every blob has its row before its first byte. */
@Injectable()
export class RunBlobs {
  constructor(
    @Inject(BlobRepository) private readonly rows: BlobRepository,
    @Inject(BLOB_STORE) private readonly store: BlobStore,
  ) {}

  /** Writes blobs of a run; writing them again after a crash replaces them. */
  async put(run: RunEntity, sources: RunBlobSources, options: PutOptions = {}): Promise<void> {
    await this.rows.writtenAndKept(run.organizationId, await this.write(run, sources, options));
  }

  /** As {@link put}, where a transaction is to come that keeps them. */
  async write(
    { organizationId, datasourceId, id: runId }: Pick<RunEntity, 'organizationId' | 'datasourceId' | 'id'>,
    sources: RunBlobSources,
    options: PutOptions = {},
  ): Promise<WrittenBlob[]> {
    const run = { organizationId, datasourceId, id: runId };
    const blobs = RUN_BLOB_KINDS.flatMap((kind) => {
      const source = sources[kind];
      return source === undefined ? [] : [{ key: runBlobKey(run, kind), source }];
    });
    await this.rows.announce(blobs.map(({ key }) => ({ key, organizationId, datasourceId, runId })));
    // All have ended when this ends, also when one fails: nothing of an attempt is written after it.
    const outcomes = await Promise.allSettled(
      blobs.map(async ({ key, source }) => ({ key, ...(await this.store.put(key, source, options)) })),
    );
    return outcomes.map(valueOf);
  }

  async read(run: RunEntity, kind: 'text' | 'outline'): Promise<Buffer> {
    return this.store.read(runBlobKey(run, kind));
  }

  /** Takes over what another run of the datasource has parsed. */
  async inherit(from: RunEntity, to: RunEntity, signal: AbortSignal): Promise<void> {
    for (const kind of ['text', 'outline'] as const) {
      await this.put(to, { [kind]: await this.store.open(runBlobKey(from, kind)) }, { signal });
    }
  }
}

/** @throws the reason of a failure */
function valueOf<Value>(outcome: PromiseSettledResult<Value>): Value {
  if (outcome.status === 'rejected') throw outcome.reason;
  return outcome.value;
}
