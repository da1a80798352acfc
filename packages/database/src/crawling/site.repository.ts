import { datasourceErrorOf } from '@citewell/contracts/errors';
import type { DataSource, EntityManager } from 'typeorm';
import { type CrawlNote, RunEntity, type StageProgress } from '../runs/run.entity.js';
import { hydrateOne } from '../connection/hydrate.js';
import { addToFrontier, decisionsSql, type FoundUrl, lookAgainAtNearer } from './crawl.repository.js';
import { deleteDatasources } from '../datasources/delete-datasources.js';
import { announceRun } from '../runs/dispatch-channels.js';
import { believeFewAlike } from './doubt.js';
import { assertLeased, changeLeased, giveBackLease } from '../runs/lease.js';
import { lockDatasource, lockDatasourceOf } from '../datasources/lock-datasource.js';
import { movePages } from './move-pages.js';
import { POINTING, type Settled, type Settlement } from './settlement.js';
import { SettlementWriter } from './settlement-writer.js';
import { type SitePages, siteOutcome } from '../runs/site-outcome.js';
import { copiesOf, leaveOutCopies, reopenNoCopies } from './sort-copies.js';
import { cancelRuns, UNDER_WAY, UNDER_WAY_STATES } from '../runs/under-way.js';

/** Sites that are looked at in one go. */
const FINISH_BATCH = 20;

/**
 * What a crawl does to its site. Like the lifecycle of runs: under the run's lease, and every transaction locks
 * the site first, its pages after, and runs last.
 */
export class SiteRepository {
  /** @param owner names this process; a lease carries it */
  constructor(
    private readonly dataSource: DataSource,
    private readonly owner: string,
  ) {}

  /**
   * Writes down what became of URLs, all or none, with what was found in them: pages become datasources with a run of
   * their own, and what is no page any more stops answering.
   *
   * @param note what the crawl has to say since these; null where it has nothing to add
   * @throws LeaseLostError
   */
  async settle(
    run: RunEntity,
    settlements: readonly Settlement[],
    note: CrawlNote | null = null,
  ): Promise<Settled> {
    return this.dataSource.transaction(async (manager) => {
      const site = await lockDatasourceOf(manager, run, 'SHARE');
      const living = await lockPages(
        manager,
        settlements.map(({ pageId }) => pageId).filter((id) => id !== null),
      );
      await assertLeased(manager, this.owner, run);
      if (note !== null) await addToNote(manager, this.owner, run, note);
      const writer = new SettlementWriter(manager, run, site, living);
      for (const settlement of settlements) await writer.write(settlement);
      await writer.finish();
      await addToFrontier(
        manager,
        run,
        settlements.flatMap(({ found }) => found),
      );
      await lookAgainAtNearer(manager, run, settlements);
      if (writer.started > 0) await announceRun(manager);
      return { unwanted: writer.unwanted, moved: writer.moved };
    });
  }

  /**
   * Adds URLs to the frontier of a run; those that it has already found stay as they are.
   *
   * @throws LeaseLostError
   */
  async find(run: RunEntity, found: readonly FoundUrl[]): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      await lockDatasourceOf(manager, run, 'SHARE');
      await assertLeased(manager, this.owner, run);
      await addToFrontier(manager, run, found);
    });
  }

  /**
   * Gives the run back for a while: it has had its turn, or has to wait.
   *
   * @param notBefore when there is something to do again; now, if not given
   * @throws LeaseLostError
   */
  async pause(run: RunEntity, progress: StageProgress, notBefore: Date | null): Promise<void> {
    await giveBackLease(
      this.dataSource.manager,
      this.owner,
      run,
      'failures = 0, crashes = 0, not_before = greatest($4, now()), progress = $5::jsonb',
      [notBefore, JSON.stringify(progress)],
    );
  }

  /**
   * Puts back into the frontier what points to another URL and was taken for the wrong thing: left out for one that
   * turned out to be no page, nor to stand for one; or a page, because that one was none, which it is by now. The latter
   * once in a run: pages that point to each other, or elsewhere each time, would keep it going.
   *
   * @returns how many
   * @throws LeaseLostError
   */
  async reopenMisled(run: RunEntity): Promise<number> {
    return this.dataSource.transaction(async (manager) => {
      await assertLeased(manager, this.owner, run);
      // Pages that point to each other lead to themselves: one of them is to stay.
      const leadsToPage = `EXISTS (${decisionsSql('$1', 'c.target', '$2')}
        SELECT 1 FROM decisions WHERE outcome = 'page' AND url <> c.url)`;
      const [, reopened] = await manager.query<[unknown[], number]>(
        `UPDATE crawl_urls c
            SET settled_in = NULL, attempts = 0, not_before = NULL,
                reopened_in = CASE outcome WHEN 'page' THEN $2 ELSE reopened_in END
          WHERE site_id = $1 AND settled_in = $2 AND target IS NOT NULL AND CASE outcome
            WHEN 'left-out' THEN reason = ANY($3) AND NOT ${leadsToPage}
            WHEN 'page' THEN reopened_in IS DISTINCT FROM $2 AND ${leadsToPage} END`,
        [run.datasourceId, run.id, POINTING],
      );
      return reopened;
    });
  }

  /**
   * Pages that were answered like others are looked at once more where they are few, or a small part of the site.
   *
   * @returns how many
   * @throws LeaseLostError
   */
  async believeFewAlike(run: RunEntity): Promise<number> {
    return this.dataSource.transaction(async (manager) => {
      await assertLeased(manager, this.owner, run);
      return believeFewAlike(manager, run);
    });
  }

  /**
   * Looks at the pages of a run once more that say the same bytes, or were taken to: what is no copy after all goes back
   * into the frontier, and what is one is no page any more, whatever the order in which they were come to.
   *
   * @throws LeaseLostError
   */
  async sortCopies(run: RunEntity): Promise<void> {
    const copies = await copiesOf(this.dataSource.manager, run);
    await this.dataSource.transaction(async (manager) => {
      await lockDatasourceOf(manager, run, copies.length > 0 ? 'UPDATE' : 'SHARE');
      await assertLeased(manager, this.owner, run);
      if (copies.length > 0) await leaveOutCopies(manager, run, copies);
      await reopenNoCopies(manager, run);
    });
  }

  /**
   * At the end of a crawl: pages that it has not come to, and whose bytes it has found elsewhere, are there from now on.
   *
   * @returns how many
   * @throws LeaseLostError
   */
  async movePages(run: RunEntity): Promise<number> {
    return this.dataSource.transaction(async (manager) => {
      await lockDatasourceOf(manager, run);
      await assertLeased(manager, this.owner, run);
      return movePages(manager, run);
    });
  }

  /** Removes pages that the site's configuration leaves out by now. @throws LeaseLostError */
  async remove(run: RunEntity, urls: readonly string[]): Promise<void> {
    if (urls.length > 0) await this.forget(run, `kind = 'page' AND url = ANY($2)`, [urls]);
  }

  /**
   * After a complete crawl: removes pages that nothing leads to any more.
   *
   * @returns how many URLs say what one of these said, and are in the frontier again
   * @throws LeaseLostError
   */
  async removeNotFound(run: RunEntity): Promise<number> {
    return this.forget(run, 'found_in <> $2', [run.id]);
  }

  /**
   * After a crawl that has brought in as many pages as the site may have: removes those of earlier crawls that are
   * beyond them. Those that are to be looked at once more stay.
   *
   * @param spared so many stay, of the first of them: pages that failed may have taken their places for this time
   * @throws LeaseLostError
   */
  async removeNotReached(run: RunEntity, spared: number): Promise<void> {
    await this.forget(
      run,
      `kind = 'page' AND url IN (
         SELECT url FROM crawl_urls
          WHERE site_id = $1 AND kind = 'page' AND page_id IS NOT NULL AND settled_in IS DISTINCT FROM $2
            AND (found_in <> $2 OR attempts = 0) AND believed_in IS DISTINCT FROM $2
          ORDER BY found_in <> $2, depth, url OFFSET $3)`,
      [run.id, spared],
    );
  }

  private async forget(run: RunEntity, where: string, parameters: readonly unknown[]): Promise<number> {
    return this.dataSource.transaction(async (manager) => {
      await lockDatasourceOf(manager, run);
      await assertLeased(manager, this.owner, run);
      await forgetUrls(manager, run, where, parameters);
      return reopenNoCopies(manager, run);
    });
  }

  /**
   * Every page is found and fetched; the site waits for its pages.
   *
   * @param remark what the site is to say: why the crawl did not get to everything, or what it leaves out; else null
   * @throws LeaseLostError
   */
  async discovered(run: RunEntity, progress: StageProgress, remark: string | null): Promise<void> {
    await giveBackLease(
      this.dataSource.manager,
      this.owner,
      run,
      'failures = 0, crashes = 0, discovered_at = now(), progress = $4::jsonb, error = $5::jsonb',
      [
        JSON.stringify(progress),
        remark === null ? null : JSON.stringify(datasourceErrorOf('PARTIAL', remark)),
      ],
    );
  }

  /** Ends the runs of sites whose crawl is over and none of whose pages is under way. */
  async finishDiscovered(): Promise<void> {
    const rows = await this.dataSource.query<{ id: string; datasource_id: string }[]>(
      `SELECT id, datasource_id FROM runs WHERE ${IS_FINISHED} ORDER BY discovered_at LIMIT ${FINISH_BATCH}`,
    );
    for (const { id, datasource_id } of rows) await this.finish(id, datasource_id);
  }

  private async finish(runId: string, siteId: string): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      await lockDatasource(manager, siteId);
      const rows = await manager.query<Record<string, unknown>[]>(
        `SELECT * FROM runs WHERE id = $1 AND ${IS_FINISHED} FOR UPDATE`,
        [runId],
      );
      const run = hydrateOne(this.dataSource, RunEntity, rows[0]);
      if (run === null) return;
      const { pages, counts } = await sumOfPages(manager, siteId);
      const { status, error } = siteOutcome(pages, run.error?.message ?? null);
      await manager.query(
        `UPDATE runs SET state = $3, counts = $4::jsonb, error = $5::jsonb, finished_at = now(),
                revision = 1 + (SELECT coalesce(max(o.revision), 0) FROM runs o WHERE o.datasource_id = $2)
          WHERE id = $1`,
        [
          runId,
          siteId,
          status === 'synched' ? 'succeeded' : 'failed',
          JSON.stringify(counts),
          error === null ? null : JSON.stringify(error),
        ],
      );
      await manager.query(
        `UPDATE datasources SET status = $2, error = $3::jsonb, serving_run_id = $4, updated_at = now(),
                last_synch = CASE WHEN $2 = 'synched' THEN now() ELSE last_synch END
          WHERE id = $1`,
        [siteId, status, error === null ? null : JSON.stringify(error), runId],
      );
    });
  }

  /** Ends the runs of a site's pages, and those that were to follow. @returns how many were under way */
  async cancelPages(organizationId: string, siteId: string): Promise<number> {
    return this.dataSource.transaction(async (manager) => {
      const pages = await manager.query<{ id: string }[]>(
        `SELECT id FROM datasources
          WHERE organization_id = $1 AND group_id = $2
            AND (sync_asked OR id IN (SELECT datasource_id FROM runs WHERE group_id = $2 AND ${UNDER_WAY}))
          ORDER BY id FOR UPDATE`,
        [organizationId, siteId],
      );
      await manager.query('UPDATE datasources SET sync_asked = false WHERE id = ANY($1) AND sync_asked', [
        pages.map(({ id }) => id),
      ]);
      const ended = await cancelRuns(
        manager,
        organizationId,
        pages.map(({ id }) => id),
      );
      return ended.length;
    });
  }
}

/** A crawl that begins anew after a crash, at a page that comes after, has to know it. */
async function addToNote(
  manager: EntityManager,
  owner: string,
  run: RunEntity,
  note: CrawlNote,
): Promise<void> {
  await changeLeased(
    manager,
    owner,
    run,
    `progress = coalesce(progress, '{"done": 0, "total": 0}') || $4::jsonb`,
    [JSON.stringify(note)],
  );
}

/** Forgets URLs of a site; those that are pages go. @param where SQL after `site_id = $1 AND`, with parameters from $2 */
async function forgetUrls(
  manager: EntityManager,
  { organizationId, datasourceId }: RunEntity,
  where: string,
  parameters: readonly unknown[],
): Promise<void> {
  const [forgotten] = await manager.query<[{ page_id: string | null }[], number]>(
    `DELETE FROM crawl_urls WHERE site_id = $1 AND ${where} RETURNING page_id`,
    [datasourceId, ...parameters],
  );
  const pageIds = forgotten.map((row) => row.page_id).filter((id) => id !== null);
  if (pageIds.length > 0) await deleteDatasources(manager, organizationId, 'id = ANY($2)', [pageIds]);
}

/** @returns the ids of those that are not deleted */
async function lockPages(manager: EntityManager, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await manager.query<{ id: string }[]>(
    'SELECT id FROM datasources WHERE id = ANY($1) AND deleted_at IS NULL ORDER BY id FOR UPDATE',
    [ids],
  );
  return new Set(rows.map(({ id }) => id));
}

/** Guarded, so that of two dispatchers one ends the run, and none while a page is under way. */
const IS_FINISHED = `state = 'pending' AND discovered_at IS NOT NULL AND NOT EXISTS (
  SELECT 1 FROM runs page WHERE page.group_id = runs.datasource_id AND page.state IN ${UNDER_WAY_STATES})`;

async function sumOfPages(
  manager: EntityManager,
  siteId: string,
): Promise<{ pages: SitePages; counts: RunEntity['counts'] }> {
  const [row] = await manager.query<
    (SitePages & { chunks: string; characters: string; bytes: string; pages: string })[]
  >(
    `SELECT count(*) FILTER (WHERE d.status = 'synched')::int AS synched,
            count(*) FILTER (WHERE d.status IN ('error', 'usage_limit_reached'))::int AS failed,
            count(*) FILTER (WHERE d.status IN ('error', 'usage_limit_reached') AND r.id IS NOT NULL)::int AS stale,
            count(*) FILTER (WHERE d.status = 'usage_limit_reached')::int AS "overLimit",
            coalesce(sum((r.counts->>'chunks')::bigint), 0) AS chunks,
            coalesce(sum((r.counts->>'characters')::bigint), 0) AS characters,
            coalesce(sum((r.counts->>'bytes')::bigint), 0) AS bytes,
            count(r.id) AS pages
       FROM datasources d LEFT JOIN runs r ON r.id = d.serving_run_id
      WHERE d.group_id = $1 AND d.deleted_at IS NULL`,
    [siteId],
  );
  if (!row) throw new Error('An aggregate without groups has one row');
  return {
    pages: { synched: row.synched, failed: row.failed, stale: row.stale, overLimit: row.overLimit },
    counts: {
      chunks: Number(row.chunks),
      characters: Number(row.characters),
      bytes: Number(row.bytes),
      pages: Number(row.pages),
    },
  };
}
