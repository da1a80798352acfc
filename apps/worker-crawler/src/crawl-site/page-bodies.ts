import { hash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { BlobStore } from '@citewell/blob-store';
import {
  BlobRepository,
  type FrontierUrl,
  keptBodyKey,
  newId,
  type PageContent,
  type RenewedBody,
  type Validators,
  type WrittenBlob,
} from '@citewell/database';
import { BLOB_STORE, LOGGER } from '@citewell/infrastructure';
import { documentHash, pipelineFingerprint, RunBlobs } from '@citewell/ingestion';
import type { Logger } from '@citewell/observability';
import { Inject, Injectable } from '@nestjs/common';
import { validatorsOf } from '../fetching/url-fetcher.js';
import { type ContentResponse, contentTypeOf, type PageResponse } from '../page/page-loader.js';
import { HTML } from '../page-reader/page-type.js';
import type { SiteVisit } from './site-visit.js';

type Site = Pick<SiteVisit, 'run' | 'signal'>;

/** Writes the bodies of pages to the blob store. They are referred to once their outcome is recorded. */
@Injectable()
export class PageBodies {
  constructor(
    @Inject(RunBlobs) private readonly runBlobs: Pick<RunBlobs, 'write'>,
    @Inject(BlobRepository) private readonly blobRows: Pick<BlobRepository, 'announce'>,
    @Inject(BLOB_STORE) private readonly blobStore: Pick<BlobStore, 'put'>,
    @Inject(LOGGER) private readonly logger: Pick<Logger, 'warn'>,
  ) {}

  /** Stores what a page became: its body, and for HTML the text, the outline and the tables that were read from it. */
  async storePage(
    { pageId }: FrontierUrl,
    content: ContentResponse,
    { run, signal }: Site,
  ): Promise<PageContent> {
    const ids = { datasourceId: pageId ?? newId(), runId: newId() };
    const document = content.kind === 'html' ? content.page.document : null;
    if (document?.tablesFailure !== undefined)
      this.logger.warn(
        { runId: ids.runId, reason: document.tablesFailure },
        'the tables of a page could not be stored',
      );
    const [fetched, ...blobs] = await this.runBlobs.write(
      { organizationId: run.organizationId, datasourceId: ids.datasourceId, id: ids.runId },
      {
        fetched: Buffer.from(content.bytes),
        ...(document && { text: Buffer.from(document.text), outline: Buffer.from(document.outline) }),
        ...(document?.tables && { tables: Buffer.from(document.tables) }),
      },
      { signal },
    );
    if (!fetched) throw new Error('The blob store returned nothing for the body of a page');
    return {
      ...ids,
      fetched,
      contentType: contentTypeOf(content),
      validators: storedValidators(content),
      document: document && {
        blobs,
        characters: document.characters,
        leftOut: document.leftOut,
        title: document.title ?? null,
        warning: document.warning,
        textHash: documentHash(document.textHash),
        fingerprint: pipelineFingerprint({ sha256: fetched.sha256, contentType: HTML }),
      },
    };
  }

  /** Keeps the body of a canonical or duplicate page until the crawl finishes. */
  async keep(
    { url }: FrontierUrl,
    content: ContentResponse,
    { run, signal }: Site,
  ): Promise<{ body: WrittenBlob; contentType: string }> {
    const key = keptBodyKey(run, url);
    const { organizationId, datasourceId, id: runId } = run;
    await this.blobRows.announce([{ key, organizationId, datasourceId, runId }]);
    const body = { key, ...(await this.blobStore.put(key, Buffer.from(content.bytes), { signal })) };
    return { body, contentType: contentTypeOf(content) };
  }

  /** Replaces the stored body of an unchanged page by one with the same text. Null if nothing is new. */
  async renew(
    { serving }: FrontierUrl,
    response: PageResponse,
    { signal }: Site,
  ): Promise<RenewedBody | null> {
    const key = serving?.contentKey ?? null;
    if (serving === null || key === null) return null;
    if (response.kind !== 'html' && response.kind !== 'file') return null;
    const contentType = contentTypeOf(response);
    if (serving.contentType !== contentType) return null;
    const { bytes } = response;
    const blob = { key, bytes: bytes.length, sha256: hash('sha256', bytes) };
    const validators = storedValidators(response);
    const hasSameBytes = blob.sha256 === serving.sha256;
    if (hasSameBytes && isDeepStrictEqual(validators, serving.validators)) return null;
    if (!hasSameBytes) await this.blobStore.put(key, Buffer.from(bytes), { signal });
    return { blob, validators, fingerprint: pipelineFingerprint({ sha256: blob.sha256, contentType }) };
  }
}

/** None if the server sends robots headers with the page: a 304 need not repeat them. */
function storedValidators({ answer }: ContentResponse): Validators | null {
  return answer.robotsTags.length > 0 ? null : validatorsOf(answer);
}
