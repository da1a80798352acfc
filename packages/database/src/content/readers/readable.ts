import { type Sql, sql } from '../../connection/sql.js';
import type { TenantScope } from '../../connection/tenant-scope.js';
import { personPrincipal } from './principals.js';

/**
 * The rule who may read a datastore, and the only place that has it. Owners read all of their organization. Others read a datastore
 * that is for everyone, or of which they or one of their groups are readers. API keys and the work in the background have
 * no reader, and read all.
 *
 * @param datastore alias of rows of `datastores`
 * @returns a condition. The caller compares the organization
 */
export function readable({ organizationId, reader }: TenantScope, datastore: Sql): Sql {
  if (reader === null || reader.role === 'owner') return sql`true`;
  // The subquery does not depend on the row, so it is executed at most once in a statement, and its result is hashed.
  return sql`(${datastore}.readers = 'everyone' OR ${datastore}.id IN (
    SELECT dr.datastore_id FROM datastore_readers dr
     WHERE dr.organization_id = ${organizationId} AND dr.person_id = ${reader.personId}
    UNION ALL
    SELECT dr.datastore_id FROM group_members gm
      JOIN datastore_readers dr ON dr.organization_id = gm.organization_id AND dr.group_id = gm.group_id
     WHERE gm.organization_id = ${organizationId} AND gm.person_id = ${reader.personId}))`;
}

/**
 * The rule who may read a document of a datastore, and the only place that has it. A document whose source names its readers
 * is for these people only: owners have no other right, and API keys are nobody. An e-mail address that only the person has
 * asserted proves nothing.
 *
 * @param row alias of rows with the column `access`: `datasources` or `source_documents`
 * @returns a condition beside {@link readable}. The caller compares the organization
 */
export function accessible({ organizationId, reader, restricted }: TenantScope, row: Sql): Sql {
  if (restricted === 'all') return sql`true`;
  if (reader === null || restricted === 'none') return sql`${row}.access IS NULL`;
  // The subquery does not depend on the row, so it is executed at most once in a statement.
  return sql`(${row}.access IS NULL OR ${row}.access && (
    SELECT array_agg(principal) FROM (
      SELECT ${personPrincipal('')} || p.email AS principal FROM people p
       WHERE p.organization_id = ${organizationId} AND p.id = ${reader.personId} AND NOT p.email_claimed
      UNION ALL
      SELECT g.principal FROM people p JOIN source_groups g ON g.organization_id = p.organization_id AND g.people @> ARRAY[p.email]
       WHERE p.organization_id = ${organizationId} AND p.id = ${reader.personId} AND NOT p.email_claimed) own))`;
}

/** Whether what a call may see of datastores depends on who asks. */
export function isLimited({ reader }: TenantScope): boolean {
  return reader !== null && reader.role !== 'owner';
}

/**
 * A condition on rows of `datasources`: the row belongs to the organization, neither the datasource nor its datastore is
 * deleted, its source has not stopped listing it, and the reader may read the datastore and the document. The datasources of
 * a deleted datastore are marked a little later than the datastore.
 *
 * @param datasource alias of the rows
 */
export function visibleDatasource(scope: TenantScope, datasource = sql`datasources`): Sql {
  return sql`${datasource}.organization_id = ${scope.organizationId} AND ${accessible(scope, datasource)}
    AND ${existingDatasource(datasource, readable(scope, sql`datastores`))}`;
}

/**
 * As {@link visibleDatasource}, for statements that read rows of all datastores in an order until there are enough. The
 * planner must not join: it would read all rows.
 */
export function visibleDatasourceInOrder(scope: TenantScope): Sql {
  const isWanted = sql`${readable(scope, sql`datastores`)} OFFSET 0`;
  return sql`datasources.organization_id = ${scope.organizationId} AND ${accessible(scope, sql`datasources`)}
    AND ${existingDatasource(undefined, isWanted)}`;
}

/** As {@link visibleDatasource}, of any organization. @param isWanted a condition on `datastores` */
export function existingDatasource(datasource = sql`datasources`, isWanted = sql`true`): Sql {
  return sql`${datasource}.deleted_at IS NULL AND ${datasource}.hidden_at IS NULL AND EXISTS (
    SELECT 1 FROM datastores
     WHERE datastores.id = ${datasource}.datastore_id AND datastores.deleted_at IS NULL AND ${isWanted})`;
}
