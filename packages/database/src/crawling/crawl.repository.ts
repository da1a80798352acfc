import type { DataSource, EntityManager } from 'typeorm';
import { type CrawlKind, type CrawlOrigin, type CrawlOutcome, CrawlUrlEntity } from './crawl-url.entity.js';
import type { RunEntity, StageProgress, Validators } from '../runs/run.entity.js';
import { hydrate } from '../connection/hydrate.js';
import { movesSql } from './move-pages.js';
import type { Settlement } from './settlement.js';

/** A URL that a crawl came upon. */
export interface FoundUrl {
  /** Normalised. */
  readonly url: string;
  readonly kind: CrawlKind;
  readonly origin: CrawlOrigin;
  readonly depth: number;
  readonly lastmod?: Date | null;
  /** Since when nothing leads to it, where that is not believed yet. */
  readonly lostSince?: Date | null;
}

/** What leads to others and could not be read, or not to its end. */
export interface UnreadUrl {
  readonly url: string;
  readonly kind: CrawlKind;
  readonly origin: CrawlOrigin;
  readonly reason: string;
}

/** A reason for which URLs are no pages, and one of these. */
export interface LeftOut {
  readonly reason: string;
  readonly url: string;
}

/** A page that a crawl has not found. */
export type LostUrl = FoundUrl & Required<Pick<FoundUrl, 'lostSince'>>;

/** A URL to be fetched, with what is known of the page that it is already. */
export interface FrontierUrl {
  readonly row: CrawlUrlEntity;
  /** Of the page's run that serves. */
  readonly serving: {
    /** When its run was made, a moment after its bytes were sent. */
    readonly fetchedAt: Date;
    readonly validators: Validators | null;
    /** Key and SHA-256 of the bytes that were parsed. */
    readonly contentKey: string | null;
    readonly contentHash: string | null;
    readonly contentType: string | null;
    readonly textHash: string | null;
    readonly fingerprint: string | null;
  } | null;
  /** The datasource that it is, unless that was deleted. */
  readonly pageId: string | null;
}

/** How far a crawl is. */
export interface CrawlCounts {
  /** URLs of pages. */
  readonly found: number;
  /** Of these, how many were fetched and decided on. */
  readonly settled: number;
  /** Of these, how many are pages; with those that were found elsewhere, and that it has not come to. */
  readonly pages: number;
  readonly failed: number;
}

/** Pages that stand for one another, one after the other: more of them are no site that somebody reads. */
export const MAX_DECISIONS = 10;

export interface CrawlDecision {
  /** `page` too where a page could not be fetched and what it had goes on serving. */
  readonly outcome: CrawlOutcome;
  /** The URL that the one in question stands for; null for a page. */
  readonly target: string | null;
}

/** SQL: a page, or one that could not be fetched while what it had goes on serving. @param url alias of `crawl_urls` */
export function isPageSql(url: string): string {
  return `(${url}.outcome = 'page' OR ${url}.outcome = 'failed' AND EXISTS (
    SELECT 1 FROM datasources d WHERE d.id = ${url}.page_id AND d.serving_run_id IS NOT NULL AND d.deleted_at IS NULL))`;
}

/**
 * SQL for what a run decided about a URL and on what that one stands for, see {@link CrawlRepository.decisionsOn}: a
 * query `decisions` with `place`, `url`, `outcome` and `target`.
 *
 * @param site, url, run expressions for them
 */
export function decisionsSql(site: string, url: string, run: string): string {
  const decisionOn = (decided: string): string => `
    SELECT u.url, CASE WHEN ${isPageSql('u')} THEN 'page' ELSE u.outcome END AS outcome,
           CASE WHEN u.outcome = 'left-out' THEN u.target END AS target
      FROM crawl_urls u
     WHERE site_id = ${site} AND url = ${decided} AND kind = 'page' AND settled_in = ${run}`;
  // The limit, of what is one row anyway, has it looked up in the index and not joined by reading the whole site.
  return `WITH RECURSIVE decisions AS (
    SELECT 1 AS place, u.* FROM (${decisionOn(url)}) u
    UNION ALL
    SELECT place + 1, u.* FROM decisions d CROSS JOIN LATERAL (${decisionOn('d.target')} LIMIT 1) u
     WHERE place < ${MAX_DECISIONS})`;
}

/**
 * Adds URLs to the frontier of a run. Those that it has already found stay as they are, unless these are nearer to the
 * start: then their links may be followed further, and they are looked at again.
 */
export async function addToFrontier(
  manager: EntityManager,
  run: RunEntity,
  found: readonly FoundUrl[],
): Promise<void> {
  // One statement can touch a row only once.
  const distinct = [...new Map(found.map((one) => [`${one.kind} ${one.url}`, one])).values()];
  if (distinct.length === 0) return;
  await manager.query(
    `INSERT INTO crawl_urls AS c (organization_id, site_id, found_in, url, kind, origin, depth, lastmod, lost_since)
     SELECT $1, $2, $3, url, kind, origin, depth, lastmod, lost_since
       FROM unnest($4::text[], $5::text[], $6::text[], $7::int[], $8::timestamptz[], $9::timestamptz[])
            AS found (url, kind, origin, depth, lastmod, lost_since)
     ON CONFLICT (site_id, url, kind) DO UPDATE
        SET found_in = excluded.found_in, origin = excluded.origin, depth = excluded.depth,
            lastmod = excluded.lastmod,
            lost_since = excluded.lost_since,
            settled_in = CASE WHEN c.found_in <> excluded.found_in THEN c.settled_in END,
            attempts = CASE WHEN c.found_in <> excluded.found_in THEN 0 ELSE c.attempts END,
            not_before = CASE WHEN c.found_in <> excluded.found_in THEN NULL ELSE c.not_before END,
            target = CASE WHEN c.found_in = excluded.found_in OR c.outcome <> 'left-out' THEN c.target END
      WHERE c.found_in <> excluded.found_in
         OR c.origin = 'link' AND excluded.origin = 'link' AND excluded.depth < c.depth`,
    [
      run.organizationId,
      run.datasourceId,
      run.id,
      distinct.map(({ url }) => url),
      distinct.map(({ kind }) => kind),
      distinct.map(({ origin }) => origin),
      distinct.map(({ depth }) => depth),
      distinct.map(({ lastmod }) => lastmod ?? null),
      distinct.map(({ lostSince }) => lostSince ?? null),
    ],
  );
}

/**
 * Puts back into the frontier what has come nearer to the start since its links were followed: more of them may belong
 * to the site.
 */
export async function lookAgainAtNearer(
  manager: EntityManager,
  run: RunEntity,
  settlements: readonly Pick<Settlement, 'url' | 'followedAt'>[],
): Promise<void> {
  const followed = settlements.flatMap(({ url, followedAt }) =>
    followedAt == null ? [] : { url, followedAt },
  );
  if (followed.length === 0) return;
  await manager.query(
    `UPDATE crawl_urls c SET settled_in = NULL
       FROM unnest($3::text[], $4::int[]) AS followed (url, depth)
      WHERE site_id = $1 AND settled_in = $2 AND kind = 'page' AND c.url = followed.url AND c.url = ANY($3)
        AND c.depth < followed.depth`,
    [run.datasourceId, run.id, followed.map(({ url }) => url), followed.map(({ followedAt }) => followedAt)],
  );
}

/** The frontier of web sites' crawls. */
export class CrawlRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Whether a run has found anything: else it has not begun. */
  async hasBegun(run: RunEntity): Promise<boolean> {
    const rows = await this.dataSource.query<unknown[]>(
      'SELECT 1 FROM crawl_urls WHERE site_id = $1 AND found_in = $2 LIMIT 1',
      [run.datasourceId, run.id],
    );
    return rows.length > 0;
  }

  /** What is to be fetched next, by depth; what has failed comes last. @param except URLs that are being fetched */
  async next(
    run: RunEntity,
    kind: CrawlKind,
    limit: number,
    except: readonly string[],
  ): Promise<FrontierUrl[]> {
    const untried = await this.due(run, kind, limit, except, 'attempts = 0');
    if (untried.length === limit) return untried;
    return [...untried, ...(await this.due(run, kind, limit - untried.length, except, 'attempts > 0'))];
  }

  private async due(
    run: RunEntity,
    kind: CrawlKind,
    limit: number,
    except: readonly string[],
    which: string,
  ): Promise<FrontierUrl[]> {
    const rows = await this.dataSource.query<Record<string, unknown>[]>(
      `SELECT c.*, r.created_at AS serving_since, r.validators AS serving_validators, r.content_key AS serving_key,
              r.content_type AS serving_type, r.text_hash AS serving_text_hash, r.fingerprint AS serving_fingerprint, b.sha256 AS serving_hash,
              CASE WHEN d.deleted_at IS NULL THEN d.id END AS living_page_id
         FROM (SELECT * FROM crawl_urls
                WHERE site_id = $1 AND found_in = $2 AND settled_in IS DISTINCT FROM found_in AND kind = $3
                  AND ${which} AND (not_before IS NULL OR not_before <= now()) AND url <> ALL($5)
                ORDER BY depth, url LIMIT $4) c
         LEFT JOIN datasources d ON d.id = c.page_id
         LEFT JOIN runs r ON r.id = d.serving_run_id AND d.deleted_at IS NULL
         LEFT JOIN blobs b ON b.key = r.content_key
        ORDER BY c.depth, c.url`,
      [run.datasourceId, run.id, kind, limit, except],
    );
    const urls = hydrate(this.dataSource, CrawlUrlEntity, rows);
    return rows.flatMap((columns, index) => {
      const row = urls[index];
      const pageId = columns['living_page_id'] as string | null;
      return row ? [{ row, pageId, serving: toServing(columns) }] : [];
    });
  }

  /** Everything that a run has found; for a crawl that goes on. */
  async urls(run: RunEntity): Promise<Pick<CrawlUrlEntity, 'url' | 'kind' | 'depth'>[]> {
    return this.dataSource.query(
      `SELECT url, kind, depth FROM crawl_urls WHERE site_id = $1 AND found_in = $2`,
      [run.datasourceId, run.id],
    );
  }

  /**
   * What a run decided about a URL and, where that one stands for another, about that, and so on: {@link MAX_DECISIONS}
   * at most, and no more than are decided yet.
   */
  async decisionsOn(run: RunEntity, url: string): Promise<CrawlDecision[]> {
    return this.dataSource.query<CrawlDecision[]>(
      `${decisionsSql('$1', '$2', '$3')} SELECT outcome, target FROM decisions ORDER BY place`,
      [run.datasourceId, url, run.id],
    );
  }

  /**
   * What a run came to that leads to others and could not be read, so that not everything is known that belongs to the
   * site: a sitemap, the start, or a page that led to others when it was read last; in this order. Null where everything
   * was read.
   */
  async unread(run: RunEntity): Promise<UnreadUrl | null> {
    const [row] = await this.dataSource.query<UnreadUrl[]>(
      `SELECT url, kind, origin, reason FROM crawl_urls
        WHERE site_id = $1 AND settled_in = $2 AND CASE kind
          WHEN 'sitemap' THEN reason IS NOT NULL
          WHEN 'page' THEN outcome = 'failed' AND (origin = 'seed' OR leads_on) END
        ORDER BY kind DESC, origin = 'seed' DESC, url LIMIT 1`,
      [run.datasourceId, run.id],
    );
    return row ?? null;
  }

  /**
   * What a run, or for pages that it has not come to the one before, was answered that would take the place of what
   * serves, and the first URL of those that say so.
   */
  async answers(run: RunEntity): Promise<Map<string, string>> {
    const rows = await this.dataSource.query<{ answer: string; url: string }[]>(
      `SELECT answer, min(url) AS url FROM crawl_urls
        WHERE site_id = $1 AND answer IS NOT NULL AND (settled_in = $2 OR outcome = 'failed') GROUP BY answer`,
      [run.datasourceId, run.id],
    );
    return new Map(rows.map(({ answer, url }) => [answer, url]));
  }

  /** What the crawl of the same site before a run noted when it had found everything; null where there was none. */
  async progressBefore(run: RunEntity): Promise<StageProgress | null> {
    const [row] = await this.dataSource.query<{ progress: StageProgress | null }[]>(
      `SELECT progress FROM runs
        WHERE organization_id = $1 AND datasource_id = $2 AND id <> $3 AND discovered_at IS NOT NULL
        ORDER BY created_at DESC LIMIT 1`,
      [run.organizationId, run.datasourceId, run.id],
    );
    return row?.progress ?? null;
  }

  /** Whether what a run has read in place of a sitemap are feeds, which list the latest pages and not all. */
  async isLedByFeed(run: RunEntity): Promise<boolean> {
    const [row] = await this.dataSource.query<{ is_led: boolean | null }[]>(
      `SELECT bool_and(outcome = 'feed') AS is_led FROM crawl_urls
        WHERE site_id = $1 AND settled_in = $2 AND kind = 'sitemap' AND leads_on`,
      [run.datasourceId, run.id],
    );
    return row?.is_led ?? false;
  }

  /** Why a run has left out what it found, most of it first, with a URL for each reason. */
  async leftOutFor(run: RunEntity): Promise<LeftOut[]> {
    return this.dataSource.query<LeftOut[]>(
      `SELECT reason, min(url) AS url FROM crawl_urls
        WHERE site_id = $1 AND settled_in = $2 AND outcome = 'left-out' GROUP BY reason ORDER BY count(*) DESC, reason`,
      [run.datasourceId, run.id],
    );
  }

  /** Sitemaps that earlier crawls of a run's site began with and could read, and that no configuration has named. */
  async sitemaps(run: RunEntity): Promise<string[]> {
    const rows = await this.dataSource.query<{ url: string }[]>(
      `SELECT url FROM crawl_urls
        WHERE site_id = $1 AND kind = 'sitemap' AND origin <> 'seed' AND depth = 0 AND leads_on`,
      [run.datasourceId],
    );
    return rows.map(({ url }) => url);
  }

  /** Whether pages name a URL as the one that they stand for. */
  async isNamed(run: RunEntity, url: string): Promise<boolean> {
    const rows = await this.dataSource.query<unknown[]>(
      `SELECT 1 FROM crawl_urls WHERE site_id = $1 AND kind = 'page' AND settled_in = $2 AND target = $3 LIMIT 1`,
      [run.datasourceId, run.id, url],
    );
    return rows.length > 0;
  }

  /** Pages of earlier crawls that a run has not found, as they were found then. */
  async notFound(run: RunEntity): Promise<LostUrl[]> {
    return this.dataSource.query<LostUrl[]>(
      `SELECT url, kind, origin, depth, lastmod, lost_since AS "lostSince"
         FROM crawl_urls c
        WHERE site_id = $1 AND found_in <> $2 AND kind = 'page'
          AND EXISTS (SELECT 1 FROM datasources d WHERE d.id = c.page_id AND d.deleted_at IS NULL)
        ORDER BY depth, url`,
      [run.datasourceId, run.id],
    );
  }

  /** How many pages a run has kept though nothing leads to them; what falls off a feed is none of these. */
  async lostAndKept(run: RunEntity): Promise<number> {
    const [row] = await this.dataSource.query<{ count: number }[]>(
      `SELECT count(*)::int AS count FROM crawl_urls c
        WHERE site_id = $1 AND found_in = $2 AND lost_since IS NOT NULL
          AND EXISTS (SELECT 1 FROM datasources d WHERE d.id = c.page_id AND d.deleted_at IS NULL)`,
      [run.datasourceId, run.id],
    );
    return row?.count ?? 0;
  }

  /** When the first URL that waits may be tried again; null when none waits. */
  async nextDueAt(run: RunEntity): Promise<Date | null> {
    const [row] = await this.dataSource.query<{ due: Date | null }[]>(
      `SELECT min(coalesce(not_before, now())) AS due FROM crawl_urls
        WHERE site_id = $1 AND found_in = $2 AND settled_in IS DISTINCT FROM found_in`,
      [run.datasourceId, run.id],
    );
    return row?.due ?? null;
  }

  async counts(run: RunEntity): Promise<CrawlCounts> {
    const [row] = await this.dataSource.query<CrawlCounts[]>(
      `SELECT count(*)::int AS found,
              count(*) FILTER (WHERE settled_in = $2)::int AS settled,
              count(*) FILTER (WHERE settled_in = $2 AND outcome = 'page')::int
                + (SELECT count(*)::int FROM (${movesSql('$1', '$2')}) move) AS pages,
              count(*) FILTER (WHERE settled_in = $2 AND outcome = 'failed')::int AS failed
         FROM crawl_urls WHERE site_id = $1 AND found_in = $2 AND kind = 'page'`,
      [run.datasourceId, run.id],
    );
    return row ?? { found: 0, settled: 0, pages: 0, failed: 0 };
  }
}

function toServing(columns: Record<string, unknown>): FrontierUrl['serving'] {
  const { serving_since: fetchedAt, serving_validators, serving_key, serving_type, serving_hash } = columns;
  const { serving_text_hash, serving_fingerprint } = columns;
  if (!(fetchedAt instanceof Date)) return null;
  return {
    fetchedAt,
    // The columns of the query above.
    validators: serving_validators as Validators | null,
    contentKey: serving_key as string | null,
    contentType: serving_type as string | null,
    contentHash: serving_hash as string | null,
    textHash: serving_text_hash as string | null,
    fingerprint: serving_fingerprint as string | null,
  };
}
