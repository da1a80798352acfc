import type { EntityManager } from 'typeorm';
import type { DatasourceEntity } from '../datasources/datasource.entity.js';
import type { RunCounts, RunEntity } from '../runs/run.entity.js';
import type { WrittenBlob } from '../blobs/blob.repository.js';
import { byPlace, originalOf, type SaidPage } from './copies.js';
import { answeredSinceSql } from './doubt.js';
import type { PageContent, PageDocument, Settlement } from './settlement.js';
import { saidPagesSql } from './sort-copies.js';
import { endRuns, requestPurges } from '../runs/under-way.js';

type PageSettlement = Extract<Settlement, { kind: 'page' }>;
type Batched = SaidPage & { readonly settlement: PageSettlement; readonly isDecided: true };

/** Of pages with new content, which are pages of the site and which only say what another URL says. */
export interface SortedPages {
  readonly pages: readonly PageSettlement[];
  readonly duplicates: readonly {
    readonly settlement: PageSettlement;
    /** The URL that says the same. */
    readonly of: string;
    /** Whether the run has not come to that one. */
    readonly hasMoved: boolean;
  }[];
}

/** Pages of a site with new content, as many as a transaction has, each step a statement for all of them. */
export class PageWriter {
  constructor(
    private readonly manager: EntityManager,
    private readonly run: RunEntity,
    private readonly site: DatasourceEntity,
  ) {}

  /**
   * Which pages are copies of one that comes before them, as far as that is known by now: `SiteRepository.sortCopies`
   * looks at them again. A new page that says what another one said, to which this crawl has yet to come, is taken for a
   * copy until then, since mostly it is one. What serves does not go for what may not be.
   */
  async sort(settlements: readonly PageSettlement[]): Promise<SortedPages> {
    const said = await this.saidByOthers(settlements);
    const pages: Batched[] = [];
    const duplicates: SortedPages['duplicates'][number][] = [];
    for (const page of settlements.map(saidBy).toSorted(byPlace)) {
      const others = said.filter(({ isDecided }) => isDecided || page.since === 'new');
      const of = originalOf(page, [...others, ...pages]);
      if (of === undefined) pages.push(page);
      else duplicates.push({ settlement: page.settlement, of: of.url, hasMoved: !of.isDecided });
    }
    return { pages: pages.map(({ settlement }) => settlement), duplicates };
  }

  /** Other pages of the site that say, or said before this crawl, the bytes of one of these. */
  private async saidByOthers(
    settlements: readonly PageSettlement[],
  ): Promise<(SaidPage & { readonly isDecided: boolean })[]> {
    return this.manager.query(
      `SELECT said.* FROM (${saidPagesSql('$1', '$3', '$5')}) said
        WHERE hash = ANY($2) AND url <> ALL($4)`,
      [
        this.site.id,
        settlements.map(hashOf),
        this.run.id,
        settlements.map(({ url }) => url),
        this.run.createdAt,
      ],
    );
  }

  /** They become datasources of the site, or theirs begin anew; each gets a run. */
  async write(pages: readonly PageSettlement[]): Promise<void> {
    const known = pages.filter(({ pageId, content }) => pageId === content.datasourceId);
    const added = pages.filter(({ pageId, content }) => pageId !== content.datasourceId);
    if (known.length > 0) await this.beginAnew(known.map(({ content }) => content.datasourceId));
    if (added.length > 0)
      await this.insert(added.map(({ url, content }) => ({ id: content.datasourceId, url })));
    await this.startRuns(pages.map(({ content }) => content));
    await this.settleUrls(pages);
  }

  /** Datasources of pages, without a run. */
  async insert(pages: readonly { readonly id: string; readonly url: string }[]): Promise<void> {
    const { organizationId, datastoreId } = this.site;
    await this.manager.query(
      `INSERT INTO datasources (id, organization_id, datastore_id, type, name, group_id, config)
       SELECT id, $1, $2, 'web_page', left(url, 255), $3, jsonb_build_object('source_url', url)
         FROM unnest($4::uuid[], $5::text[]) AS page (id, url)`,
      [organizationId, datastoreId, this.site.id, pages.map(({ id }) => id), pages.map(({ url }) => url)],
    );
  }

  /** What runs under way read is no longer wanted. */
  private async beginAnew(ids: readonly string[]): Promise<void> {
    const { organizationId } = this.run;
    const ended = await endRuns(this.manager, organizationId, ids);
    if (ended.length > 0) await requestPurges(this.manager, organizationId, 'runs', ended);
    await this.manager.query(
      `UPDATE datasources SET status = 'unsynched', updated_at = now() WHERE id = ANY($1)`,
      [ids],
    );
  }

  private async startRuns(contents: readonly PageContent[]): Promise<void> {
    const column = <Value>(value: (content: PageContent) => Value): Value[] => contents.map(value);
    await this.manager.query(
      `INSERT INTO runs (id, organization_id, datasource_id, group_id, trigger, content_key, content_type, validators,
                         content_name, stage, fingerprint, text_hash, characters, counts)
       SELECT page.id, d.organization_id, d.id, d.group_id, $1, page.content_key, page.content_type, page.validators,
              d.config->>'source_url', page.stage, page.fingerprint, page.text_hash, page.characters, page.counts
         FROM unnest($2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::jsonb[], $7::text[], $8::text[], $9::text[],
                     $10::bigint[], $11::jsonb[])
              AS page (id, datasource_id, content_key, content_type, validators, stage, fingerprint, text_hash,
                       characters, counts)
         JOIN datasources d ON d.id = page.datasource_id`,
      [
        this.run.trigger,
        column(({ runId }) => runId),
        column(({ datasourceId }) => datasourceId),
        column(({ fetched }) => fetched.key),
        column(({ contentType }) => contentType),
        column(({ validators }) => (validators === null ? null : JSON.stringify(validators))),
        column(({ document }) => (document === null ? 'parsing' : 'indexing')),
        column(({ document }) => document?.fingerprint ?? null),
        column(({ document }) => document?.textHash ?? null),
        column(({ document }) => document?.characters ?? 0),
        column(({ fetched, document }) =>
          document === null ? null : JSON.stringify(countsOf(fetched, document)),
        ),
      ],
    );
  }

  private async settleUrls(pages: readonly PageSettlement[]): Promise<void> {
    // ANY has the rows looked up in the index, whatever is thought of how many the site has.
    await this.manager.query(
      `UPDATE crawl_urls c SET settled_in = $2, outcome = 'page', reason = NULL,
              answer = page.answer, answered_since = ${answeredSinceSql('page.answer')},
              target = page.target, page_id = page.id, content_hash = page.hash, leads_on = coalesce(page.leads_on, c.leads_on)
         FROM unnest($3::text[], $4::uuid[], $5::text[], $6::text[], $7::boolean[], $8::text[])
              AS page (url, id, hash, target, leads_on, answer)
        WHERE site_id = $1 AND kind = 'page' AND c.url = page.url AND c.url = ANY($3)`,
      [
        this.site.id,
        this.run.id,
        pages.map(({ url }) => url),
        pages.map(({ content }) => content.datasourceId),
        pages.map(hashOf),
        pages.map(({ target = null }) => target),
        pages.map(({ leadsOn = null }) => leadsOn),
        pages.map(({ answer = null }) => answer),
      ],
    );
  }
}

function saidBy(settlement: PageSettlement): Batched {
  const { url, target = null, pageId } = settlement;
  const since = pageId === null ? 'new' : 'changed';
  return { url, hash: hashOf(settlement), target, since, isFailing: false, isDecided: true, settlement };
}

function hashOf({ content }: PageSettlement): string {
  return content.fetched.sha256;
}

function countsOf({ bytes }: WrittenBlob, { characters }: PageDocument): RunCounts {
  return { chunks: 0, characters, bytes, pages: 0 };
}
