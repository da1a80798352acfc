import type { DatasourceType } from '@citewell/contracts/http';
import type { EntityManager } from 'typeorm';
import { commitBlobs, type WrittenBlob } from '../blobs/blob.repository.js';
import { valuesOf } from '../connection/columns.js';
import { hydrate } from '../connection/hydrate.js';
import { newId } from '../connection/new-id.js';
import { execute, queryRow, queryRows, sql } from '../connection/sql.js';
import { requestPurges } from '../purging/request-purges.js';
import { announceRun } from '../runs/dispatch-channels.js';
import { endRuns } from '../runs/end-runs.js';
import { startRun } from '../runs/start-run.js';
import { DatasourceEntity } from './datasource.entity.js';
import { hasUnfinishedRun, syncAfterCurrentRun } from './requested-sync.js';

// Each function works in a transaction of the caller.

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
  /** Its bytes, which are in the blob store and belong to the datasource from now on. */
  content: WrittenBlob | null;
  nextSyncAt?: Date | null;
}

/** The content of a file or text, and what changes with it. */
export type NewContent = WrittenBlob & {
  mimeType: string | null;
  name?: string;
  metadata?: Record<string, unknown> | null;
};

/** What an upsert did; or why it did nothing. */
export type UpsertResult =
  | { outcome: 'created' | 'replaced' | 'unchanged'; id: string }
  | { outcome: 'several' | 'other-type'; id: null };

/** Inserts a datasource with its first run, which the caller announces. @returns its id */
export async function insertDatasource(
  manager: EntityManager,
  organizationId: string,
  { id = newId(), content, ...fields }: NewDatasource,
): Promise<string> {
  const datasource = manager.create(DatasourceEntity, {
    ...fields,
    id,
    organizationId,
    contentKey: content?.key ?? null,
  });
  await manager.insert(DatasourceEntity, valuesOf(datasource));
  if (content) await commitBlobs(manager, organizationId, [content]);
  await startRun(manager, datasource, 'create');
  return id;
}

/**
 * Replaces the content of a file or text, and starts a run. An unfinished run ends, as it reads the old content. What
 * serves goes on until the run succeeds, also where an archive becomes another file, or the reverse. The caller holds the
 * lock of the datasource.
 */
export async function replaceContent(
  manager: EntityManager,
  datasource: DatasourceEntity,
  { key, bytes, sha256, mimeType, name, metadata }: NewContent,
): Promise<void> {
  const { id, organizationId } = datasource;
  await endRuns(manager, organizationId, [id]);
  const changes = valuesOf<DatasourceEntity>({ contentKey: key, mimeType, name, metadata });
  await manager.createQueryBuilder().update(DatasourceEntity).set(changes).where({ id }).execute();
  await commitBlobs(manager, organizationId, [{ key, bytes, sha256 }]);
  // An upload is announced before its datasource is known.
  await execute(manager, sql`UPDATE blobs SET datasource_id = ${id} WHERE key = ${key}`);
  await startRun(manager, await manager.findOneByOrFail(DatasourceEntity, { id }), 'update');
  // Removes what the ended run has written, and bytes that are neither served nor read any more.
  await requestPurges(manager, organizationId, 'runs', [id]);
  await announceRun(manager);
}

/**
 * Creates a datasource, or replaces the one of the datastore that has its custom id: the content of a file or text,
 * unless the bytes are equal, and the configuration of a web datasource, which is synced. The pages of a web site and
 * the files of an archive belong to their group and are not replaced.
 */
export async function upsertDatasource(
  manager: EntityManager,
  organizationId: string,
  item: NewDatasource & { customId: string },
): Promise<UpsertResult> {
  const { datastoreId, customId } = item;
  // Of two requests at the same time, the second one finds what the first one has created.
  const name = `${organizationId}/${datastoreId}/${customId}`;
  await queryRow(manager, sql`SELECT pg_advisory_xact_lock(hashtextextended(${name}, 0))`);
  const rows = await queryRows<Record<string, unknown>>(
    manager,
    sql`SELECT * FROM datasources
         WHERE organization_id = ${organizationId} AND datastore_id = ${datastoreId} AND custom_id = ${customId}
           AND group_id IS NULL AND deleted_at IS NULL
         ORDER BY id LIMIT 2 FOR UPDATE`,
  );
  const [datasource, second] = hydrate(manager.dataSource, DatasourceEntity, rows);
  if (!datasource) {
    const id = await insertDatasource(manager, organizationId, item);
    await announceRun(manager);
    return { outcome: 'created', id };
  }
  if (second) return { outcome: 'several', id: null };
  if (datasource.type !== item.type) return { outcome: 'other-type', id: null };
  const { id } = datasource;
  if (item.content === null) {
    await updateFromWeb(manager, datasource, item);
    return { outcome: 'replaced', id };
  }
  const { name: newName, metadata, mimeType, content } = item;
  if (await isUpToDate(manager, datasource, item)) {
    await manager.update(DatasourceEntity, { id }, valuesOf<DatasourceEntity>({ name: newName, metadata }));
    return { outcome: 'unchanged', id };
  }
  await replaceContent(manager, datasource, { ...content, mimeType, name: newName, metadata });
  return { outcome: 'replaced', id };
}

/** Whether the datasource has this content, and it is indexed or will be. */
async function isUpToDate(
  manager: EntityManager,
  { id, contentKey, mimeType, error }: DatasourceEntity,
  item: NewDatasource,
): Promise<boolean> {
  const blob = await queryRow<{ sha256: string | null }>(
    manager,
    sql`SELECT sha256 FROM blobs WHERE key = ${contentKey}`,
  );
  if (blob?.sha256 !== item.content?.sha256 || mimeType !== item.mimeType) return false;
  return error === null || (await hasUnfinishedRun(manager, id));
}

async function updateFromWeb(
  manager: EntityManager,
  { id }: DatasourceEntity,
  { name, metadata, config, nextSyncAt = null }: NewDatasource,
): Promise<void> {
  const fields = valuesOf<DatasourceEntity>({ name, metadata, config, nextSyncAt });
  await manager.update(DatasourceEntity, { id }, fields);
  if (await hasUnfinishedRun(manager, id)) return syncAfterCurrentRun(manager, id);
  await startRun(manager, await manager.findOneByOrFail(DatasourceEntity, { id }), 'sync');
  await announceRun(manager);
}
