import { sourceConnection } from '@citewell/contracts/schemas';
import type { DataSource, EntityManager } from 'typeorm';
import { execute, type Executor, hydrateOne, queryRow, queryRows, sql } from '../../connection/sql.js';
import { commitBlobs } from '../../content/blobs/blob.repository.js';
import { existingDatasource } from '../../content/readers/readable.js';
import { type RunEntity, SourceSyncEntity, type StageProgress } from '../../schema/ingestion.entities.js';
import { insertDatasources, updateDatasources } from '../runs/datasource-rows.js';
import { markUnsynched } from '../runs/datasource-status.js';
import { announceRun, WAKE_DISPATCHER } from '../runs/dispatch.js';
import type { GroupRunRepository } from '../runs/group-run.repository.js';
import type { LeaseHolder } from '../runs/lease.js';
import { underLease } from '../runs/leased-group.js';
import { deleteDatasources, endRuns } from '../runs/out-of-service.js';
import { recordRemoved } from '../runs/record-changes.js';
import { replaceContents, SERVES_CONTENT } from '../runs/site-and-archive-runs.js';
import { applyAccess } from '../runs/source-access.js';
import { startFileRuns } from '../runs/start-run.js';
import { UNFINISHED } from '../runs/transitions.js';
import { recordGroups, removeUnlistedGroups } from './source-groups.js';
import {
  describe,
  type DueDocument,
  type Fetched,
  type FetchOutcome,
  forgetFormer,
  forgetReaders,
  type ListedPage,
  markFetched,
  statesOf,
  unhide,
  upsertDocuments,
  upsertUnavailable,
} from './source-documents.js';

/** A document of the library that its source does not list any more, or that is not wanted any more. */
export interface MissingDocument {
  readonly datasourceId: string;
  /** Whether the source lists it: `include` and `exclude` leave it out. */
  readonly isLeftOut: boolean;
}

const MAX_REASONS = 5;

/** A condition on `datasources`: hidden for so long that it is not restored. */
const EXPIRED = sql`hidden_at < now() - interval '30 days'`;

/**
 * Syncs of sources. What a source lists is kept in Postgres, with the place to go on: a sync that was killed lists at most
 * one page again, and fetches at most one batch again. Every write is made under the lease of the source's run, and throws
 * LeaseLostError without it.
 */
export class SourceSyncRepository {
  constructor(
    private readonly dataSource: DataSource,
    private readonly holder: LeaseHolder,
    private readonly groupRuns: Pick<GroupRunRepository, 'waitForPages'>,
  ) {}

  /** Begins the sync of a run, or returns the one that was begun. With another connection, named readers are forgotten. */
  async begin(run: RunEntity, config: Record<string, unknown>): Promise<SourceSyncEntity> {
    return underLease(this.dataSource, this.holder, run, [], async ({ manager }) => {
      const former = await queryRow<{ config: Record<string, unknown> }>(
        manager,
        sql`SELECT config FROM source_syncs WHERE source_id = ${run.datasourceId} AND run_id <> ${run.id}
             ORDER BY created_at DESC LIMIT 1`,
      );
      const begun = await queryRow(
        manager,
        sql`INSERT INTO source_syncs (run_id, organization_id, source_id, config)
            VALUES (${run.id}, ${run.organizationId}, ${run.datasourceId}, ${JSON.stringify(config)}::jsonb)
            ON CONFLICT (run_id) DO NOTHING RETURNING 1`,
      );
      if (begun && former && sourceConnection(former.config) !== sourceConnection(config)) {
        await forgetReaders(manager, run);
        await applyAccess(manager, run.datasourceId);
      }
      return addCounts(manager, run, {});
    });
  }

  /** Records a page of the inventory, and where the next one begins. Documents that were hidden answer again. */
  async recordPage(
    run: RunEntity,
    { documents, unavailable, groups, cursor }: ListedPage,
  ): Promise<SourceSyncEntity> {
    return underLease(this.dataSource, this.holder, run, [], async ({ manager }) => {
      const { found, due } = await upsertDocuments(manager, run, documents);
      const failed = await upsertUnavailable(manager, run, unavailable);
      await recordGroups(manager, run, groups);
      if (cursor === null) await removeUnlistedGroups(manager, run);
      const listed = [...documents, ...unavailable].map(({ documentId }) => documentId);
      await applyAccess(
        manager,
        run.datasourceId,
        // A folder is on the page for all that is below it.
        unavailable.some(({ isFolder }) => isFolder)
          ? sql`sd.found_in = ${run.id}`
          : sql`sd.document_id = ANY(${listed})`,
      );
      const wanted = documents.flatMap(({ documentId, isWanted }) => (isWanted ? documentId : []));
      await unhide(
        manager,
        sql`id IN (SELECT datasource_id FROM source_documents
                    WHERE source_id = ${run.datasourceId} AND document_id = ANY(${wanted}))`,
      );
      await execute(
        manager,
        sql`UPDATE source_syncs SET cursor = ${cursor},
                   listed_at = CASE WHEN ${cursor === null} THEN now() END WHERE run_id = ${run.id}`,
      );
      return addCounts(manager, run, { found: found + failed, processed: found - due + failed, failed });
    });
  }

  /** Documents that this sync has yet to fetch, by path. */
  async due(run: RunEntity, limit: number): Promise<DueDocument[]> {
    return queryRows<DueDocument>(
      this.dataSource,
      sql`SELECT sd.document_id AS "documentId", sd.path, sd.version, sd.bytes::float8 AS bytes, sd.url, sd.modified_at AS "modifiedAt",
                 d.id AS "datasourceId", sd.access IS NOT NULL AS "isRestricted"
            FROM source_documents sd LEFT JOIN datasources d ON d.id = sd.datasource_id AND d.deleted_at IS NULL
           WHERE sd.source_id = ${run.datasourceId} AND sd.is_due AND sd.found_in = ${run.id} ORDER BY sd.path LIMIT ${limit}`,
    );
  }

  /**
   * Records fetched documents, all or none: they become files of the source with runs of their own. A new document with
   * the bytes of one that the source does not list any more takes its place, with its revision and its vectors.
   *
   * @returns the sync, and keys of blobs that nothing refers to
   */
  async recordFetched(
    run: RunEntity,
    outcomes: readonly FetchOutcome[],
  ): Promise<{ sync: SourceSyncEntity; unused: readonly string[] }> {
    const fetched = outcomes.filter((outcome) => outcome.reason === null);
    const former = await this.formerOf(run, fetched);
    const known = outcomes.map((one) => (one.reason === null && one.isNew ? null : one.datasourceId));
    const ids = [...former.values(), ...known];
    return underLease(this.dataSource, this.holder, run, ids, async ({ manager, group, living }) => {
      const state = await statesOf(manager, [...living]);
      const isEqual = ({ content, mimeType }: Fetched, id: string): boolean => {
        const known = state.get(id);
        return known?.sha256 === content.sha256 && known.mimeType === mimeType;
      };
      const moved = new Map([...former].filter(([one, id]) => living.has(id) && isEqual(one, id)));
      const added = fetched.filter((one) => one.isNew && !moved.has(one));
      const kept = fetched.filter((one) => !one.isNew && living.has(one.datasourceId));
      const changed = kept.filter((one) => !isEqual(one, one.datasourceId));
      await insertDatasources(
        manager,
        added.map((one) => ({
          ...describe(one),
          id: one.datasourceId,
          organizationId: run.organizationId,
          datastoreId: group.datastoreId,
          type: 'file',
          groupId: group.id,
          customId: one.path,
          mimeType: one.mimeType,
          contentKey: one.content.key,
        })),
      );
      const changedIds = changed.map(({ datasourceId }) => datasourceId);
      await updateDatasources(manager, [
        ...kept.map((one) => ({ ...describe(one), id: one.datasourceId })),
        ...[...moved].map(([one, id]) => ({ ...describe(one), id })),
      ]);
      await replaceContents(manager, run.organizationId, changed);
      await forgetFormer(manager, run, [...moved.values()]);
      await commitBlobs(
        manager,
        run.organizationId,
        [...added, ...changed].map(({ content }) => content),
      );
      await markUnsynched(manager, changedIds);
      await startFileRuns(manager, run, [...added.map(({ datasourceId }) => datasourceId), ...changedIds]);
      await markFetched(manager, run, outcomes, moved);
      const documentIds = outcomes.map(({ documentId }) => documentId);
      await applyAccess(manager, run.datasourceId, sql`sd.document_id = ANY(${documentIds})`);
      await announceRun(manager);
      const used = new Set([...added, ...changed]);
      const failed = outcomes.length - fetched.length;
      return {
        sync: await addCounts(manager, run, { processed: outcomes.length, failed }),
        unused: fetched.filter((one) => !used.has(one)).map(({ content }) => content.key),
      };
    });
  }

  /** Documents of the library that the source does not list any more, or that are not wanted any more. */
  async missing(run: RunEntity): Promise<MissingDocument[]> {
    return queryRows<MissingDocument>(
      this.dataSource,
      sql`SELECT d.id AS "datasourceId", coalesce(sd.found_in = ${run.id}, false) AS "isLeftOut"
            FROM datasources d LEFT JOIN source_documents sd ON sd.datasource_id = d.id AND sd.source_id = d.group_id
           WHERE d.organization_id = ${run.organizationId} AND d.group_id = ${run.datasourceId}
             AND d.deleted_at IS NULL AND d.hidden_at IS NULL
             AND (sd.found_in IS DISTINCT FROM ${run.id} OR NOT sd.is_wanted)
           ORDER BY d.id`,
    );
  }

  /**
   * Why documents that the source lists are not in the library: the most frequent reasons, each with a path. Those of documents
   * with named readers are null: a reason may name its document, and all who read the datastore are told.
   */
  async reasons(
    run: RunEntity,
  ): Promise<
    ({ reason: string; count: number; path: string } | { reason: null; count: number; path: null })[]
  > {
    return queryRows(
      this.dataSource,
      sql`SELECT told.reason, count(*)::int AS count, min(path) FILTER (WHERE access IS NULL) AS path
            FROM source_documents sd CROSS JOIN LATERAL (SELECT CASE WHEN access IS NULL THEN sd.reason END AS reason) told
           WHERE source_id = ${run.datasourceId} AND found_in = ${run.id} AND is_wanted AND sd.reason IS NOT NULL
           GROUP BY told.reason ORDER BY count(*) DESC, told.reason LIMIT ${MAX_REASONS}`,
    );
  }

  /**
   * Lets nobody read documents with named readers that the source did not list: it does not say who may read them now. They
   * answer again when it lists them.
   */
  async withholdUnlisted(run: RunEntity): Promise<void> {
    await underLease(this.dataSource, this.holder, run, [], async ({ manager }) => {
      const isUnlisted = sql`sd.found_in <> ${run.id}`;
      await execute(
        manager,
        sql`UPDATE source_documents sd SET access = '{}'
             WHERE source_id = ${run.datasourceId} AND access IS NOT NULL AND ${isUnlisted}`,
      );
      await applyAccess(manager, run.datasourceId, isUnlisted);
    });
  }

  /** How many documents of the library are not hidden. */
  async visible(run: RunEntity): Promise<number> {
    const row = await queryRow<{ documents: number }>(
      this.dataSource,
      sql`SELECT count(*)::int AS documents FROM datasources
           WHERE organization_id = ${run.organizationId} AND group_id = ${run.datasourceId}
             AND deleted_at IS NULL AND hidden_at IS NULL`,
    );
    return row?.documents ?? 0;
  }

  /**
   * Hides documents and ends the sync; the run then waits for the documents' runs.
   *
   * @param repeatsFailed documents that could not be ingested are processed again
   * @param warning why the content is not complete; null where it is
   */
  async finish(
    run: RunEntity,
    hidden: readonly string[],
    {
      repeatsFailed,
      warning,
      progress,
    }: { repeatsFailed: boolean; warning: string | null; progress: StageProgress },
  ): Promise<void> {
    await underLease(this.dataSource, this.holder, run, hidden, async ({ manager, living }) => {
      const ids = [...living];
      await recordRemoved(manager, run.organizationId, ids);
      await endRuns(manager, run.organizationId, ids);
      await execute(manager, sql`UPDATE datasources SET hidden_at = now() WHERE id = ANY(${ids})`);
      await restart(manager, run, repeatsFailed);
      await execute(
        manager,
        sql`DELETE FROM source_documents sd WHERE source_id = ${run.datasourceId} AND found_in <> ${run.id}
              AND NOT EXISTS (SELECT 1 FROM datasources d WHERE d.id = sd.datasource_id AND d.deleted_at IS NULL)`,
      );
      await this.groupRuns.waitForPages(run, progress, warning, manager);
      await announceRun(manager);
    });
  }

  /** Folders that are synched by a schedule. */
  async scheduledFolders(): Promise<{ id: string; config: Record<string, unknown> }[]> {
    return queryRows(
      this.dataSource,
      sql`SELECT id, config FROM datasources
           WHERE type = 'source' AND config->>'kind' = 'folder' AND next_sync_at IS NOT NULL AND ${existingDatasource()}`,
    );
  }

  /** Makes a source with a schedule due now. @returns false while a sync is under way */
  async makeDue(sourceId: string): Promise<boolean> {
    const row = await queryRow(
      this.dataSource,
      sql`WITH due AS (
            UPDATE datasources SET next_sync_at = now() WHERE id = ${sourceId} AND next_sync_at IS NOT NULL
              AND NOT EXISTS (SELECT 1 FROM runs WHERE datasource_id = datasources.id AND ${UNFINISHED})
            RETURNING 1
          ) SELECT ${WAKE_DISPATCHER} FROM due`,
    );
    return row !== null;
  }

  /** Deletes documents that have been hidden for 30 days. @returns how many */
  async removeExpired(limit: number): Promise<number> {
    const rows = await queryRows<{ organizationId: string; ids: string[] }>(
      this.dataSource,
      sql`SELECT organization_id AS "organizationId", array_agg(id) AS ids FROM (
            SELECT id, organization_id FROM datasources
             WHERE deleted_at IS NULL AND ${EXPIRED} LIMIT ${limit}) expired
           GROUP BY organization_id`,
    );
    let removed = 0;
    for (const { organizationId, ids } of rows)
      removed += await this.dataSource.transaction((manager) =>
        deleteDatasources(manager, organizationId, sql`id = ANY(${ids}) AND ${EXPIRED}`),
      );
    return removed;
  }

  /**
   * Of new documents, those whose bytes a document has that the source does not list any more.
   *
   * @returns the datasource of the former document; none is named twice
   */
  private async formerOf(run: RunEntity, fetched: readonly Fetched[]): Promise<Map<Fetched, string>> {
    const added = fetched.filter(({ isNew }) => isNew);
    const rows = await queryRows<{ id: string; sha256: string; mimeType: string }>(
      this.dataSource,
      sql`SELECT d.id, b.sha256, d.mime_type AS "mimeType"
            FROM blobs b JOIN datasources d ON d.content_key = b.key AND d.id = b.datasource_id
            JOIN source_documents sd ON sd.datasource_id = d.id AND sd.source_id = d.group_id
           WHERE b.organization_id = ${run.organizationId} AND b.run_id IS NULL
             AND b.sha256 = ANY(${added.map(({ content }) => content.sha256)}::text[])
             AND d.group_id = ${run.datasourceId} AND d.deleted_at IS NULL AND sd.found_in <> ${run.id}
           ORDER BY d.id`,
    );
    const former = new Map<Fetched, string>();
    for (const one of added) {
      const index = rows.findIndex(
        ({ sha256, mimeType }) => sha256 === one.content.sha256 && mimeType === one.mimeType,
      );
      const [found] = index < 0 ? [] : rows.splice(index, 1);
      if (found !== undefined) former.set(one, found.id);
    }
    return former;
  }
}

/** Starts runs of documents whose runs were cancelled, and of those that could not be ingested if it is to. */
async function restart(manager: Executor, run: RunEntity, repeatsFailed: boolean): Promise<void> {
  const isFailed = sql`status IN ('error', 'usage_limit_reached')`;
  const rows = await queryRows<{ id: string }>(
    manager,
    sql`SELECT id FROM datasources d
         WHERE organization_id = ${run.organizationId} AND group_id = ${run.datasourceId} AND deleted_at IS NULL
           AND hidden_at IS NULL AND (${isFailed} AND ${repeatsFailed} OR NOT ${isFailed} AND NOT ${SERVES_CONTENT})
           AND NOT EXISTS (SELECT 1 FROM runs WHERE datasource_id = d.id AND ${UNFINISHED})
         ORDER BY id FOR UPDATE`,
  );
  const ids = rows.map(({ id }) => id);
  await markUnsynched(manager, ids);
  await startFileRuns(manager, run, ids);
}

type Counts = Partial<Pick<SourceSyncEntity, 'found' | 'processed' | 'failed'>>;

async function addCounts(
  manager: EntityManager,
  run: RunEntity,
  { found = 0, processed = 0, failed = 0 }: Counts,
): Promise<SourceSyncEntity> {
  const row = await queryRow<Record<string, unknown>>(
    manager,
    sql`UPDATE source_syncs SET found = found + ${found}, processed = processed + ${processed},
               failed = failed + ${failed}
         WHERE run_id = ${run.id} RETURNING *`,
  );
  const sync = hydrateOne(manager.dataSource, SourceSyncEntity, row);
  if (sync === null) throw new Error(`The sync of run ${run.id} has not begun`);
  return sync;
}
