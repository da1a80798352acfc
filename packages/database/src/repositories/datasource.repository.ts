import type { DatasourceStatus, DatasourceType, Stage } from '@citewell/contracts/http';
import type { DataSource, EntityManager } from 'typeorm';
import { BlobEntity } from '../entities/blob.entity.js';
import { DatasourceEntity } from '../entities/datasource.entity.js';
import { PurgeEntity } from '../entities/purge.entity.js';
import { RunEntity, type RunTrigger } from '../entities/run.entity.js';
import { hydrate } from '../hydrate.js';
import { isId, newId } from '../new-id.js';
import type { TenantScope } from '../tenant-scope.js';
import type { Page } from './page.js';
import { wakeDispatcher } from './run-dispatch.repository.js';

/** A datasource with the runs that its wire shape tells of. */
export interface DatasourceView {
  datasource: DatasourceEntity;
  /** The run that answers queries. */
  serving: RunEntity | null;
  /** The run under way, if there is one. */
  current: RunEntity | null;
}

export interface NewDatasource {
  /** Given where something, such as its content in the blob store, had to be named before. */
  id?: string;
  datastoreId: string;
  type: DatasourceType;
  name: string;
  customId: string | null;
  config: Record<string, unknown>;
  metadata: Record<string, unknown> | null;
  mimeType: string | null;
  contentKey: string | null;
}

export interface DatasourceFilter {
  datastoreId?: string | undefined;
  groupId?: string | undefined;
  status?: DatasourceStatus | undefined;
}

/** Datasources of one organization. Deleted ones do not exist here. */
export class DatasourceRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Makes datasources, each with its first run, all or none. Their datastore must exist. */
  async create(scope: TenantScope, items: readonly NewDatasource[]): Promise<DatasourceView[]> {
    const ids = items.map((item) => item.id ?? newId());
    await this.dataSource.transaction(async (manager) => {
      for (const [index, item] of items.entries()) {
        const id = ids[index] ?? newId();
        const datasource = manager.create(DatasourceEntity, {
          ...item,
          id,
          organizationId: scope.organizationId,
        });
        await manager.save(datasource, { reload: false });
        if (item.contentKey) await commitBlob(manager, item.contentKey);
        await startRun(manager, datasource, 'create');
      }
      await wakeDispatcher(manager);
    });
    const views = await Promise.all(ids.map((id) => this.find(scope, id)));
    return views.filter((view) => view !== null);
  }

  async find(scope: TenantScope, id: string): Promise<DatasourceView | null> {
    if (!isId(id)) return null;
    const rows = await this.dataSource.query<Record<string, unknown>[]>(
      `SELECT * FROM datasources WHERE id = $1 AND organization_id = $2 AND deleted_at IS NULL`,
      [id, scope.organizationId],
    );
    const [view] = await this.withRuns(scope, rows);
    return view ?? null;
  }

  async list(scope: TenantScope, filter: DatasourceFilter, page: Page): Promise<DatasourceView[]> {
    const ids = [filter.datastoreId, filter.groupId].filter((id) => id !== undefined);
    if (!ids.every(isId)) return [];
    const rows = await this.dataSource.query<Record<string, unknown>[]>(
      `SELECT * FROM datasources
        WHERE organization_id = $1 AND deleted_at IS NULL
          AND ($2::uuid IS NULL OR datastore_id = $2)
          AND CASE WHEN $3::uuid IS NULL THEN group_id IS NULL ELSE group_id = $3 END
          AND ($4::text IS NULL OR status = $4)
          AND ($5::uuid IS NULL OR id < $5)
        ORDER BY id DESC LIMIT $6`,
      [
        scope.organizationId,
        filter.datastoreId ?? null,
        filter.groupId ?? null,
        filter.status ?? null,
        page.cursor && isId(page.cursor) ? page.cursor : null,
        page.limit,
      ],
    );
    return this.withRuns(scope, rows);
  }

  /** Ids of the datasources that clients know by these ids, in these datastores. */
  async idsByCustomId(
    scope: TenantScope,
    datastoreIds: readonly string[],
    customIds: readonly string[],
  ): Promise<string[]> {
    const rows = await this.dataSource.query<{ id: string }[]>(
      `SELECT id FROM datasources
        WHERE organization_id = $1 AND datastore_id = ANY($2) AND custom_id = ANY($3) AND deleted_at IS NULL`,
      [scope.organizationId, datastoreIds, customIds],
    );
    return rows.map((row) => row.id);
  }

  async update(
    scope: TenantScope,
    id: string,
    fields: Partial<Pick<DatasourceEntity, 'name' | 'customId' | 'config'>>,
  ): Promise<DatasourceView | null> {
    if (!isId(id)) return null;
    if (Object.keys(fields).length > 0) {
      await this.dataSource.query(
        `UPDATE datasources SET name = coalesce($3, name), updated_at = now(),
                custom_id = CASE WHEN $4 THEN $5 ELSE custom_id END, config = coalesce($6::jsonb, config)
          WHERE id = $1 AND organization_id = $2 AND deleted_at IS NULL`,
        [
          id,
          scope.organizationId,
          fields.name ?? null,
          fields.customId !== undefined,
          fields.customId ?? null,
          fields.config ? JSON.stringify(fields.config) : null,
        ],
      );
    }
    return this.find(scope, id);
  }

  /** Starts a run, or joins the one under way. Null when there is no such datasource. */
  async sync(scope: TenantScope, id: string, trigger: RunTrigger = 'sync'): Promise<DatasourceView | null> {
    if (!isId(id)) return null;
    await this.dataSource.transaction(async (manager) => {
      const datasource = await this.lock(manager, scope, id);
      if (!datasource || (await hasRunUnderWay(manager, scope, id))) return;
      await startRun(manager, datasource, trigger);
      await wakeDispatcher(manager);
    });
    return this.find(scope, id);
  }

  /**
   * Replaces the content of a file or text and brings it up to date. A run under way is ended: what it reads
   * is no longer wanted.
   */
  async replaceContent(
    scope: TenantScope,
    id: string,
    content: { key: string; mimeType: string; name?: string; metadata?: Record<string, unknown> | null },
  ): Promise<DatasourceView | null> {
    await this.dataSource.transaction(async (manager) => {
      const datasource = await this.lock(manager, scope, id);
      if (!datasource) return;
      await manager.query(
        `UPDATE runs SET state = 'cancelled', finished_at = now(), lease_owner = NULL, lease_until = NULL
          WHERE datasource_id = $1 AND organization_id = $2 AND state IN ('pending', 'queued', 'active')`,
        [id, scope.organizationId],
      );
      await manager.query(
        `UPDATE datasources SET content_key = $2, mime_type = $3, name = coalesce($4, name), updated_at = now(),
                metadata = CASE WHEN $5 THEN $6::jsonb ELSE metadata END
          WHERE id = $1`,
        [
          id,
          content.key,
          content.mimeType,
          content.name ?? null,
          content.metadata !== undefined,
          content.metadata ? JSON.stringify(content.metadata) : null,
        ],
      );
      await commitBlob(manager, content.key);
      const changed = await this.lock(manager, scope, id);
      if (changed) await startRun(manager, changed, 'update');
      await wakeDispatcher(manager);
    });
    return this.find(scope, id);
  }

  /** Hides it at once, with the pages of a site, ends their leases and has the rest purged. */
  async markDeleted(scope: TenantScope, id: string): Promise<DatasourceView | null> {
    const view = await this.find(scope, id);
    if (!view) return null;
    await this.dataSource.transaction(async (manager) => {
      await deleteDatasources(manager, scope.organizationId, `(id = $2 OR group_id = $2)`, [id]);
      await wakeDispatcher(manager);
    });
    return view;
  }

  /** Newest first. */
  async runs(scope: TenantScope, datasourceId: string, page: Page): Promise<RunEntity[]> {
    const rows = await this.dataSource.query<Record<string, unknown>[]>(
      `SELECT * FROM runs WHERE organization_id = $1 AND datasource_id = $2 AND ($3::uuid IS NULL OR id < $3)
        ORDER BY id DESC LIMIT $4`,
      [scope.organizationId, datasourceId, page.cursor && isId(page.cursor) ? page.cursor : null, page.limit],
    );
    return hydrate(this.dataSource, RunEntity, rows);
  }

  private async lock(
    manager: EntityManager,
    scope: TenantScope,
    id: string,
  ): Promise<DatasourceEntity | null> {
    const rows = await manager.query<Record<string, unknown>[]>(
      `SELECT * FROM datasources WHERE id = $1 AND organization_id = $2 AND deleted_at IS NULL FOR UPDATE`,
      [id, scope.organizationId],
    );
    return hydrate(this.dataSource, DatasourceEntity, rows)[0] ?? null;
  }

  private async withRuns(scope: TenantScope, rows: Record<string, unknown>[]): Promise<DatasourceView[]> {
    const datasources = hydrate(this.dataSource, DatasourceEntity, rows);
    if (datasources.length === 0) return [];
    const runRows = await this.dataSource.query<Record<string, unknown>[]>(
      `SELECT r.* FROM runs r WHERE r.organization_id = $1
          AND (r.id = ANY($3) OR (r.datasource_id = ANY($2) AND r.state IN ('pending', 'queued', 'active')))`,
      [
        scope.organizationId,
        datasources.map((datasource) => datasource.id),
        datasources.map((datasource) => datasource.servingRunId).filter((id) => id !== null),
      ],
    );
    const runs = hydrate(this.dataSource, RunEntity, runRows);
    return datasources.map((datasource) => ({
      datasource,
      serving: runs.find((run) => run.id === datasource.servingRunId) ?? null,
      current: runs.find((run) => run.datasourceId === datasource.id && run.finishedAt === null) ?? null,
    }));
  }
}

/** Where a datasource's run begins. */
function firstStage(type: DatasourceType): Stage {
  switch (type) {
    case 'web_site':
      return 'discovering';
    case 'web_page':
      return 'fetching';
    case 'file':
    case 'text':
      return 'parsing';
  }
}

async function startRun(
  manager: EntityManager,
  datasource: DatasourceEntity,
  trigger: RunTrigger,
): Promise<void> {
  await manager.insert(RunEntity, {
    id: newId(),
    organizationId: datasource.organizationId,
    datasourceId: datasource.id,
    trigger,
    stage: firstStage(datasource.type),
    contentKey: datasource.contentKey,
    contentType: datasource.mimeType,
    contentName: datasource.name,
  });
}

async function hasRunUnderWay(
  manager: EntityManager,
  scope: TenantScope,
  datasourceId: string,
): Promise<boolean> {
  const rows = await manager.query<unknown[]>(
    `SELECT 1 FROM runs WHERE organization_id = $1 AND datasource_id = $2 AND state IN ('pending', 'queued', 'active')`,
    [scope.organizationId, datasourceId],
  );
  return rows.length > 0;
}

async function commitBlob(manager: EntityManager, key: string): Promise<void> {
  await manager.update(BlobEntity, { key }, { committed: true });
}

/**
 * Marks datasources as deleted: they vanish from queries with this transaction, their runs end, their
 * characters no longer count, and a purge for each takes the rest away.
 *
 * @param where a condition on `datasources`; its parameters start at `$2`
 * @returns how many there were
 */
export async function deleteDatasources(
  manager: EntityManager,
  organizationId: string,
  where: string,
  parameters: readonly unknown[],
): Promise<number> {
  const [deleted] = await manager.query<[{ id: string; serving_run_id: string | null }[], number]>(
    `UPDATE datasources SET deleted_at = now() WHERE organization_id = $1 AND deleted_at IS NULL AND ${where}
     RETURNING id, serving_run_id`,
    [organizationId, ...parameters],
  );
  const ids = deleted.map((row) => row.id);
  await manager.query(
    `UPDATE runs SET state = 'cancelled', finished_at = now(), lease_owner = NULL, lease_until = NULL
      WHERE organization_id = $1 AND datasource_id = ANY($2) AND state IN ('pending', 'queued', 'active')`,
    [organizationId, ids],
  );
  await manager.query(
    `UPDATE organizations SET stored_characters = greatest(0, stored_characters - (
        SELECT coalesce(sum(characters), 0) FROM runs WHERE id = ANY($2))) WHERE id = $1`,
    [organizationId, deleted.map((row) => row.serving_run_id).filter((id) => id !== null)],
  );
  await manager.insert(
    PurgeEntity,
    ids.map((targetId) => ({ id: newId(), organizationId, kind: 'datasource' as const, targetId })),
  );
  return ids.length;
}
