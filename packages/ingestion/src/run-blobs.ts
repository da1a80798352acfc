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

/**
 * The blobs of a run. Each blob gets its database row before its first byte is written, so that an
 * interrupted write can be found and deleted.
 */
@Injectable()
export class RunBlobs {
  constructor(
    @Inject(BlobRepository) private readonly rows: BlobRepository,
    @Inject(BLOB_STORE) private readonly store: BlobStore,
  ) {}

  /** Writes blobs of a run and commits their rows. After a crash they can be written again. */
  async put(run: RunEntity, sources: RunBlobSources, options: PutOptions = {}): Promise<void> {
    await this.rows.commitBlobs(run.organizationId, await this.write(run, sources, options));
  }

  /** As {@link put}, but leaves the rows uncommitted: the caller commits them in its own transaction. */
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
    // Waits for all writes, even when one fails: no write may continue after this attempt.
    const outcomes = await Promise.allSettled(
      blobs.map(async ({ key, source }) => ({ key, ...(await this.store.put(key, source, options)) })),
    );
    return outcomes.map(valueOf);
  }

  async read(run: RunEntity, kind: 'text' | 'outline'): Promise<Buffer> {
    return this.store.read(runBlobKey(run, kind));
  }

  /** Copies the parsed document (text, outline, tables and words) of another run of the same datasource. */
  async inherit(from: RunEntity, to: RunEntity, signal: AbortSignal): Promise<void> {
    const [text, outline] = await Promise.all([this.read(from, 'text'), this.read(from, 'outline')]);
    const kinds = ['tables', 'words'] as const;
    const committed = await this.rows.committed(kinds.map((kind) => runBlobKey(from, kind)));
    const others: RunBlobSources = {};
    for (const kind of kinds) {
      const key = runBlobKey(from, kind);
      if (committed.has(key)) others[kind] = await this.store.open(key);
    }
    await this.put(to, { text, outline, ...others }, { signal });
  }
}

/** @throws the rejection reason */
function valueOf<Value>(outcome: PromiseSettledResult<Value>): Value {
  if (outcome.status === 'rejected') throw outcome.reason;
  return outcome.value;
}
