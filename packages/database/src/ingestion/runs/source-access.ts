import { execute, type Executor, queryRows, type Sql, sql } from '../../connection/sql.js';
import { SERVES_CONTENT } from './site-and-archive-runs.js';

// Who may read the documents of a source. `source_documents.access` is what the source says of the version that it listed last.
// `datasources.access` decides. It is narrowed as soon as the source is listed, and widened only when the text that serves is the
// version that the source listed: an earlier text may contain what the new readers must not see.

/** The text that serves is the version that the source listed last. With a reason, such as an empty file, an earlier one serves. */
const SERVES_LISTED = sql`(sd.fetched_version = sd.version AND sd.reason IS NULL AND ${SERVES_CONTENT})`;
/** A version was fetched that is newer than the listed one: its readers are not known before the next sync. */
const FETCHED_UNLISTED = sql`NOT sd.is_due AND sd.reason IS NULL AND sd.fetched_version <> sd.version`;
const MEET = sql`CASE WHEN d.access IS NULL THEN sd.access
                      WHEN sd.access IS NULL THEN d.access
                      ELSE ARRAY(SELECT unnest(d.access) INTERSECT SELECT unnest(sd.access)) END`;

/**
 * Applies what a source says of its documents to those of the library. A document that is not for all who read the datastore
 * has no place in the list of changes. It locks these documents and hidden ones, which the caller may show, in the order of
 * their ids.
 *
 * @param which a condition on rows `sd` of `source_documents`
 */
export async function applyAccess(
  manager: Executor,
  sourceId: string,
  which: Sql = sql`true`,
): Promise<void> {
  const changed = await queryRows<{ id: string; organizationId: string; isRestricted: boolean }>(
    manager,
    sql`WITH decided AS (
          SELECT d.id, CASE WHEN ${SERVES_LISTED} THEN sd.access
                            WHEN ${FETCHED_UNLISTED} AND sd.access IS NOT NULL THEN '{}'
                            ELSE ${MEET} END AS access
            FROM source_documents sd JOIN datasources d ON d.id = sd.datasource_id
           WHERE sd.source_id = ${sourceId} AND ${which}
             AND (sd.access IS NOT NULL OR d.access IS NOT NULL OR d.hidden_at IS NOT NULL)
           ORDER BY d.id FOR UPDATE OF d
        )
        UPDATE datasources d SET access = decided.access FROM decided
         WHERE d.id = decided.id AND d.access IS DISTINCT FROM decided.access
        RETURNING d.id, d.organization_id AS "organizationId", d.access IS NOT NULL AS "isRestricted"`,
  );
  const restricted = changed.filter(({ isRestricted }) => isRestricted);
  const [first] = restricted;
  if (first === undefined) return;
  const { organizationId } = first;
  await execute(
    manager,
    sql`DELETE FROM document_changes
         WHERE organization_id = ${organizationId} AND datasource_id = ANY(${restricted.map(({ id }) => id)})`,
  );
  await execute(
    manager,
    sql`UPDATE organizations SET has_restricted_documents = true
         WHERE id = ${organizationId} AND NOT has_restricted_documents`,
  );
}
