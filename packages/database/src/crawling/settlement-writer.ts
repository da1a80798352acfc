import type { EntityManager } from 'typeorm';
import type { CrawlOutcome, CrawlUrlEntity } from './crawl-url.entity.js';
import type { DatasourceEntity } from '../datasources/datasource.entity.js';
import type { RunEntity } from '../runs/run.entity.js';
import { newId } from '../connection/new-id.js';
import { keepBlobs, type WrittenBlob } from '../blobs/blob.repository.js';
import { deleteDatasources } from '../datasources/delete-datasources.js';
import { answeredSinceSql } from './doubt.js';
import { PageWriter } from './page-writer.js';
import type { PageContent, Settlement } from './settlement.js';
import { takeOutOfService } from '../datasources/take-out-of-service.js';
import { endRuns, requestPurges } from '../runs/under-way.js';
import { areWellAgain } from './well-again.js';

type Of<Kind extends Settlement['kind']> = Extract<Settlement, { kind: Kind }>;

/** Writes settlements inside one transaction, which holds the locks of the site and of the pages that it names. */
export class SettlementWriter {
  /** Runs of pages that were started. */
  started = 0;
  /** Keys of blobs that nothing refers to. */
  readonly unwanted: string[] = [];
  /** Pages that the run has not come to, and that are found elsewhere. */
  readonly moved: string[] = [];
  private readonly pages: Of<'page'>[] = [];
  private readonly same: Of<'unchanged'>[] = [];
  private readonly writer: PageWriter;

  constructor(
    private readonly manager: EntityManager,
    private readonly run: RunEntity,
    private readonly site: DatasourceEntity,
    /** Of the pages that the settlements name, those that are not deleted. */
    private readonly living: ReadonlySet<string>,
  ) {
    this.writer = new PageWriter(manager, run, site);
  }

  /** What counts for all settlements together: afterwards the transaction can be committed. */
  async finish(): Promise<void> {
    if (this.pages.length > 0) await this.writePages(this.pages);
    if (this.same.length > 0) await this.unchanged(this.same);
  }

  async write(settlement: Settlement): Promise<void> {
    if (settlement.pageId !== null && !this.living.has(settlement.pageId)) return this.deleted(settlement);
    switch (settlement.kind) {
      case 'page':
        this.pages.push(settlement);
        return undefined;
      case 'unchanged':
        this.same.push(settlement);
        return undefined;
      case 'left-out':
        return this.leftOut(settlement, settlement);
      case 'failed':
        return this.failed(settlement);
      case 'again':
        return this.again(settlement);
      case 'read':
        return this.settleUrl(settlement, {
          outcome: settlement.isFeed === true ? 'feed' : 'read',
          reason: settlement.reason,
        });
    }
  }

  /** Somebody deleted the page while it was looked at, and meant it; the next crawl finds it again. */
  private async deleted(settlement: Settlement): Promise<void> {
    if (settlement.kind === 'page') this.unwanted.push(...blobsOf(settlement.content).map(({ key }) => key));
    if (settlement.kind === 'unchanged' && settlement.renewed?.others)
      this.unwanted.push(settlement.renewed.others.blob.key);
    await this.settleUrl(settlement, { outcome: 'left-out', reason: 'DELETED' });
  }

  private async writePages(settlements: readonly Of<'page'>[]): Promise<void> {
    const { pages, duplicates } = await this.writer.sort(settlements);
    for (const { settlement, of, hasMoved } of duplicates) {
      if (hasMoved) this.moved.push(of);
      this.unwanted.push(...blobsOf(settlement.content).map(({ key }) => key));
      await this.leftOut(settlement, {
        reason: 'DUPLICATE',
        target: of,
        contentHash: settlement.content.fetched.sha256,
      });
    }
    if (pages.length === 0) return;
    await this.writer.write(pages);
    await keepBlobs(
      this.manager,
      this.run.organizationId,
      pages.flatMap(({ content }) => blobsOf(content)),
    );
    this.started += pages.length;
  }

  private async unchanged(settlements: readonly Of<'unchanged'>[]): Promise<void> {
    // ANY has the rows looked up in the index, whatever is thought of how many the site has.
    await this.manager.query(
      `UPDATE crawl_urls c SET settled_in = $3, outcome = 'page', target = page.target, confirmed_at = now(),
              reason = NULL, leads_on = coalesce(page.leads_on, c.leads_on),
              answer = CASE WHEN page.target IS NOT NULL THEN c.answer END,
              answered_since = CASE WHEN page.target IS NOT NULL THEN c.answered_since END,
              content_hash = CASE WHEN page.keeps_hash THEN c.content_hash ELSE page.hash END
         FROM unnest($2::text[], $4::text[], $5::boolean[], $6::text[], $7::boolean[])
              AS page (url, target, leads_on, hash, keeps_hash)
        WHERE site_id = $1 AND kind = 'page' AND c.url = page.url AND c.url = ANY($2)`,
      [
        this.site.id,
        settlements.map(({ url }) => url),
        this.run.id,
        settlements.map(({ target = null }) => target),
        settlements.map(({ leadsOn = null }) => leadsOn),
        settlements.map(({ contentHash = null }) => contentHash),
        settlements.map(({ contentHash }) => contentHash === undefined),
      ],
    );
    await this.renew(settlements);
    await areWellAgain(
      this.manager,
      settlements.map(({ pageId }) => pageId),
    );
  }

  private async renew(settlements: readonly Of<'unchanged'>[]): Promise<void> {
    const renewed = settlements.flatMap((settlement) => settlement.renewed ?? []);
    if (renewed.length === 0) return;
    await keepBlobs(
      this.manager,
      this.run.organizationId,
      renewed.flatMap(({ others }) => others?.blob ?? []),
    );
    await this.manager.query(
      `UPDATE runs SET validators = page.validators, fingerprint = coalesce(page.fingerprint, runs.fingerprint)
         FROM unnest($1::text[], $2::jsonb[], $3::text[]) AS page (key, validators, fingerprint)
        WHERE runs.content_key = page.key AND runs.datasource_id = ANY($4)`,
      [
        renewed.map(({ key }) => key),
        renewed.map(({ validators }) => (validators === null ? null : JSON.stringify(validators))),
        renewed.map(({ others }) => others?.fingerprint ?? null),
        settlements.map(({ pageId }) => pageId),
      ],
    );
  }

  private async leftOut(
    settlement: Settlement,
    {
      reason,
      target = null,
      contentHash = null,
    }: { reason: string; target?: string | null; contentHash?: string | null },
  ): Promise<void> {
    const { pageId } = settlement;
    if (pageId !== null) await deleteDatasources(this.manager, this.run.organizationId, 'id = $2', [pageId]);
    await this.settleUrl(settlement, { outcome: 'left-out', reason, target, contentHash });
  }

  private async failed(settlement: Of<'failed'>): Promise<void> {
    const { url, pageId, error, isGone, isPage = true } = settlement;
    if (!isPage && pageId === null)
      return this.settleUrl(settlement, { outcome: 'failed', reason: error.code });
    const id = pageId ?? newId();
    if (pageId === null) await this.writer.insert([{ id, url }]);
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
    await this.settleUrl(settlement, { outcome: 'failed', reason: error.code, pageId: id });
  }

  private async again({ url, of, notBefore }: Of<'again'>): Promise<void> {
    await this.manager.query(
      `UPDATE crawl_urls SET attempts = attempts + 1, not_before = $4
        WHERE site_id = $1 AND kind = $2 AND url = $3`,
      [this.site.id, of, url, notBefore],
    );
  }

  private async settleUrl(
    { url, kind, leadsOn = null, answer = null }: Settlement,
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
    // What could not be fetched says nothing on what it leads to, and serves what it had.
    await this.manager.query(
      `UPDATE crawl_urls c SET settled_in = $3, outcome = $4, reason = $5, page_id = $7, answer = $11::text,
              answered_since = ${answeredSinceSql('$11::text')},
              content_hash = CASE WHEN $4 = 'failed' THEN content_hash ELSE $10 END,
              target = CASE WHEN $4 = 'failed' THEN target ELSE $6 END,
              leads_on = coalesce($8, leads_on)
        WHERE site_id = $1 AND kind = $9 AND url = $2`,
      [
        this.site.id,
        url,
        this.run.id,
        outcome,
        reason,
        target,
        pageId,
        leadsOn,
        kind === 'read' ? 'sitemap' : 'page',
        contentHash,
        answer,
      ],
    );
  }
}

function blobsOf({ fetched, document }: PageContent): WrittenBlob[] {
  return [fetched, ...(document?.blobs ?? [])];
}
