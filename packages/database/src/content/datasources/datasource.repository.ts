import type { Filters } from '@citewell/contracts/schemas';
import type { DataSource, EntityManager } from 'typeorm';
import { GroupCommit } from '../../connection/group-commit.js';
import { isId } from '../../connection/new-id.js';
import type { Page } from '../../connection/page.js';
import { execute, hydrate, hydrateOne, queryRow, queryRows, type Sql, sql } from '../../connection/sql.js';
import type { TenantScope } from '../../connection/tenant-scope.js';
import { announceRun, DUE_SYNCS } from '../../ingestion/runs/dispatch.js';
import { lockDatasource } from '../../ingestion/runs/lease.js';
import { deleteDatasources } from '../../ingestion/runs/out-of-service.js';
import {
  type ReindexStage,
  removeMissingInUnstartedRun,
  startReindexing,
  startRuns,
} from '../../ingestion/runs/start-run.js';
import { UNFINISHED_STATES } from '../../ingestion/runs/transitions.js';
import { valuesOf } from '../../schema/columns.js';
import { DatasourceEntity } from '../../schema/content.entities.js';
import { RunEntity, type RunTrigger } from '../../schema/ingestion.entities.js';
import { existingDatasource, visibleDatasource, visibleDatasourceInOrder } from '../readers/readable.js';
import {
  type DatasourceFilter,
  type DatasourceView,
  isNamed,
  selectFiltered,
  selectViews,
} from './select-datasources.js';
import type { DatasourceChange, NewContent, NewDatasource, WriteOutcome } from './upsert-plan.js';
import {
  hasUnfinishedRun,
  replaceContents,
  replaceFile,
  syncAfterCurrentRun,
  type SyncOptions,
  writeDatasources,
} from './write-datasources.js';

/** With the datasource as it was written, or the file that has the same name or content. */
export type WrittenView = WriteOutcome & { view: DatasourceView | null };

/** As every reader sees it: the caller has checked, or works in the background. */
const EXISTS = existingDatasource();

/** Datasources of one organization. Deleted ones do not exist here. */
export class DatasourceRepository {
  /** By organization. */
  private readonly creations = new GroupCommit<NewDatasource, WrittenView>((organizationId, items) =>
    this.writeAll(organizationId, items),
  );

  constructor(private readonly dataSource: DataSource) {}

  /**
   * Creates datasources of one datastore, or replaces those with their custom ids where an item is an upsert. One
   * transaction does all of it. The datastore must exist. Concurrent requests that create one datasource each share a transaction.
   *
   * @returns results in the order of the items; a view is null where nothing was done
   */
  async write(scope: TenantScope, items: readonly NewDatasource[]): Promise<WrittenView[]> {
    const [first] = items;
    return first !== undefined && items.length === 1 && !first.isUpsert && !first.refusesDuplicate
      ? [await this.creations.submit(scope.organizationId, first)]
      : this.writeAll(scope.organizationId, items);
  }

  private async writeAll(organizationId: string, items: readonly NewDatasource[]): Promise<WrittenView[]> {
    return this.dataSource.transaction(async (manager) => {
      const results = await writeDatasources(manager, organizationId, items);
      await announceRun(manager);
      const ids = results.flatMap(({ id }) => id ?? []);
      // As they were written: after the commit, a worker may have taken their runs.
      const views = await selectViews(
        manager,
        sql`SELECT * FROM datasources
             WHERE id = ANY(${ids}::uuid[]) AND organization_id = ${organizationId} AND ${EXISTS}`,
      );
      const viewOf = new Map(views.map((view) => [view.datasource.id, view]));
      return results.map(({ id, ...result }) => ({ ...result, view: (id && viewOf.get(id)) || null }));
    });
  }

  async find(scope: TenantScope, id: string): Promise<DatasourceView | null> {
    if (!isId(id)) return null;
    const [view] = await selectViews(
      this.dataSource.manager,
      sql`SELECT * FROM datasources WHERE id = ${id} AND ${visibleDatasource(scope)}`,
    );
    return view ?? null;
  }

  /** Datasources of any organization, in any order. The caller has checked who may read them. */
  async findByIds(ids: readonly string[]): Promise<DatasourceView[]> {
    return selectViews(
      this.dataSource.manager,
      sql`SELECT * FROM datasources WHERE id = ANY (${ids.filter(isId)}::uuid[]) AND ${EXISTS}`,
    );
  }

  /** Newest first. Pages and files of a group are listed only with the group as `groupId`. */
  async list(scope: TenantScope, filter: DatasourceFilter, page: Page): Promise<DatasourceView[]> {
    const { datastoreId, groupId, status, name } = filter;
    if (![datastoreId, groupId].every((id) => id === undefined || isId(id))) return [];
    const conditions: Sql[] = [
      groupId === undefined ? sql`group_id IS NULL` : sql`group_id = ${groupId}`,
      datastoreId === undefined ? sql`true` : sql`datastore_id = ${datastoreId}`,
      status === undefined ? sql`true` : sql`datasources.status = ${status}`,
      name === undefined ? sql`true` : isNamed(name),
      page.cursor && isId(page.cursor) ? sql`id < ${page.cursor}` : sql`true`,
    ];
    return selectViews(
      this.dataSource.manager,
      sql`SELECT * FROM datasources
           WHERE ${datastoreId === undefined && groupId === undefined ? visibleDatasourceInOrder(scope) : visibleDatasource(scope)}
             AND ${conditions.reduce((all, condition) => sql`${all} AND ${condition}`)}
           ORDER BY id DESC LIMIT ${page.limit}`,
    );
  }

  /** Ids of the datasources in these datastores that have one of these custom ids. */
  async idsByCustomId(
    scope: TenantScope,
    datastoreIds: readonly string[],
    customIds: readonly string[],
  ): Promise<string[]> {
    const rows = await queryRows<{ id: string }>(
      this.dataSource,
      sql`SELECT id FROM datasources
           WHERE datastore_id = ANY(${datastoreIds}) AND custom_id = ANY(${customIds})
             AND ${visibleDatasource(scope)}`,
    );
    return rows.map((row) => row.id);
  }

  /** Ids of the datasources in these datastores that fit the filters. The id of a group stands for its members. */
  async idsByFilters(
    scope: TenantScope,
    datastoreIds: readonly string[],
    filters: Filters,
  ): Promise<string[]> {
    const rows = await queryRows<{ id: string }>(
      this.dataSource,
      selectFiltered(scope, datastoreIds, filters),
    );
    return rows.map((row) => row.id);
  }

  /** Which of these names are the custom id, id or name of a datasource in these datastores. */
  async knownNames(
    scope: TenantScope,
    datastoreIds: readonly string[],
    names: readonly string[],
  ): Promise<Set<string>> {
    const rows = await queryRows<{ known: string | null }>(
      this.dataSource,
      sql`SELECT unnest(ARRAY[custom_id, id::text, name]) AS known FROM datasources
           WHERE datastore_id = ANY(${datastoreIds})
             AND (custom_id = ANY(${names}) OR id::text = ANY(${names}) OR name = ANY(${names}))
             AND ${visibleDatasource(scope)}`,
    );
    const known = new Set(rows.map((row) => row.known));
    return new Set(names.filter((name) => known.has(name)));
  }

  /**
   * Changes a datasource in one transaction.
   *
   * @param decide returns the change of the datasource, which is locked. Nothing changes when it throws
   * @returns null when there is no such datasource
   */
  async update(
    scope: TenantScope,
    id: string,
    decide: (datasource: DatasourceEntity) => DatasourceChange | Promise<DatasourceChange>,
  ): Promise<DatasourceView | null> {
    if (!isId(id)) return null;
    await this.dataSource.transaction(async (manager) => {
      const datasource = await this.lock(manager, scope, id);
      if (!datasource) return;
      const { followsRun = false, ...fields } = await decide(datasource);
      if (Object.values(fields).some((value) => value !== undefined))
        await manager.update(DatasourceEntity, { id }, valuesOf<DatasourceEntity>(fields));
      if (followsRun) await syncAfterCurrentRun(manager, [id]);
    });
    return this.find(scope, id);
  }

  /**
   * Starts a run, or joins the unfinished one. Where that has started, another one follows.
   *
   * @returns null when there is no such datasource
   */
  async sync(
    scope: TenantScope,
    id: string,
    trigger: Exclude<RunTrigger, 'reindex'> = 'sync',
    { removeMissing = false }: SyncOptions = {},
  ): Promise<DatasourceView | null> {
    if (!isId(id)) return null;
    await this.dataSource.transaction(async (manager) => {
      const datasource = await this.lock(manager, scope, id);
      if (!datasource) return;
      if (!(await hasUnfinishedRun(manager, id))) {
        await startRuns(manager, [datasource], trigger, { removeMissing });
        await announceRun(manager);
      } else if (!removeMissing || !(await removeMissingInUnstartedRun(manager, scope.organizationId, id))) {
        await syncAfterCurrentRun(manager, [id], { removeMissing });
      }
    });
    return this.find(scope, id);
  }

  /** Datasources that are due by their schedule, or that have a requested sync and no unfinished run. */
  async dueForSync(
    limit: number,
  ): Promise<{ organizationId: string; id: string; config: Record<string, unknown> }[]> {
    return queryRows(
      this.dataSource,
      sql`SELECT organization_id AS "organizationId", id, config FROM datasources
           WHERE ${EXISTS} AND id IN (${DUE_SYNCS})
           ORDER BY next_sync_at LIMIT ${limit}`,
    );
  }

  /**
   * Starts the run that is due, and records when the next one is. A scheduled time during an unfinished run
   * is skipped; a requested sync waits for its end.
   *
   * @param nextSyncAt the next time of its schedule; null for never
   */
  async syncDue(scope: TenantScope, id: string, nextSyncAt: Date | null): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      const datasource = await this.lock(manager, scope, id);
      if (!datasource) return;
      const isBusy = await hasUnfinishedRun(manager, id);
      const due = await execute(
        manager,
        sql`UPDATE datasources
               SET requested_sync = ${isBusy ? sql`requested_sync` : sql`NULL`},
                   next_sync_at = CASE WHEN next_sync_at <= now() THEN ${nextSyncAt} ELSE next_sync_at END
             WHERE id = ${id} AND (requested_sync IS NOT NULL OR next_sync_at <= now())`,
      );
      if (due === 0 || isBusy) return;
      const { requestedSync } = datasource;
      await startRuns(manager, [datasource], requestedSync === null ? 'schedule' : 'sync', {
        removeMissing: requestedSync === 'remove-missing',
      });
      await announceRun(manager);
    });
  }

  /** Starts a reindex of datasources that serve and are not being reindexed. */
  async reindex(ids: readonly string[], stage: ReindexStage): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      const rows = await queryRows<{ id: string }>(
        manager,
        sql`SELECT id FROM datasources WHERE id = ANY(${ids}) AND deleted_at IS NULL ORDER BY id FOR UPDATE`,
      );
      await startReindexing(
        manager,
        rows.map(({ id }) => id),
        stage,
      );
      await announceRun(manager);
    });
  }

  /**
   * Starts a reindex of datasources that serve from another vector space than the current one. Each switches when its
   * run is done.
   *
   * @returns how many runs were started
   */
  async reindexOutdated(space: string, stage: ReindexStage, limit: number): Promise<number> {
    const rows = await queryRows<{ id: string }>(
      this.dataSource,
      sql`SELECT d.id FROM datastores s
            JOIN datasources d ON d.datastore_id = s.id AND d.organization_id = s.organization_id
            JOIN runs r ON r.id = d.serving_run_id
           WHERE s.deleted_at IS NULL AND NOT s.spaces <@ ARRAY[${space}]::text[]
             AND d.deleted_at IS NULL AND r.space <> ${space}
             AND NOT EXISTS (
               SELECT 1 FROM runs u WHERE u.datasource_id = d.id AND (
                 u.state IN ${UNFINISHED_STATES}
                 OR (u.trigger = 'reindex' AND u.state = 'failed' AND coalesce(u.space, ${space}) = ${space}
                     AND u.created_at > now() - interval '1 hour')))
           ORDER BY d.id LIMIT ${limit}`,
    );
    if (rows.length > 0)
      await this.reindex(
        rows.map(({ id }) => id),
        stage,
      );
    else await this.forgetSpaces(space);
    return rows.length;
  }

  /**
   * Removes spaces from datastores that no serving run of theirs is in, so that queries do not search them.
   */
  private async forgetSpaces(current: string): Promise<void> {
    await execute(
      this.dataSource,
      sql`UPDATE datastores s SET spaces = ARRAY[${current}]::text[]
           WHERE NOT s.spaces <@ ARRAY[${current}]::text[] AND NOT EXISTS (
             SELECT 1 FROM datasources d JOIN runs r ON r.id = d.serving_run_id
              WHERE d.datastore_id = s.id AND d.deleted_at IS NULL AND r.space <> ${current})`,
    );
  }

  /** See {@link replaceContents}. @returns null when there is no such datasource */
  async replaceContent(scope: TenantScope, id: string, content: NewContent): Promise<DatasourceView | null> {
    if (!isId(id)) return null;
    await this.dataSource.transaction(async (manager) => {
      const datasource = await this.lock(manager, scope, id);
      if (!datasource) return;
      await replaceContents(manager, datasource.organizationId, [{ datasource, content }]);
      await announceRun(manager);
    });
    return this.find(scope, id);
  }

  /**
   * Replaces a file that belongs to no archive. It keeps its id, its custom id and its metadata.
   *
   * @returns null when there is no such file
   */
  async replaceFile(
    scope: TenantScope,
    id: string,
    item: Pick<NewDatasource, 'name' | 'mimeType' | 'content'>,
  ): Promise<WrittenView | null> {
    if (!isId(id)) return null;
    const result = await this.dataSource.transaction(async (manager) => {
      const datasource = await this.lock(manager, scope, id);
      if (datasource?.type !== 'file' || datasource.groupId !== null) return null;
      const { datastoreId, customId, config, metadata } = datasource;
      const kept = { type: 'file', datastoreId, customId, config, metadata } as const;
      const written = await replaceFile(manager, scope.organizationId, datasource, { ...item, ...kept });
      await announceRun(manager);
      return written;
    });
    if (result === null) return null;
    const { id: _, ...written } = result;
    return { ...written, view: await this.find(scope, id) };
  }

  /** Hides a datasource at once, with the pages or files of a group, ends their runs, and has the rest purged. */
  async markDeleted(scope: TenantScope, id: string): Promise<DatasourceView | null> {
    const view = await this.find(scope, id);
    if (!view) return null;
    await this.dataSource.transaction(async (manager) => {
      // Locked first and alone: a crawl that is adding pages has committed when the lock is granted, and one
      // that is about to will find the site deleted.
      await lockDatasource(manager, id);
      await deleteDatasources(manager, scope.organizationId, sql`(id = ${id} OR group_id = ${id})`);
    });
    return view;
  }

  /** Runs of a datasource, newest first. */
  async runs(scope: TenantScope, datasourceId: string, { limit, cursor }: Page): Promise<RunEntity[]> {
    if (!isId(datasourceId)) return [];
    const rows = await queryRows<Record<string, unknown>>(
      this.dataSource,
      sql`SELECT r.* FROM runs r JOIN datasources ON datasources.id = r.datasource_id
           WHERE r.organization_id = ${scope.organizationId} AND r.datasource_id = ${datasourceId}
             AND ${visibleDatasource(scope)} AND ${cursor && isId(cursor) ? sql`r.id < ${cursor}` : sql`true`}
           ORDER BY r.id DESC LIMIT ${limit}`,
    );
    return hydrate(this.dataSource, RunEntity, rows);
  }

  /** Which of these datasources the reader may read at this moment. */
  async readableIds(scope: TenantScope, ids: readonly string[]): Promise<Set<string>> {
    const rows = await queryRows<{ id: string }>(
      this.dataSource,
      sql`SELECT id FROM datasources WHERE id = ANY(${ids.filter(isId)}::uuid[]) AND ${visibleDatasource(scope)}`,
    );
    return new Set(rows.map(({ id }) => id));
  }

  private async lock(
    manager: EntityManager,
    scope: TenantScope,
    id: string,
  ): Promise<DatasourceEntity | null> {
    const row = await queryRow<Record<string, unknown>>(
      manager,
      sql`SELECT * FROM datasources WHERE id = ${id} AND ${visibleDatasource(scope)} FOR UPDATE`,
    );
    return hydrateOne(this.dataSource, DatasourceEntity, row);
  }
}
