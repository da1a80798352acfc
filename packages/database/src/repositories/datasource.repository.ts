import type { DatasourceStatus, DatasourceType, Stage } from '@citewell/contracts/http';
import type { DataSource, EntityManager } from 'typeorm';
import { BlobEntity } from '../entities/blob.entity.js';
import { DatasourceEntity } from '../entities/datasource.entity.js';
import { PurgeEntity } from '../entities/purge.entity.js';
import { RunEntity, type RunTrigger } from '../entities/run.entity.js';
import { hydrate } from '../hydrate.js';
import { isId, newId } from '../new-id.js';
import { TenantScope } from '../tenant-scope.js';
import { deleteDatasources } from './delete-datasources.js';
import type { Page } from './page.js';
import { announceRun, wakeDispatcher } from './run-dispatch.repository.js';

/** A datasource with the runs that its wire shape tells of. */
export interface DatasourceView {
  datasource: DatasourceEntity;
  /** The run that answers queries. */
  serving: RunEntity | null;
  /** The run under way, if there is one. */
  current: RunEntity | null;
  /** Of a web site whose run is under way: its pages whose runs are. */
  pagesUnderWay: number;
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
  nextSyncAt?: Date | null;
}

export interface DatasourceFilter {
  datastoreId?: string | undefined;
  groupId?: string | undefined;
  status?: DatasourceStatus | undefined;
}

/** Neither it nor the datastore it is in is deleted; what is in a deleted datastore is marked a little later. */
const EXISTS = `datasources.deleted_at IS NULL AND EXISTS (
  SELECT 1 FROM datastores WHERE datastores.id = datasources.datastore_id AND datastores.deleted_at IS NULL)`;

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
        if (item.contentKey) await commitBlob(manager, scope, item.contentKey);
        await startRun(manager, datasource, 'create');
      }
      await wakeDispatcher(manager);
    });
    const views = await Promise.all(ids.map((id) => this.find(scope, id)));
    return views.filter((view) => view !== null);
  }

  async find(scope: TenantScope, id: string): Promise<DatasourceView | null> {
    if (!isId(id)) return null;
    const [view] = await this.views(
      scope,
      `SELECT * FROM datasources WHERE id = $1 AND organization_id = $2 AND ${EXISTS}`,
      [id, scope.organizationId],
    );
    return view ?? null;
  }

  async list(scope: TenantScope, filter: DatasourceFilter, page: Page): Promise<DatasourceView[]> {
    const ids = [filter.datastoreId, filter.groupId].filter((id) => id !== undefined);
    if (!ids.every(isId)) return [];
    return this.views(
      scope,
      `SELECT * FROM datasources
        WHERE organization_id = $1 AND ${EXISTS}
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
  }

  /** Ids of the datasources that clients know by these ids, in these datastores. */
  async idsByCustomId(
    scope: TenantScope,
    datastoreIds: readonly string[],
    customIds: readonly string[],
  ): Promise<string[]> {
    const rows = await this.dataSource.query<{ id: string }[]>(
      `SELECT id FROM datasources
        WHERE organization_id = $1 AND datastore_id = ANY($2) AND custom_id = ANY($3) AND ${EXISTS}`,
      [scope.organizationId, datastoreIds, customIds],
    );
    return rows.map((row) => row.id);
  }

  async update(
    scope: TenantScope,
    id: string,
    fields: Partial<Pick<DatasourceEntity, 'name' | 'customId' | 'config' | 'nextSyncAt'>>,
  ): Promise<DatasourceView | null> {
    if (!isId(id)) return null;
    if (Object.keys(fields).length > 0) {
      await this.dataSource.query(
        `UPDATE datasources SET name = coalesce($3, name), updated_at = now(),
                custom_id = CASE WHEN $4 THEN $5 ELSE custom_id END, config = coalesce($6::jsonb, config),
                next_sync_at = CASE WHEN $7 THEN $8 ELSE next_sync_at END
          WHERE id = $1 AND organization_id = $2 AND ${EXISTS}`,
        [
          id,
          scope.organizationId,
          fields.name ?? null,
          fields.customId !== undefined,
          fields.customId ?? null,
          fields.config ? JSON.stringify(fields.config) : null,
          fields.nextSyncAt !== undefined,
          fields.nextSyncAt ?? null,
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

  /** Datasources whose time has come, and what they are configured to. The longest due first. */
  async dueForSync(
    limit: number,
  ): Promise<{ organizationId: string; id: string; config: Record<string, unknown> }[]> {
    return this.dataSource.query(
      `SELECT organization_id AS "organizationId", id, config FROM datasources
        WHERE next_sync_at <= now() AND ${EXISTS} ORDER BY next_sync_at LIMIT $1`,
      [limit],
    );
  }

  /**
   * Starts a run for datasources that serve from another space than the current one: their stored texts are
   * indexed anew, and each switches by itself.
   *
   * @returns how many were started
   */
  async reindexOutdated(space: string, limit: number): Promise<number> {
    const rows = await this.dataSource.query<{ id: string; organization_id: string }[]>(
      `SELECT d.id, d.organization_id FROM datastores s
         JOIN datasources d ON d.datastore_id = s.id AND d.organization_id = s.organization_id
         JOIN runs r ON r.id = d.serving_run_id
        WHERE s.deleted_at IS NULL AND NOT s.spaces <@ ARRAY[$1]::text[]
          AND d.deleted_at IS NULL AND r.space <> $1
          AND NOT EXISTS (SELECT 1 FROM runs u WHERE u.datasource_id = d.id
                             AND (u.state IN ('pending', 'queued', 'active') OR (u.trigger = 'reindex' AND u.state = 'failed' AND u.created_at > now() - interval '1 hour')))
        ORDER BY d.id LIMIT $2`,
      [space, limit],
    );
    for (const row of rows) await this.sync(new TenantScope(row.organization_id), row.id, 'reindex');
    if (rows.length === 0) await this.forgetSpaces(space);
    return rows.length;
  }

  /** Spaces that no serving run of a datastore is in any more need not be searched. */
  private async forgetSpaces(current: string): Promise<void> {
    await this.dataSource.query(
      `UPDATE datastores s SET spaces = ARRAY[$1]::text[]
        WHERE NOT s.spaces <@ ARRAY[$1]::text[] AND NOT EXISTS (
          SELECT 1 FROM datasources d JOIN runs r ON r.id = d.serving_run_id
           WHERE d.datastore_id = s.id AND d.deleted_at IS NULL AND r.space <> $1)`,
      [current],
    );
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
    if (!isId(id)) return null;
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
      await commitBlob(manager, scope, content.key);
      const changed = await this.lock(manager, scope, id);
      if (changed) await startRun(manager, changed, 'update');
      // Takes what the ended run has written, and bytes that neither serve nor are read any more.
      await manager.insert(PurgeEntity, {
        id: newId(),
        organizationId: scope.organizationId,
        kind: 'runs',
        targetId: id,
      });
      await wakeDispatcher(manager);
    });
    return this.find(scope, id);
  }

  /** Hides it at once, with the pages of a site, ends their leases and has the rest purged. */
  async markDeleted(scope: TenantScope, id: string): Promise<DatasourceView | null> {
    const view = await this.find(scope, id);
    if (!view) return null;
    await this.dataSource.transaction(async (manager) => {
      // First and alone: a crawl that is about to add pages has done so when this is ours, or will find it deleted.
      await manager.query('SELECT 1 FROM datasources WHERE id = $1 FOR UPDATE', [id]);
      await deleteDatasources(manager, scope.organizationId, `(id = $2 OR group_id = $2)`, [id]);
      await wakeDispatcher(manager);
    });
    return view;
  }

  /** Newest first. */
  async runs(scope: TenantScope, datasourceId: string, page: Page): Promise<RunEntity[]> {
    if (!isId(datasourceId)) return [];
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
      `SELECT * FROM datasources WHERE id = $1 AND organization_id = $2 AND ${EXISTS} FOR UPDATE`,
      [id, scope.organizationId],
    );
    return hydrate(this.dataSource, DatasourceEntity, rows)[0] ?? null;
  }

  /** Datasources and their runs as of one moment: between two, a status and its run would contradict each other. */
  private async views(
    scope: TenantScope,
    select: string,
    parameters: readonly unknown[],
  ): Promise<DatasourceView[]> {
    return this.dataSource.transaction('REPEATABLE READ', async (manager) => {
      const rows = await manager.query<Record<string, unknown>[]>(select, [...parameters]);
      return this.withRuns(manager, scope, rows);
    });
  }

  private async withRuns(
    manager: EntityManager,
    scope: TenantScope,
    rows: Record<string, unknown>[],
  ): Promise<DatasourceView[]> {
    const datasources = hydrate(this.dataSource, DatasourceEntity, rows);
    if (datasources.length === 0) return [];
    const runRows = await manager.query<Record<string, unknown>[]>(
      `SELECT r.* FROM runs r WHERE r.organization_id = $1
          AND (r.id = ANY($3) OR (r.datasource_id = ANY($2) AND r.state IN ('pending', 'queued', 'active')))`,
      [
        scope.organizationId,
        datasources.map((datasource) => datasource.id),
        datasources.map((datasource) => datasource.servingRunId).filter((id) => id !== null),
      ],
    );
    const runs = hydrate(this.dataSource, RunEntity, runRows);
    const underWay = await countPagesUnderWay(manager, runs);
    return datasources.map((datasource) => ({
      datasource,
      serving: runs.find((run) => run.id === datasource.servingRunId) ?? null,
      current: runs.find((run) => run.datasourceId === datasource.id && run.finishedAt === null) ?? null,
      pagesUnderWay: underWay.get(datasource.id) ?? 0,
    }));
  }
}

/** Of sites whose crawl is under way; for others nobody asks. */
async function countPagesUnderWay(
  manager: EntityManager,
  runs: readonly RunEntity[],
): Promise<Map<string, number>> {
  const sites = runs.filter((run) => run.stage === 'discovering' && run.finishedAt === null);
  if (sites.length === 0) return new Map();
  const rows = await manager.query<{ site: string; pages: number }[]>(
    `SELECT group_id AS site, count(*)::int AS pages FROM runs
      WHERE group_id = ANY($1) AND state IN ('pending', 'queued', 'active') GROUP BY group_id`,
    [sites.map((run) => run.datasourceId)],
  );
  return new Map(rows.map(({ site, pages }) => [site, pages]));
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
  const serving =
    trigger === 'reindex' && datasource.servingRunId
      ? await manager.findOneBy(RunEntity, { id: datasource.servingRunId })
      : null;
  await manager.insert(RunEntity, {
    id: newId(),
    organizationId: datasource.organizationId,
    datasourceId: datasource.id,
    groupId: datasource.groupId,
    trigger,
    ...(serving ? contentOf(serving) : firstContentOf(datasource)),
  });
  await announceRun(manager);
  // From here on it waits for a worker: who polls for `synched` after a change must not see the old one's.
  if (trigger !== 'reindex') {
    await manager.query(`UPDATE datasources SET status = 'unsynched' WHERE id = $1`, [datasource.id]);
  }
}

/** Where a run begins that brings its datasource up to date from its source. */
function firstContentOf(datasource: DatasourceEntity) {
  return {
    stage: firstStage(datasource.type),
    contentKey: datasource.contentKey,
    contentType: datasource.mimeType,
    contentName: datasource.name,
  };
}

/** What a run goes on from that only indexes anew what a serving run has parsed. */
function contentOf(serving: RunEntity) {
  const { contentKey, contentType, contentName, validators } = serving;
  const { fingerprint, textHash, characters, counts } = serving;
  return {
    stage: 'indexing' as const,
    contentKey,
    contentType,
    contentName,
    validators,
    fingerprint,
    textHash,
    characters,
    counts,
  };
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

async function commitBlob(
  manager: EntityManager,
  { organizationId }: TenantScope,
  key: string,
): Promise<void> {
  await manager.update(BlobEntity, { key, organizationId }, { committed: true });
}
