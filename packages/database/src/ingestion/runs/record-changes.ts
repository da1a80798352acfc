import { newId } from '../../connection/new-id.js';
import { execute, type Executor, sql } from '../../connection/sql.js';
import type { DocumentSentences } from '../../schema/content.entities.js';
import type { RunEntity } from '../../schema/ingestion.entities.js';

interface ServedRun {
  readonly run: RunEntity;
  readonly changed: DocumentSentences | null;
}

/**
 * Records which documents were added, or changed their text. A run with the same sentences, such as after a new name, records
 * nothing. The runs of sites and archives have no text of their own, and no text hash. Nothing is recorded of documents that are
 * not for all who read the datastore.
 *
 * @param replacedRuns the runs that served before, by datasource
 */
export async function recordServed(
  manager: Executor,
  organizationId: string,
  served: readonly ServedRun[],
  replacedRuns: ReadonlyMap<string, string>,
): Promise<void> {
  await execute(
    manager,
    sql`INSERT INTO document_changes (id, organization_id, datastore_id, datasource_id, kind, name, sentences)
        SELECT c.id, d.organization_id, d.datastore_id, d.id,
               CASE WHEN old.text_hash IS NULL THEN 'added' ELSE 'changed' END, d.name,
               CASE WHEN old.text_hash IS NOT NULL THEN c.sentences END
          FROM unnest(
            ${served.map(() => newId())}::uuid[],
            ${served.map(({ run }) => run.id)}::uuid[],
            ${served.map(({ run }) => replacedRuns.get(run.datasourceId) ?? null)}::uuid[],
            ${served.map(({ changed }) => changed && JSON.stringify(changed))}::jsonb[]
          ) AS c (id, run_id, replaced_run_id, sentences)
          JOIN runs r ON r.id = c.run_id
          JOIN datasources d ON d.id = r.datasource_id
          LEFT JOIN runs old ON old.id = c.replaced_run_id
         WHERE d.organization_id = ${organizationId} AND d.access IS NULL AND r.trigger <> 'reindex' AND r.text_hash <> coalesce(old.text_hash, '')
           AND (old.text_hash IS NULL OR c.sentences IS NULL
             OR (c.sentences->>'addedCount')::int + (c.sentences->>'removedCount')::int > 0)`,
  );
}

/**
 * Records that documents serve no longer, before they do not. Their earlier changes are deleted, because they contain sentences
 * of a text that is deleted. Nothing is recorded of a deleted datastore.
 */
export async function recordRemoved(
  manager: Executor,
  organizationId: string,
  datasourceIds: readonly string[],
): Promise<void> {
  await execute(
    manager,
    sql`WITH forgotten AS (
          DELETE FROM document_changes
           WHERE organization_id = ${organizationId} AND datasource_id = ANY(${datasourceIds}) AND kind <> 'removed'
        )
        INSERT INTO document_changes (id, organization_id, datastore_id, datasource_id, kind, name)
        SELECT c.id, d.organization_id, d.datastore_id, d.id, 'removed', d.name
          FROM unnest(${datasourceIds.map(() => newId())}::uuid[], ${datasourceIds}::uuid[]) AS c (id, datasource_id)
          JOIN datasources d ON d.id = c.datasource_id
          JOIN datastores s ON s.id = d.datastore_id
          JOIN runs r ON r.id = d.serving_run_id
         WHERE d.organization_id = ${organizationId} AND d.access IS NULL
           AND d.deleted_at IS NULL AND s.deleted_at IS NULL AND r.text_hash IS NOT NULL`,
  );
}

/** Records that documents answer again which were recorded as removed. */
export async function recordReturned(manager: Executor, datasourceIds: readonly string[]): Promise<void> {
  await execute(
    manager,
    sql`INSERT INTO document_changes (id, organization_id, datastore_id, datasource_id, kind, name)
        SELECT c.id, d.organization_id, d.datastore_id, d.id, 'added', d.name
          FROM unnest(${datasourceIds.map(() => newId())}::uuid[], ${datasourceIds}::uuid[]) AS c (id, datasource_id)
          JOIN datasources d ON d.id = c.datasource_id
          JOIN runs r ON r.id = d.serving_run_id
         WHERE d.access IS NULL AND r.text_hash IS NOT NULL`,
  );
}
