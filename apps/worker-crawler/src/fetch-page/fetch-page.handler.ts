import { IngestionError, type IngestionErrorCode } from '@citewell/contracts/errors';
import type { RunPayload } from '@citewell/contracts/jobs';
import { runBlobKey, RunLifecycleRepository } from '@citewell/database';
import { RunBlobs, RunExecutor, type StageWork } from '@citewell/ingestion';
import { FaultPoints } from '@citewell/observability';
import type { JobContext } from '@citewell/queue';
import { GuardedHttpClient, WebFetchError } from '@citewell/web';
import { Inject, Injectable } from '@nestjs/common';

const MAX_PAGE_BYTES = 50 * 1024 * 1024;
const FETCH_TIMEOUT_MS = 60_000;

/** A page is fetched through the guard into the blob store; what kind it is, its server says. */
@Injectable()
export class FetchPageHandler {
  constructor(
    @Inject(RunExecutor) private readonly executor: RunExecutor,
    @Inject(RunLifecycleRepository) private readonly lifecycle: RunLifecycleRepository,
    @Inject(RunBlobs) private readonly runBlobs: RunBlobs,
    @Inject(GuardedHttpClient) private readonly client: GuardedHttpClient,
    @Inject(FaultPoints) private readonly faults: FaultPoints,
  ) {}

  async handle(payload: RunPayload, job: JobContext): Promise<void> {
    await this.executor.execute(payload, job, (work) => this.fetch(work));
  }

  private async fetch({ run, datasource, signal }: StageWork): Promise<void> {
    const url = datasource.config['source_url'];
    if (typeof url !== 'string') throw new IngestionError('INTERNAL', { message: 'the page has no address' });
    try {
      const page = await this.client.fetch(url, {
        maxBytes: MAX_PAGE_BYTES,
        timeoutMs: FETCH_TIMEOUT_MS,
        signal,
      });
      await this.runBlobs.put(run, { fetched: page.body }, { signal });
      this.faults.reach('after-fetch');
      await this.lifecycle.advance(run, 'parsing', {
        contentKey: runBlobKey(run, 'fetched'),
        contentType: kindOf(page.contentType),
        contentName: page.url,
      });
    } catch (error) {
      throw error instanceof WebFetchError ? toIngestionError(error) : error;
    }
  }
}

/** A server that does not say what it sends, or sends XHTML, sends a page. */
function kindOf(contentType: string | null): string {
  return contentType === null || contentType === 'application/xhtml+xml' ? 'text/html' : contentType;
}

function toIngestionError(error: WebFetchError): IngestionError {
  return new IngestionError(codeOf(error), {
    cause: error,
    detail: error.userMessage,
    ...(error.retryAfterMs === undefined ? {} : { retryAfterMs: error.retryAfterMs }),
  });
}

function codeOf(error: WebFetchError): IngestionErrorCode {
  switch (error.kind) {
    case 'blocked':
      return 'ADDRESS_BLOCKED';
    case 'rate-limited':
      return 'RATE_LIMITED';
    case 'transient':
      return 'FETCH_FAILED';
    case 'permanent':
      return error.code === 'TOO_LARGE' || error.code === 'DECOMPRESSION_BOMB'
        ? 'PAGE_TOO_LARGE'
        : 'PAGE_REFUSED';
  }
}
