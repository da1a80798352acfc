import type { EntityManager } from 'typeorm';
import { newId } from '../../connection/new-id.js';
import { execute, type Executor, hydrate, queryRow, queryRows, sql } from '../../connection/sql.js';
import { insertDatasources, updateDatasources } from '../../ingestion/runs/datasource-rows.js';
import { endRuns, requestPurges } from '../../ingestion/runs/out-of-service.js';
import { startRuns } from '../../ingestion/runs/start-run.js';
import { UNFINISHED } from '../../ingestion/runs/transitions.js';
import { DatasourceEntity } from '../../schema/content.entities.js';
import { commitBlobs } from '../blobs/blob.repository.js';
import {
  type ExistingDatasource,
  type NewContent,
  type NewDatasource,
  planWrite,
  roundsOf,
  type WritePlan,
  type WriteResult,
} from './upsert-plan.js';

// Each function works in a transaction of the caller, who announces the runs. The number of statements does not depend
// on the number of datasources.

interface Replacement {
  readonly datasource: DatasourceEntity;
  readonly content: NewContent;
}

interface WebUpdate {
  readonly existing: ExistingDatasource;
  readonly item: NewDatasource;
}

/**
 * Creates datasources, or replaces those with their custom ids, with their runs. Upserts are of one datastore.
 *
 * @returns results in the order of the items. Items with the same custom id are written one after the other
 */
export async function writeDatasources(
  manager: EntityManager,
  organizationId: string,
  items: readonly NewDatasource[],
): Promise<WriteResult[]> {
  await lockNames(manager, organizationId, items);
  const results = await findDuplicates(manager, organizationId, items);
  const written = items.filter((item) => !results.has(item));
  for (const round of roundsOf(written)) await writeRound(manager, organizationId, round, results);
  return items.map((item) => resultOf(results, item));
}

function resultOf(results: ReadonlyMap<NewDatasource, WriteResult>, item: NewDatasource): WriteResult {
  const result = results.get(item);
  if (result === undefined) throw new Error('An item was not written');
  return result;
}

/**
 * Replaces a file by an item, unless its bytes are equal and indexed. The caller holds the lock of the datasource.
 */
export async function replaceFile(
  manager: EntityManager,
  organizationId: string,
  datasource: DatasourceEntity,
  item: NewDatasource,
): Promise<WriteResult> {
  const results = new Map<NewDatasource, WriteResult>();
  const plan = planWrite({ ...item, isUpsert: true }, await withStates(manager, [datasource]));
  await executePlans(manager, organizationId, [{ item, plan }], results);
  return resultOf(results, item);
}

/**
 * Replaces the contents of files or texts, and starts runs. Unfinished runs end, as they read the old content. What
 * serves goes on until the run succeeds, also where an archive becomes another file, or the reverse. The caller holds the
 * locks of the datasources.
 */
export async function replaceContents(
  manager: EntityManager,
  organizationId: string,
  replacements: readonly Replacement[],
): Promise<void> {
  if (replacements.length === 0) return;
  const datasources = replacements.map(({ datasource }) => datasource);
  const ids = datasources.map(({ id }) => id);
  await endRuns(manager, organizationId, ids);
  await updateDatasources(
    manager,
    replacements.map(({ datasource, content }) => {
      const { key: contentKey, mimeType, name, metadata, config } = content;
      return {
        id: datasource.id,
        contentKey,
        mimeType,
        name,
        metadata,
        config: { ...datasource.config, ...config },
      };
    }),
  );
  await commitBlobs(
    manager,
    organizationId,
    replacements.map(({ content }) => content),
  );
  // An upload is announced before its datasource is known.
  await execute(
    manager,
    sql`UPDATE blobs SET datasource_id = d.id FROM datasources d
         WHERE d.id = ANY(${ids}::uuid[]) AND blobs.key = d.content_key`,
  );
  await startRuns(manager, datasources, 'update');
  // Removes what the ended runs have written, and bytes that are neither served nor read any more.
  await requestPurges(manager, organizationId, 'runs', ids);
}

/** Creates datasources, each with its first run. */
async function createDatasources(
  manager: EntityManager,
  organizationId: string,
  items: readonly (NewDatasource & { id: string })[],
): Promise<void> {
  if (items.length === 0) return;
  const rows = items.map(({ content, ...item }) => ({ ...item, organizationId, contentKey: content?.key }));
  await insertDatasources(manager, rows);
  await commitBlobs(
    manager,
    organizationId,
    items.flatMap(({ content }) => content ?? []),
  );
  await startRuns(manager, items, 'create');
}

/** Of two requests at the same time, the second one finds what the first one has created. */
async function lockNames(
  manager: EntityManager,
  organizationId: string,
  items: readonly NewDatasource[],
): Promise<void> {
  const names = items.flatMap((item) => {
    const { datastoreId, customId, name, content, isUpsert, refusesDuplicate } = item;
    const datastore = `${organizationId}/${datastoreId}`;
    return [
      ...(isUpsert ? [`${datastore}/${customId}`] : []),
      ...(refusesDuplicate ? [`${datastore}/name/${name}`, `${datastore}/sha256/${content?.sha256}`] : []),
    ];
  });
  if (names.length === 0) return;
  // In one order, so that two requests do not wait for each other.
  await queryRows(
    manager,
    sql`SELECT pg_advisory_xact_lock(key)
          FROM (SELECT DISTINCT hashtextextended(name, 0) AS key FROM unnest(${names}::text[]) AS name ORDER BY key) keys`,
  );
}

/** Writes items of which no two have the same custom id. */
async function writeRound(
  manager: EntityManager,
  organizationId: string,
  items: readonly NewDatasource[],
  results: Map<NewDatasource, WriteResult>,
): Promise<void> {
  const existing = await lockExisting(manager, organizationId, items);
  const planned = items.map((item) => ({
    item,
    plan: planWrite(item, existing.get(item.customId ?? '') ?? []),
  }));
  await executePlans(manager, organizationId, planned, results);
}

/** Does what was planned, and adds the results. */
async function executePlans(
  manager: EntityManager,
  organizationId: string,
  planned: readonly { item: NewDatasource; plan: WritePlan }[],
  results: Map<NewDatasource, WriteResult>,
): Promise<void> {
  const created: (NewDatasource & { id: string })[] = [];
  const replaced: Replacement[] = [];
  const renamed: Pick<DatasourceEntity, 'id' | 'name' | 'metadata'>[] = [];
  const synced: WebUpdate[] = [];
  for (const { item, plan } of planned) {
    switch (plan.action) {
      case 'create': {
        const { id = newId() } = item;
        created.push({ ...item, id });
        results.set(item, { ok: true, outcome: 'created', id });
        break;
      }
      case 'refuse':
        results.set(item, { ok: false, reason: plan.reason, id: null });
        break;
      case 'keep':
        renamed.push({ id: plan.existing.datasource.id, name: item.name, metadata: item.metadata });
        results.set(item, { ok: true, outcome: 'unchanged', id: plan.existing.datasource.id });
        break;
      case 'replace':
        replaced.push({ datasource: plan.existing.datasource, content: { ...item, ...plan.content } });
        results.set(item, { ok: true, outcome: 'replaced', id: plan.existing.datasource.id });
        break;
      case 'sync':
        synced.push({ existing: plan.existing, item });
        results.set(item, { ok: true, outcome: 'replaced', id: plan.existing.datasource.id });
        break;
    }
  }
  await createDatasources(manager, organizationId, created);
  await updateDatasources(manager, renamed);
  await replaceContents(manager, organizationId, replaced);
  await syncFromWeb(manager, synced);
}

/** Locks the datasources that upserts are about. @returns them by custom id, at most two for each */
async function lockExisting(
  manager: EntityManager,
  organizationId: string,
  items: readonly NewDatasource[],
): Promise<Map<string, ExistingDatasource[]>> {
  const upserts = items.filter(({ isUpsert }) => isUpsert);
  const [first] = upserts;
  if (first === undefined) return new Map();
  const customIds = upserts.map(({ customId }) => customId);
  const rows = await queryRows<Record<string, unknown>>(
    manager,
    sql`SELECT * FROM datasources
         WHERE id IN (
                 SELECT found.id FROM unnest(${customIds}::text[]) AS wanted (custom_id)
                  CROSS JOIN LATERAL (
                    SELECT id FROM datasources d
                     WHERE d.organization_id = ${organizationId} AND d.datastore_id = ${first.datastoreId}
                       AND d.custom_id = wanted.custom_id AND d.group_id IS NULL AND d.deleted_at IS NULL
                     ORDER BY id LIMIT 2) found)
           AND custom_id = ANY(${customIds}) AND deleted_at IS NULL
         ORDER BY id FOR UPDATE`,
  );
  const existing = await withStates(manager, hydrate(manager.dataSource, DatasourceEntity, rows));
  return Map.groupBy(existing, ({ datasource }) => datasource.customId ?? '');
}

/** Adds to datasources what tells whether they are up to date. Their locks are held, so that no run ends meanwhile. */
async function withStates(
  manager: EntityManager,
  datasources: readonly DatasourceEntity[],
): Promise<ExistingDatasource[]> {
  const states = await queryRows<Omit<ExistingDatasource, 'datasource'> & { id: string }>(
    manager,
    sql`SELECT d.id, b.sha256,
               EXISTS (SELECT 1 FROM runs WHERE datasource_id = d.id AND ${UNFINISHED}) AS "hasUnfinishedRun"
          FROM datasources d LEFT JOIN blobs b ON b.key = d.content_key
         WHERE d.id = ANY(${datasources.map(({ id }) => id)}::uuid[])`,
  );
  const stateOf = new Map(states.map((state) => [state.id, state]));
  return datasources.map((datasource) => {
    const { sha256 = null, hasUnfinishedRun = false } = stateOf.get(datasource.id) ?? {};
    return { datasource, sha256, hasUnfinishedRun };
  });
}

/** Changes web datasources and syncs them: at once, or after the unfinished run. */
async function syncFromWeb(manager: EntityManager, updates: readonly WebUpdate[]): Promise<void> {
  if (updates.length === 0) return;
  await updateDatasources(
    manager,
    updates.map(({ existing, item: { name, metadata, config, nextSyncAt = null, sealedSecrets } }) => ({
      id: existing.datasource.id,
      name,
      metadata,
      config,
      nextSyncAt,
      sealedSecrets,
    })),
  );
  const datasourcesWhere = (isBusy: boolean): DatasourceEntity[] =>
    updates
      .filter(({ existing }) => existing.hasUnfinishedRun === isBusy)
      .map(({ existing }) => existing.datasource);
  await syncAfterCurrentRun(
    manager,
    datasourcesWhere(true).map(({ id }) => id),
  );
  await startRuns(manager, datasourcesWhere(false), 'sync');
}

/**
 * The results of items that are not written because a file of their datastore has the same name or the same bytes. A file
 * with the same name is preferred, then one with the same bytes, then the newest.
 */
export async function findDuplicates(
  manager: EntityManager,
  organizationId: string,
  items: readonly NewDatasource[],
): Promise<Map<NewDatasource, WriteResult>> {
  const results = new Map<NewDatasource, WriteResult>();
  for (const item of items) {
    const { datastoreId, name, content, refusesDuplicate } = item;
    if (refusesDuplicate !== true || content === null) continue;
    const { sha256 } = content;
    const isFile = sql`d.organization_id = ${organizationId} AND d.datastore_id = ${datastoreId}
                       AND d.type = 'file' AND d.group_id IS NULL AND d.deleted_at IS NULL`;
    const row = await queryRow<{ id: string; isEqual: boolean }>(
      manager,
      sql`SELECT d.id, coalesce(b.sha256 = ${sha256}, false) AS "isEqual"
            FROM datasources d LEFT JOIN blobs b ON b.key = d.content_key
           WHERE d.id IN (
                   SELECT d.id FROM datasources d WHERE ${isFile} AND d.name = ${name}
                   UNION
                   SELECT d.id FROM blobs u JOIN datasources d ON d.id = u.datasource_id AND d.content_key = u.key
                    WHERE u.organization_id = ${organizationId} AND u.sha256 = ${sha256} AND u.run_id IS NULL
                      AND ${isFile})
           ORDER BY d.name = ${name} DESC, 2 DESC, d.id DESC
           LIMIT 1`,
    );
    if (row) results.set(item, { ok: false, reason: row.isEqual ? 'same-content' : 'same-name', id: row.id });
  }
  return results;
}

/** What a sync does beyond reading the source again. */
export interface SyncOptions {
  /** See `RunEntity.removeMissing`. */
  removeMissing?: boolean;
}

export async function hasUnfinishedRun(manager: Executor, datasourceId: string): Promise<boolean> {
  const run = await queryRow(
    manager,
    sql`SELECT 1 FROM runs WHERE datasource_id = ${datasourceId} AND ${UNFINISHED}`,
  );
  return run !== null;
}

/**
 * Requests another run of web datasources for when their unfinished runs have ended, if these have started: they may have
 * read the source before the change that the request is about. The caller holds the locks of the datasources.
 */
export async function syncAfterCurrentRun(
  manager: Executor,
  ids: readonly string[],
  { removeMissing = false }: SyncOptions = {},
): Promise<void> {
  await execute(
    manager,
    sql`UPDATE datasources SET requested_sync = ${
      removeMissing ? sql`'remove-missing'` : sql`coalesce(requested_sync, 'sync')`
    }
         WHERE id = ANY(${ids}::uuid[]) AND type IN ('web_page', 'web_site', 'source')
           AND EXISTS (SELECT 1 FROM runs
                        WHERE datasource_id = datasources.id AND started_at IS NOT NULL AND ${UNFINISHED})`,
  );
}
