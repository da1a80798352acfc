import type { EntityManager } from 'typeorm';
import type { CrawlOutcome, CrawlUrlEntity } from '../entities/crawl-url.entity.js';
import type { DatasourceEntity } from '../entities/datasource.entity.js';
import type { RunCounts, RunEntity } from '../entities/run.entity.js';
import { newId } from '../new-id.js';
import { keepBlobs, type WrittenBlob } from './blob.repository.js';
import { deleteDatasources } from './delete-datasources.js';
import type { PageContent, PageDocument, Settlement } from './settlement.js';
import { takeOutOfService } from './take-out-of-service.js';
import { endRuns, requestPurges, UNDER_WAY } from './under-way.js';

type Of<Kind extends Settlement['kind']> = Extract<Settlement, { kind: Kind }>;

/** Writes settlements inside one transaction, which holds the locks of the site and of the pages that it names. */
export class SettlementWriter {
  /** Runs of pages that were started. */
  started = 0;
  /** Keys of blobs that nothing refers to. */
  readonly unwanted: string[] = [];
  private readonly kept: WrittenBlob[] = [];
  private readonly same: Of<'unchanged'>[] = [];

  constructor(
    private readonly manager: EntityManager,
    private readonly run: RunEntity,
    private readonly site: DatasourceEntity,
    /** Of the pages that the settlements name, those that are not deleted. */
    private readonly living: ReadonlySet<string>,
  ) {}

  /** What counts for all settlements together: afterwards the transaction can be committed. */
  async finish(): Promise<void> {
    if (this.kept.length > 0) await keepBlobs(this.manager, this.run.organizationId, this.kept);
    if (this.same.length > 0) await this.unchanged(this.same);
  }

  async write(settlement: Settlement): Promise<void> {
    if (settlement.pageId !== null && !this.living.has(settlement.pageId)) return this.deleted(settlement);
    switch (settlement.kind) {
      case 'page':
        return this.page(settlement);
      case 'unchanged':
        this.same.push(settlement);
        return undefined;
      case 'left-out':
        return this.leftOut(settlement, settlement.reason, settlement.target);
      case 'failed':
        return this.failed(settlement);
      case 'again':
        return this.again(settlement);
      case 'read':
        return this.settleUrl(settlement.url, { outcome: 'read', reason: settlement.reason });
    }
  }

  /** Somebody deleted the page while it was looked at, and meant it; the next crawl finds it again. */
  private async deleted({ url, ...settlement }: Settlement): Promise<void> {
    if (settlement.kind === 'page') this.unwanted.push(...blobsOf(settlement.content).map(({ key }) => key));
    await this.settleUrl(url, { outcome: 'left-out', reason: 'DELETED' });
  }

  private async page(settlement: Of<'page'>): Promise<void> {
    const { content, url } = settlement;
    const { fetched } = content;
    const blobs = blobsOf(content);
    if (await this.isDuplicate(url, fetched.sha256)) {
      this.unwanted.push(...blobs.map(({ key }) => key));
      return this.leftOut(settlement, 'DUPLICATE');
    }
    if (content.datasourceId === settlement.pageId) await this.beginAnew(content.datasourceId);
    else await this.insertPage(content.datasourceId, url);
    await this.startRun(content);
    this.kept.push(...blobs);
    await this.settleUrl(url, {
      outcome: 'page',
      pageId: content.datasourceId,
      contentHash: fetched.sha256,
    });
    this.started += 1;
  }

  private async unchanged(settlements: readonly Of<'unchanged'>[]): Promise<void> {
    await this.manager.query(
      `UPDATE crawl_urls SET settled_in = $3, outcome = 'page', reason = NULL, target = NULL
        WHERE site_id = $1 AND url = ANY($2)`,
      [this.site.id, settlements.map(({ url }) => url), this.run.id],
    );
    // A page that could not be fetched the last time is well again.
    await this.manager.query(
      `UPDATE datasources SET status = 'synched', error = NULL, last_synch = now(), updated_at = now()
        WHERE id = ANY($1) AND serving_run_id IS NOT NULL AND NOT EXISTS (
          SELECT 1 FROM runs WHERE datasource_id = datasources.id AND ${UNDER_WAY})`,
      [settlements.map(({ pageId }) => pageId)],
    );
  }

  private async leftOut({ url, pageId }: Settlement, reason: string, target?: string): Promise<void> {
    if (pageId !== null) {
      await deleteDatasources(this.manager, this.run.organizationId, 'id = $2', [pageId]);
    }
    await this.settleUrl(url, { outcome: 'left-out', reason, target: target ?? null });
  }

  private async failed({ url, pageId, error, isGone }: Of<'failed'>): Promise<void> {
    const id = pageId ?? newId();
    if (pageId === null) await this.insertPage(id, url);
    else if (isGone) {
      // One that compares with what served would find nothing changed, and say that it serves.
      await endRuns(this.manager, this.run.organizationId, [id]);
      await takeOutOfService(this.manager, this.run.organizationId, id);
      await requestPurges(this.manager, this.run.organizationId, 'runs', [id]);
    }
    await this.manager.query(
      `UPDATE datasources SET status = 'error', error = $2::jsonb, updated_at = now() WHERE id = $1`,
      [id, JSON.stringify(error)],
    );
    await this.settleUrl(url, { outcome: 'failed', reason: error.code, pageId: id });
  }

  private async again({ url, notBefore }: Of<'again'>): Promise<void> {
    await this.manager.query(
      `UPDATE crawl_urls SET attempts = attempts + 1, not_before = $3 WHERE site_id = $1 AND url = $2`,
      [this.site.id, url, notBefore],
    );
  }

  /** Another URL of this crawl had the same bytes: the first one to come is the page. */
  private async isDuplicate(url: string, contentHash: string): Promise<boolean> {
    const rows = await this.manager.query<unknown[]>(
      `SELECT 1 FROM crawl_urls WHERE site_id = $1 AND content_hash = $2 AND url <> $3 AND found_in = $4
          AND outcome = 'page' LIMIT 1`,
      [this.site.id, contentHash, url, this.run.id],
    );
    return rows.length > 0;
  }

  private async insertPage(id: string, url: string): Promise<void> {
    const { organizationId, datastoreId } = this.site;
    await this.manager.query(
      `INSERT INTO datasources (id, organization_id, datastore_id, type, name, group_id, config)
       VALUES ($1, $2, $3, 'web_page', left($4, 255), $5, jsonb_build_object('source_url', $4))`,
      [id, organizationId, datastoreId, url, this.site.id],
    );
  }

  private async startRun(content: PageContent): Promise<void> {
    const { datasourceId, runId, fetched, document, validators } = content;
    await this.manager.query(
      `INSERT INTO runs (id, organization_id, datasource_id, group_id, trigger, content_key, content_type, validators,
                         content_name, stage, fingerprint, text_hash, characters, counts)
       SELECT $1, d.organization_id, d.id, d.group_id, $3, $4, $5, $6::jsonb, d.config->>'source_url',
              $7, $8, $9, $10, $11::jsonb
         FROM datasources d WHERE d.id = $2`,
      [
        runId,
        datasourceId,
        this.run.trigger,
        fetched.key,
        content.contentType,
        validators === null ? null : JSON.stringify(validators),
        document === null ? 'parsing' : 'indexing',
        document?.fingerprint ?? null,
        document?.textHash ?? null,
        document?.characters ?? 0,
        document === null ? null : JSON.stringify(countsOf(fetched, document)),
      ],
    );
  }

  /** What a run under way reads is no longer wanted. */
  private async beginAnew(datasourceId: string): Promise<void> {
    const { organizationId } = this.run;
    const ended = await endRuns(this.manager, organizationId, [datasourceId]);
    if (ended.length > 0) await requestPurges(this.manager, organizationId, 'runs', ended);
    await this.manager.query(
      `UPDATE datasources SET status = 'unsynched', updated_at = now() WHERE id = $1`,
      [datasourceId],
    );
  }

  private async settleUrl(
    url: string,
    {
      outcome,
      reason = null,
      target = null,
      pageId = null,
      contentHash = null,
    }: Partial<Pick<CrawlUrlEntity, 'reason' | 'target' | 'pageId' | 'contentHash'>> & {
      outcome: CrawlOutcome;
    },
  ): Promise<void> {
    await this.manager.query(
      `UPDATE crawl_urls SET settled_in = $3, outcome = $4, reason = $5, target = $6, page_id = $7, content_hash = $8
        WHERE site_id = $1 AND url = $2`,
      [this.site.id, url, this.run.id, outcome, reason, target, pageId, contentHash],
    );
  }
}

function blobsOf({ fetched, document }: PageContent): WrittenBlob[] {
  return [fetched, ...(document?.blobs ?? [])];
}

function countsOf({ bytes }: WrittenBlob, { characters }: PageDocument): RunCounts {
  return { chunks: 0, characters, bytes, pages: 0 };
}
