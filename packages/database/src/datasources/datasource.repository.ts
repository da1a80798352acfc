import type { DatasourceStatus, DatasourceType, Stage } from '@citewell/contracts/http';
import type { DataSource, EntityManager } from 'typeorm';
import { DatasourceEntity } from './datasource.entity.js';
import { RunEntity, type RunTrigger } from '../runs/run.entity.js';
import { hydrate, hydrateOne } from '../connection/hydrate.js';
import { isId, newId } from '../connection/new-id.js';
import { TenantScope } from '../connection/tenant-scope.js';
import { deleteDatasources } from './delete-datasources.js';
import { keepBlobs, type WrittenBlob } from '../blobs/blob.repository.js';
import { announceRun } from '../runs/dispatch-channels.js';
import { DUE_SYNCS } from './due-syncs.js';
import { lockDatasource } from './lock-datasource.js';
import type { Page } from '../connection/page.js';
import { endRuns, requestPurges, UNDER_WAY, UNDER_WAY_STATES } from '../runs/under-way.js';

/** A datasource with the runs that its wire shape tells of. */
export interface DatasourceView {
  datasource: DatasourceEntity;
  /** The run that answers queries. */
  serving: RunEntity | null;
  /** The run under way, if there is one. */
  current: RunEntity | null;
  /** Of a web site whose run is under way: its pages whose runs are. */
  pagesUnderWay: number;
  /** Where a run begins that is due and has not been started; null where one is under way, or none is due. */
  dueStage: Stage | null;
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
  /** Its bytes, which are in the blob store and from now on belong to it. */
  content: WrittenBlob | null;
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
    return this.dataSource.transaction(async (manager) => {
      for (const [index, { content, ...item }] of items.entries()) {
        const rows = await manager.query<Record<string, unknown>[]>(
          `INSERT INTO datasources (id, organization_id, datastore_id, type, name, custom_id, config, metadata, mime_type,
                                    content_key, next_sync_at)
           VALUES ($1, $2, $3, $4, $5, $6, $7::jsonb, $8::jsonb, $9, $10, $11) RETURNING *`,
          [
            ids[index],
            scope.organizationId,
            item.datastoreId,
            item.type,
            item.name,
            item.customId,
            JSON.stringify(item.config),
            item.metadata === null ? null : JSON.stringify(item.metadata),
            item.mimeType,
            content?.key ?? null,
            item.nextSyncAt ?? null,
          ],
        );
        if (content) await keepBlobs(manager, scope.organizationId, [content]);
        for (const made of hydrate(this.dataSource, DatasourceEntity, rows))
          await startRun(manager, made, 'create');
      }
      await announceRun(manager);
      // As they are made: after the commit, a worker may have taken them.
      return this.views(
        `SELECT datasources.* FROM unnest($1::uuid[]) WITH ORDINALITY AS made (made_id, place)
           JOIN datasources ON id = made_id
          WHERE organization_id = $2 AND ${EXISTS} ORDER BY place`,
        [ids, scope.organizationId],
        manager,
      );
    });
  }

  async find(scope: TenantScope, id: string): Promise<DatasourceView | null> {
    if (!isId(id)) return null;
    const [view] = await this.views(
      `SELECT * FROM datasources WHERE id = $1 AND organization_id = $2 AND ${EXISTS}`,
      [id, scope.organizationId],
    );
    return view ?? null;
  }

  async list(scope: TenantScope, filter: DatasourceFilter, page: Page): Promise<DatasourceView[]> {
    const ids = [filter.datastoreId, filter.groupId].filter((id) => id !== undefined);
    if (!ids.every(isId)) return [];
    return this.views(
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
    fields: Partial<Pick<DatasourceEntity, 'name' | 'customId' | 'config' | 'nextSyncAt' | 'syncAsked'>>,
  ): Promise<DatasourceView | null> {
    if (!isId(id)) return null;
    if (Object.keys(fields).length > 0) {
      await this.dataSource.query(
        `UPDATE datasources SET name = coalesce($3, name), updated_at = now(),
                custom_id = CASE WHEN $4 THEN $5 ELSE custom_id END, config = coalesce($6::jsonb, config),
                next_sync_at = CASE WHEN $7 THEN $8 ELSE next_sync_at END, sync_asked = coalesce($9, sync_asked)
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
          fields.syncAsked ?? null,
        ],
      );
    }
    return this.find(scope, id);
  }

  /**
   * Starts a run, or joins the one under way; where that has begun, another one follows, see
   * {@link DatasourceRepository.syncOnceMore}. Null when there is no such datasource.
   */
  async sync(scope: TenantScope, id: string, trigger: RunTrigger = 'sync'): Promise<DatasourceView | null> {
    if (!isId(id)) return null;
    await this.dataSource.transaction(async (manager) => {
      const datasource = await this.lock(manager, scope, id);
      if (!datasource) return;
      if (await hasRunUnderWay(manager, scope, id)) return this.syncOnceMore(scope, id, manager);
      await startRun(manager, datasource, trigger);
      await announceRun(manager);
    });
    return this.find(scope, id);
  }

  /**
   * What a web datasource is, or is configured to, has changed: where a run of it has begun, which may have been there
   * already, another one is due when that has ended.
   */
  async syncOnceMore(scope: TenantScope, id: string, manager = this.dataSource.manager): Promise<void> {
    await manager.query(
      `UPDATE datasources SET sync_asked = true
        WHERE id = $1 AND organization_id = $2 AND type IN ('web_page', 'web_site') AND EXISTS (
          SELECT 1 FROM runs WHERE datasource_id = $1 AND started_at IS NOT NULL AND ${UNDER_WAY})`,
      [id, scope.organizationId],
    );
  }

  /**
   * Datasources whose time has come, or of which that was asked during a run that has ended, and what they are
   * configured to.
   */
  async dueForSync(
    limit: number,
  ): Promise<{ organizationId: string; id: string; config: Record<string, unknown> }[]> {
    return this.dataSource.query(
      `SELECT organization_id AS "organizationId", id, config FROM datasources
        WHERE ${EXISTS} AND id IN (${DUE_SYNCS})
        ORDER BY next_sync_at LIMIT $1`,
      [limit],
    );
  }

  /**
   * Starts the run that is due, and notes when the next one is. A time that comes while a run is under way passes.
   *
   * @param nextSyncAt of its schedule; null for never
   */
  async syncDue(scope: TenantScope, id: string, nextSyncAt: Date | null): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      const datasource = await this.lock(manager, scope, id);
      if (!datasource) return;
      const isUnderWay = await hasRunUnderWay(manager, scope, id);
      const [, due] = await manager.query<[unknown[], number]>(
        `UPDATE datasources SET sync_asked = sync_asked AND $3,
                next_sync_at = CASE WHEN next_sync_at <= now() THEN $2 ELSE next_sync_at END
          WHERE id = $1 AND (sync_asked OR next_sync_at <= now())`,
        [id, nextSyncAt, isUnderWay],
      );
      if (due === 0 || isUnderWay) return;
      await startRun(manager, datasource, datasource.syncAsked ? 'sync' : 'schedule');
      await announceRun(manager);
    });
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
                             AND (u.state IN ${UNDER_WAY_STATES} OR (u.trigger = 'reindex' AND u.state = 'failed' AND u.created_at > now() - interval '1 hour')))
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
    content: WrittenBlob & { mimeType: string; name?: string; metadata?: Record<string, unknown> | null },
  ): Promise<DatasourceView | null> {
    if (!isId(id)) return null;
    await this.dataSource.transaction(async (manager) => {
      const datasource = await this.lock(manager, scope, id);
      if (!datasource) return;
      await endRuns(manager, scope.organizationId, [id]);
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
      await keepBlobs(manager, scope.organizationId, [content]);
      const changed = await this.lock(manager, scope, id);
      if (changed) await startRun(manager, changed, 'update');
      // Takes what the ended run has written, and bytes that neither serve nor are read any more.
      await requestPurges(manager, scope.organizationId, 'runs', [id]);
      await announceRun(manager);
    });
    return this.find(scope, id);
  }

  /** Hides it at once, with the pages of a site, ends their leases and has the rest purged. */
  async markDeleted(scope: TenantScope, id: string): Promise<DatasourceView | null> {
    const view = await this.find(scope, id);
    if (!view) return null;
    await this.dataSource.transaction(async (manager) => {
      // First and alone: a crawl that is about to add pages has done so when this is ours, or will find it deleted.
      await lockDatasource(manager, id);
      await deleteDatasources(manager, scope.organizationId, `(id = $2 OR group_id = $2)`, [id]);
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
    return hydrateOne(this.dataSource, DatasourceEntity, rows[0]);
  }

  /**
   * Datasources and their runs, in one statement: between two, a status and its run would contradict each other. Pages
   * are counted of sites whose crawl is under way; for others nobody asks.
   *
   * @param select columns of `datasources`; its order is kept
   */
  private async views(
    select: string,
    parameters: readonly unknown[],
    manager: EntityManager = this.dataSource.manager,
  ): Promise<DatasourceView[]> {
    const rows = await manager.query<ViewRow[]>(
      `SELECT d.*, to_jsonb(serving) AS serving_run, to_jsonb(current) AS current_run,
              CASE WHEN current.stage = 'discovering'
                   THEN (SELECT count(*)::int FROM runs WHERE group_id = d.id AND ${UNDER_WAY}) ELSE 0 END AS pages_under_way,
              current.id IS NULL AND (d.sync_asked OR d.next_sync_at <= now()) AS is_due
         FROM (SELECT *, row_number() OVER () AS place FROM (${select}) selected) d
         LEFT JOIN runs serving ON serving.id = d.serving_run_id
         LEFT JOIN (SELECT * FROM runs WHERE ${UNDER_WAY}) current ON current.datasource_id = d.id
        ORDER BY d.place`,
      [...parameters],
    );
    const datasources = hydrate(this.dataSource, DatasourceEntity, rows);
    return datasources.map((datasource, index) => {
      const row = rows[index];
      return {
        datasource,
        serving: hydrateOne(this.dataSource, RunEntity, row?.serving_run),
        current: hydrateOne(this.dataSource, RunEntity, row?.current_run),
        pagesUnderWay: row?.pages_under_way ?? 0,
        dueStage: row?.is_due ? firstStage(datasource.type) : null,
      };
    });
  }
}

/** A datasource's columns, and its runs as JSON. */
interface ViewRow extends Record<string, unknown> {
  serving_run: Record<string, unknown> | null;
  current_run: Record<string, unknown> | null;
  pages_under_way: number;
  /** Null without a time. */
  is_due: boolean | null;
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
  // From here on it waits for a worker: who polls for `synched` after a change must not see the old one's.
  if (trigger !== 'reindex' && trigger !== 'create') {
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
    `SELECT 1 FROM runs WHERE organization_id = $1 AND datasource_id = $2 AND ${UNDER_WAY}`,
    [scope.organizationId, datasourceId],
  );
  return rows.length > 0;
}
