import type { EntityManager } from 'typeorm';
import { commitBlobs } from '../blobs/blob.repository.js';
import { hydrate } from '../connection/hydrate.js';
import { newId } from '../connection/new-id.js';
import { execute, queryRows, sql } from '../connection/sql.js';
import { requestPurges } from '../purging/request-purges.js';
import { endRuns } from '../runs/end-runs.js';
import { startRuns } from '../runs/start-run.js';
import { UNFINISHED } from '../runs/unfinished.js';
import { DatasourceEntity } from './datasource.entity.js';
import { findDuplicates } from './find-duplicates.js';
import type { NewContent, NewDatasource, WriteResult } from './new-datasource.js';
import { syncAfterCurrentRun } from './requested-sync.js';
import { type ExistingDatasource, planWrite, roundsOf, type WritePlan } from './upsert-plan.js';

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
  const column = <Value>(value: (item: NewContent, datasource: DatasourceEntity) => Value): Value[] =>
    replacements.map(({ content, datasource }) => value(content, datasource));
  await endRuns(manager, organizationId, ids);
  await execute(
    manager,
    sql`UPDATE datasources d
           SET content_key = new.content_key, mime_type = new.mime_type, name = new.name, metadata = new.metadata,
               config = new.config, updated_at = now()
          FROM unnest(
                 ${ids}::uuid[],
                 ${column(({ key }) => key)}::text[],
                 ${column(({ mimeType }) => mimeType)}::text[],
                 ${column(({ name }, old) => name ?? old.name)}::text[],
                 ${column(({ metadata }, old) => json(metadata === undefined ? old.metadata : metadata))}::jsonb[],
                 ${column(({ config }, old) => json({ ...old.config, ...config }))}::jsonb[]
               ) AS new (id, content_key, mime_type, name, metadata, config)
         WHERE d.id = new.id`,
  );
  await commitBlobs(
    manager,
    organizationId,
    column(({ key, bytes, sha256 }) => ({ key, bytes, sha256 })),
  );
  // An upload is announced before its datasource is known.
  await execute(
    manager,
    sql`UPDATE blobs SET datasource_id = new.datasource_id
          FROM unnest(${column(({ key }) => key)}::text[], ${ids}::uuid[]) AS new (key, datasource_id)
         WHERE blobs.key = new.key`,
  );
  await startRuns(manager, datasources, 'update');
  // Removes what the ended runs have written, and bytes that are neither served nor read any more.
  await requestPurges(manager, organizationId, 'runs', ids);
}

/** Inserts datasources, each with its first run. */
async function insertDatasources(
  manager: EntityManager,
  organizationId: string,
  items: readonly (NewDatasource & { id: string })[],
): Promise<void> {
  if (items.length === 0) return;
  const column = <Value>(value: (item: (typeof items)[number]) => Value): Value[] => items.map(value);
  await queryRows(
    manager,
    sql`INSERT INTO datasources (organization_id, id, datastore_id, type, name, custom_id, config, metadata, mime_type,
                                 content_key, next_sync_at)
        SELECT ${organizationId}::uuid, *
          FROM unnest(
                 ${column(({ id }) => id)}::uuid[],
                 ${column(({ datastoreId }) => datastoreId)}::uuid[],
                 ${column(({ type }) => type)}::text[],
                 ${column(({ name }) => name)}::text[],
                 ${column(({ customId }) => customId)}::text[],
                 ${column(({ config }) => json(config))}::jsonb[],
                 ${column(({ metadata }) => json(metadata))}::jsonb[],
                 ${column(({ mimeType }) => mimeType)}::text[],
                 ${column(({ content }) => content?.key ?? null)}::text[],
                 ${column(({ nextSyncAt }) => nextSyncAt?.toISOString() ?? null)}::timestamptz[]
               )`,
  );
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
  const renamed: NewDatasource[] = [];
  const synced: WebUpdate[] = [];
  for (const { item, plan } of planned) {
    switch (plan.action) {
      case 'create': {
        const { id = newId() } = item;
        created.push({ ...item, id });
        results.set(item, { outcome: 'created', id });
        break;
      }
      case 'refuse':
        results.set(item, { outcome: plan.outcome, id: null });
        break;
      case 'keep':
        renamed.push({ ...item, id: plan.existing.datasource.id });
        results.set(item, { outcome: 'unchanged', id: plan.existing.datasource.id });
        break;
      case 'replace':
        replaced.push({ datasource: plan.existing.datasource, content: { ...item, ...plan.content } });
        results.set(item, { outcome: 'replaced', id: plan.existing.datasource.id });
        break;
      case 'sync':
        synced.push({ existing: plan.existing, item });
        results.set(item, { outcome: 'replaced', id: plan.existing.datasource.id });
        break;
    }
  }
  await insertDatasources(manager, organizationId, created);
  await renameDatasources(manager, renamed);
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

/** Gives datasources whose content is the same new names and metadata. */
async function renameDatasources(manager: EntityManager, items: readonly NewDatasource[]): Promise<void> {
  if (items.length === 0) return;
  await execute(
    manager,
    sql`UPDATE datasources d SET name = new.name, metadata = new.metadata, updated_at = now()
          FROM unnest(
                 ${items.map(({ id }) => id)}::uuid[],
                 ${items.map(({ name }) => name)}::text[],
                 ${items.map(({ metadata }) => json(metadata))}::jsonb[]
               ) AS new (id, name, metadata)
         WHERE d.id = new.id`,
  );
}

/** Changes web datasources and syncs them: at once, or after the unfinished run. */
async function syncFromWeb(manager: EntityManager, updates: readonly WebUpdate[]): Promise<void> {
  if (updates.length === 0) return;
  const column = <Value>(value: (item: NewDatasource) => Value): Value[] =>
    updates.map(({ item }) => value(item));
  await execute(
    manager,
    sql`UPDATE datasources d
           SET name = new.name, metadata = new.metadata, config = new.config, next_sync_at = new.next_sync_at,
               updated_at = now()
          FROM unnest(
                 ${updates.map(({ existing }) => existing.datasource.id)}::uuid[],
                 ${column(({ name }) => name)}::text[],
                 ${column(({ metadata }) => json(metadata))}::jsonb[],
                 ${column(({ config }) => json(config))}::jsonb[],
                 ${column(({ nextSyncAt }) => nextSyncAt?.toISOString() ?? null)}::timestamptz[]
               ) AS new (id, name, metadata, config, next_sync_at)
         WHERE d.id = new.id`,
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

function json(value: Record<string, unknown> | null): string | null {
  return value && JSON.stringify(value);
}
