import { type Executor, queryRow, sql } from '../../connection/sql.js';
import type { RunEntity } from '../../schema/ingestion.entities.js';
import type { CrawlCounts } from './crawl-counts.js';
import type { FoundUrl } from './outcome-writer.js';

/** URLs in a frontier for each page that a site may have: redirects and duplicates are not pages. */
export const URLS_PER_PAGE = 10;
/** URLs of one path with several query parameters. Beyond this number they are combinations of filters. */
export const MAX_QUERY_VARIANTS = 500;

/** What the user reads about a limit that ended discovery. */
export const TRUNCATED = {
  urls: (limit: number) => `More than ${limit} addresses were found. Raise maxPages to crawl more of them.`,
  /** @param url one of those that were refused */
  queryVariants: (url: string) =>
    `More than ${MAX_QUERY_VARIANTS} addresses differ from ${url} only in their query. Give a sitemap, or exclude them.`,
};

/** Characters of URLs in one statement. Preparing its parameters blocks the event loop for about 2 ms per million. */
const STATEMENT_CHARACTERS = 1_000_000;

/**
 * Adds URLs to the frontier of a crawl. A URL that is there already stays as it is; while it waits, a shorter path
 * lowers its depth. Seeds and pages of earlier crawls are always admitted. New URLs are refused beyond
 * {@link URLS_PER_PAGE} for each page, and links beyond {@link MAX_QUERY_VARIANTS} of one path with several query
 * parameters.
 */
export async function enqueueUrls(
  manager: Executor,
  run: RunEntity,
  urls: readonly FoundUrl[],
  maxPages: number,
): Promise<CrawlCounts> {
  if (urls.length === 0) return {};
  const maxUrls = maxPages * URLS_PER_PAGE;
  const counts = { urls: 0, found: 0 };
  let truncated: string | null = null;
  for (const part of partsOf(urls)) {
    // The crawl's own count is updated by the caller.
    const added = await enqueuePart(manager, run, part, maxUrls - counts.urls);
    counts.urls += added.urls;
    counts.found += added.found;
    if (added.isFull) truncated ??= TRUNCATED.urls(maxUrls);
    else if (added.variant !== null) truncated ??= TRUNCATED.queryVariants(added.variant);
  }
  return { ...counts, truncated };
}

/** The URLs in order, in parts of at most {@link STATEMENT_CHARACTERS}. */
function* partsOf(urls: readonly FoundUrl[]): Generator<FoundUrl[]> {
  let part: FoundUrl[] = [];
  let characters = 0;
  for (const found of urls) {
    if (characters + found.url.length > STATEMENT_CHARACTERS) {
      yield part;
      [part, characters] = [[], 0];
    }
    part.push(found);
    characters += found.url.length;
  }
  if (part.length > 0) yield part;
}

interface EnqueuedPart {
  urls: number;
  found: number;
  /** There were more than `maxUrls`. */
  isFull: boolean;
  /** A URL that was refused because of its query parameters. */
  variant: string | null;
}

async function enqueuePart(
  manager: Executor,
  { id: runId, datasourceId: siteId, organizationId }: RunEntity,
  urls: readonly FoundUrl[],
  maxUrls: number,
): Promise<EnqueuedPart> {
  const row = await queryRow<EnqueuedPart>(
    manager,
    sql`WITH offered AS (
      SELECT DISTINCT ON (kind, url) *
        FROM unnest(${urls.map(({ url }) => url)}::text[], ${urls.map(({ kind }) => kind)}::text[],
                    ${urls.map(({ origin }) => origin)}::text[], ${urls.map(({ depth }) => depth)}::int[],
                    ${urls.map(({ hops = 0 }) => hops)}::int[])
             WITH ORDINALITY AS offered (url, kind, origin, depth, hops, place)
       ORDER BY kind, url, depth, place
    ), wanted AS (
      SELECT offered.*, known.found_in IS DISTINCT FROM ${runId} AS is_new,
             known.found_in IS DISTINCT FROM ${runId} AND known.page_id IS NULL AND origin <> 'seed' AS is_bounded,
             known.found_in IS DISTINCT FROM ${runId} AND known.page_id IS NULL
               AND origin = 'link' AND url LIKE '%&%' AS is_variant, split_part(url, '?', 1) AS path
        FROM offered LEFT JOIN LATERAL (
               -- LIMIT makes Postgres look each URL up in the index, whatever its statistics are.
               SELECT c.found_in, c.processed_in, c.page_id, c.depth AS known_depth FROM crawl_urls c
                WHERE c.site_id = ${siteId} AND c.url = offered.url COLLATE "C" AND c.kind = offered.kind LIMIT 1
             ) known ON true
       WHERE known.found_in IS DISTINCT FROM ${runId}
          OR known.processed_in IS DISTINCT FROM ${runId} AND depth < known_depth
    ), ranked AS (
      SELECT *, row_number() OVER (PARTITION BY path, is_variant ORDER BY place) AS rank FROM wanted
    ), counted AS (
      SELECT *, is_variant AND rank + max(CASE WHEN is_variant AND rank = 1 THEN (SELECT count(*) FROM (
               SELECT 1 FROM crawl_urls taken
                WHERE taken.site_id = ${siteId} AND taken.kind = 'page' AND taken.found_in = ${runId}
                  -- "?" and "@" are neighbours in ASCII: everything that begins with the path and "?".
                  AND taken.url > path || '?' COLLATE "C" AND taken.url < path || '@' COLLATE "C"
                  AND taken.url LIKE '%&%' LIMIT ${MAX_QUERY_VARIANTS}) taken) END)
               OVER (PARTITION BY path, is_variant) > ${MAX_QUERY_VARIANTS} AS is_refused
        FROM ranked
    ), admitted AS (
      SELECT *, is_bounded AND row_number() OVER (PARTITION BY is_bounded ORDER BY place)
               > ${maxUrls} - (SELECT urls FROM crawls WHERE run_id = ${runId}) AS is_beyond
        FROM counted WHERE NOT is_refused
    ), inserted AS (
      INSERT INTO crawl_urls AS c (organization_id, site_id, found_in, url, kind, origin, depth, hops)
      SELECT ${organizationId}::uuid, ${siteId}::uuid, ${runId}::uuid, url, kind, origin, depth, hops
        FROM admitted WHERE NOT is_beyond ORDER BY place
      ON CONFLICT (site_id, url, kind) DO UPDATE
         SET depth = excluded.depth, origin = excluded.origin, hops = excluded.hops, found_in = excluded.found_in,
             position = CASE WHEN c.found_in = excluded.found_in THEN c.position ELSE excluded.position END,
             attempts = CASE WHEN c.found_in = excluded.found_in THEN c.attempts ELSE 0 END,
             not_before = CASE WHEN c.found_in = excluded.found_in THEN c.not_before END
    )
    SELECT count(*) FILTER (WHERE is_new AND NOT is_beyond)::int AS urls,
           count(*) FILTER (WHERE is_new AND NOT is_beyond AND kind = 'page')::int AS found,
           coalesce(bool_or(is_beyond), false) AS "isFull",
           (SELECT min(url) FROM counted WHERE is_refused) AS variant
      FROM admitted`,
  );
  return row ?? { urls: 0, found: 0, isFull: false, variant: null };
}
