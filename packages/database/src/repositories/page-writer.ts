import type { EntityManager } from 'typeorm';
import type { DatasourceEntity } from '../entities/datasource.entity.js';
import type { RunCounts, RunEntity } from '../entities/run.entity.js';
import type { WrittenBlob } from './blob.repository.js';
import { isPageSql } from './crawl.repository.js';
import type { PageContent, PageDocument, Settlement } from './settlement.js';
import { endRuns, requestPurges } from './under-way.js';

type PageSettlement = Extract<Settlement, { kind: 'page' }>;

/** Of pages with new content, which are pages of the site and which only say what another URL says. */
export interface SortedPages {
  readonly pages: readonly PageSettlement[];
  readonly duplicates: readonly {
    readonly settlement: PageSettlement;
    /** The URL that says the same. */
    readonly of: string;
  }[];
  /** What another URL said that this crawl has not come to: it may say something else now. They are looked at again. */
  readonly deferred: readonly PageSettlement[];
  /** Pages that this crawl has brought in and that only say what one of these does, which comes before them. */
  readonly replaced: readonly { readonly url: string; readonly pageId: string; readonly by: string }[];
}

/** A page and its bytes. */
interface Said {
  readonly url: string;
  /** SHA-256. */
  readonly hash: string;
  /** What it points to. */
  readonly target: string | null;
  /** Whether this crawl has come to it. */
  readonly isDecided: boolean;
  readonly depth: number;
  /** Whether no crawl before this one has brought it in. */
  readonly isNew: boolean;
  /** The datasource that it is; null of a page of the same batch. */
  readonly pageId: string | null;
}

/** So often, and so much later, a page is looked at again until it is a page whatever that other URL says. */
const MAX_DEFERRALS = 3;
const DEFERRAL_SECONDS = 2;

/**
 * SQL for the URL of a page that a run has come to and that serves the bytes of another one; what points to that one is
 * none. @param url alias of `crawl_urls` @param run expression
 */
export function originalSql(url: string, run: string): string {
  return `(SELECT o.url FROM crawl_urls o
    WHERE o.site_id = ${url}.site_id AND o.content_hash = ${url}.content_hash AND o.settled_in = ${run} AND o.url <> ${url}.url
      AND o.target IS DISTINCT FROM ${url}.url AND ${isPageSql('o')} LIMIT 1)`;
}

/** Pages of a site with new content, as many as a transaction has, each step a statement for all of them. */
export class PageWriter {
  constructor(
    private readonly manager: EntityManager,
    private readonly run: RunEntity,
    private readonly site: DatasourceEntity,
  ) {}

  /**
   * Of several URLs of this crawl with the same bytes, one is the page: that which was one before, then that which is
   * nearest to the start, then the first by its address, so that it does not matter in which order they come. What these
   * URLs had before says nothing: contents move. A page that says what another URL said, to which this crawl has yet to
   * come, waits for that. What points to a page is not what that is a copy of.
   */
  async sort(unsorted: readonly PageSettlement[]): Promise<SortedPages> {
    const settlements = unsorted.toSorted((a, b) => (comesBefore(placeOf(a), placeOf(b)) ? -1 : 1));
    const said = await this.saidByOthers(settlements);
    const undecided = settlements.filter((settlement) => {
      const same = said.filter((other) => isCopy(settlement, other));
      return same.length > 0 && !same.some(({ isDecided }) => isDecided);
    });
    const waiting = await this.defer(undecided);
    const taken = said.filter(({ isDecided }) => isDecided);
    const pages: PageSettlement[] = [];
    const duplicates: SortedPages['duplicates'][number][] = [];
    const replaced: SortedPages['replaced'][number][] = [];
    for (const settlement of settlements) {
      if (waiting.has(settlement.url)) continue;
      const place = placeOf(settlement);
      const at = taken.findIndex((other) => isCopy(settlement, other));
      const of = taken[at];
      if (of !== undefined && !(of.isNew && of.pageId !== null && comesBefore(place, of))) {
        duplicates.push({ settlement, of: of.url });
        continue;
      }
      if (of?.pageId) {
        replaced.push({ url: of.url, pageId: of.pageId, by: settlement.url });
        taken.splice(at, 1);
      }
      pages.push(settlement);
      const { target = null } = settlement;
      taken.push({ ...place, hash: hashOf(settlement), target, isDecided: true, pageId: null });
    }
    return { pages, duplicates, deferred: settlements.filter(({ url }) => waiting.has(url)), replaced };
  }

  /** A page that says the same as an older one, if this crawl has brought it in: it came first, and is the copy. */
  async newerThan(url: string, original: string): Promise<{ url: string; pageId: string } | null> {
    const [newer] = await this.manager.query<{ url: string; pageId: string }[]>(
      `SELECT o.url, o.page_id AS "pageId"
         FROM crawl_urls o JOIN datasources brought ON brought.id = o.page_id
        WHERE o.site_id = $1 AND o.url = $2 AND o.kind = 'page' AND brought.created_at >= $4 AND EXISTS (
          SELECT 1 FROM crawl_urls c JOIN datasources d ON d.id = c.page_id
           WHERE c.site_id = $1 AND c.url = $3 AND c.kind = 'page' AND d.created_at < $4)`,
      [this.site.id, original, url, this.run.createdAt],
    );
    return newer ?? null;
  }

  /** Other pages of this crawl that serve, or said when it came to them last, the bytes of one of these. */
  private async saidByOthers(settlements: readonly PageSettlement[]): Promise<Said[]> {
    return this.manager.query(
      `SELECT content_hash AS hash, url, target, settled_in IS NOT DISTINCT FROM $3 AS "isDecided", depth,
              page_id AS "pageId",
              NOT EXISTS (SELECT 1 FROM datasources d WHERE d.id = c.page_id AND d.created_at < $5) AS "isNew"
         FROM crawl_urls c
        WHERE site_id = $1 AND content_hash = ANY($2) AND found_in = $3 AND url <> ALL($4)
          AND ${isPageSql('c')}`,
      [
        this.site.id,
        settlements.map(hashOf),
        this.run.id,
        settlements.map(({ url }) => url),
        this.run.createdAt,
      ],
    );
  }

  /** @returns the URLs that are looked at again */
  private async defer(settlements: readonly PageSettlement[]): Promise<ReadonlySet<string>> {
    if (settlements.length === 0) return new Set();
    const [rows] = await this.manager.query<[{ url: string }[], number]>(
      `UPDATE crawl_urls SET attempts = attempts + 1, not_before = now() + make_interval(secs => ${DEFERRAL_SECONDS})
        WHERE site_id = $1 AND kind = 'page' AND url = ANY($2) AND attempts < ${MAX_DEFERRALS} RETURNING url`,
      [this.site.id, settlements.map(({ url }) => url)],
    );
    return new Set(rows.map(({ url }) => url));
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
      `UPDATE crawl_urls c SET settled_in = $2, outcome = 'page', reason = NULL, target = page.target, page_id = page.id,
              content_hash = page.hash, leads_on = coalesce(page.leads_on, c.leads_on)
         FROM unnest($3::text[], $4::uuid[], $5::text[], $6::text[], $7::boolean[])
              AS page (url, id, hash, target, leads_on)
        WHERE site_id = $1 AND kind = 'page' AND c.url = page.url AND c.url = ANY($3)`,
      [
        this.site.id,
        this.run.id,
        pages.map(({ url }) => url),
        pages.map(({ content }) => content.datasourceId),
        pages.map(hashOf),
        pages.map(({ target = null }) => target),
        pages.map(({ leadsOn = null }) => leadsOn),
      ],
    );
  }
}

type Place = Pick<Said, 'url' | 'depth' | 'isNew'>;

function placeOf({ url, depth = 0, pageId }: PageSettlement): Place {
  return { url, depth, isNew: pageId === null };
}

function comesBefore(a: Place, b: Place): boolean {
  if (a.isNew !== b.isNew) return b.isNew;
  return a.depth === b.depth ? a.url < b.url : a.depth < b.depth;
}

function isCopy(settlement: PageSettlement, { hash, target }: Said): boolean {
  return hash === hashOf(settlement) && target !== settlement.url;
}

function hashOf({ content }: PageSettlement): string {
  return content.fetched.sha256;
}

function countsOf({ bytes }: WrittenBlob, { characters }: PageDocument): RunCounts {
  return { chunks: 0, characters, bytes, pages: 0 };
}
