import { BlobRepository, runBlobKey, type RunEntity, RunLifecycleRepository } from '@citewell/database';
import { isFingerprintCurrent, RunBlobs, type StageWork } from '@citewell/ingestion';
import { FaultPoints } from '@citewell/observability';
import { Inject, Injectable } from '@nestjs/common';
import { validatorsOf } from '../fetching/url-fetcher.js';
import { type ContentResponse, contentTypeOf } from '../page/page-loader.js';

/** Stores what was fetched for a run, and hands the run on to the parser. */
@Injectable()
export class FetchedPages {
  constructor(
    @Inject(RunLifecycleRepository) private readonly lifecycle: RunLifecycleRepository,
    @Inject(BlobRepository) private readonly blobRows: Pick<BlobRepository, 'find'>,
    @Inject(RunBlobs) private readonly runBlobs: Pick<RunBlobs, 'put'>,
    @Inject(FaultPoints) private readonly faults: Pick<FaultPoints, 'reach'>,
  ) {}

  /** @param url the address that answered, after redirects */
  async store({ run, signal }: StageWork, url: string, content: ContentResponse): Promise<void> {
    await this.runBlobs.put(run, { fetched: Buffer.from(content.bytes) }, { signal });
    this.faults.reach('after-fetch');
    const validators = validatorsOf(content.answer);
    await this.lifecycle.advance(run, 'parsing', {
      contentKey: runBlobKey(run, 'fetched'),
      contentType: contentTypeOf(content),
      contentName: url,
      ...(validators === null ? {} : { validators }),
    });
  }

  async keepServing(run: RunEntity): Promise<void> {
    await this.lifecycle.keepServing(run);
  }

  /** Whether this release would read the content of a run in the same way. */
  async isFingerprintCurrent({ contentKey, contentType, fingerprint }: RunEntity): Promise<boolean> {
    const blob = contentKey === null ? null : await this.blobRows.find(contentKey);
    return isFingerprintCurrent({ sha256: blob?.sha256 ?? null, contentType, fingerprint });
  }
}
