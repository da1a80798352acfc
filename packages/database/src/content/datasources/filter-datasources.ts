import type { Filters } from '@citewell/contracts/schemas';
import { isId } from '../../connection/new-id.js';
import { type Sql, sql } from '../../connection/sql.js';
import type { TenantScope } from '../../connection/tenant-scope.js';
import { visibleDatasource } from '../readers/readable.js';

/** A condition on the rows with an alias. */
type Condition = (row: Sql) => Sql;

/**
 * A query for the ids of the datasources that fit all filters. A page of a site and a file of an archive also fit by what their
 * group has. The members of a group whose id is returned belong to the result.
 */
export function selectFiltered(scope: TenantScope, datastoreIds: readonly string[], filters: Filters): Sql {
  const fits = inheritedConditions(filters).map(
    (condition) => sql` AND (${condition(sql`d`)} OR ${condition(sql`g`)})`,
  );
  const isInTime = timeConditions(filters).map((condition) => sql` AND ${condition}`);
  return sql`
    SELECT d.id FROM datasources d LEFT JOIN datasources g ON g.id = d.group_id
     WHERE d.datastore_id = ANY(${datastoreIds}) AND ${visibleDatasource(scope, sql`d`)}${joined([...fits, ...isInTime])}`;
}

function inheritedConditions({ datasource_ids, custom_ids, names, types, metadata }: Filters): Condition[] {
  return [
    ...(datasource_ids?.length ? [isOneOf(sql`id`, datasource_ids.filter(isId), sql`uuid`)] : []),
    ...(custom_ids?.length ? [isOneOf(sql`custom_id`, custom_ids, sql`text`)] : []),
    ...(names?.length ? [isOneOf(sql`name`, names, sql`text`)] : []),
    ...(types?.length ? [isOneOf(sql`type`, types, sql`text`)] : []),
    ...Object.entries(metadata ?? {}).map(([field, values]): Condition => {
      const wanted = [values].flat().map((value) => JSON.stringify(value));
      // A list contains each of its items, and a value itself.
      return (row) => sql`${row}.metadata -> ${field}::text @> ANY(${wanted}::jsonb[])`;
    }),
  ];
}

function isOneOf(column: Sql, values: readonly string[], type: Sql): Condition {
  return (row) => sql`${row}.${column} = ANY(${values}::${type}[])`;
}

/** Of the datasource itself. A group does not fit, because all of its members would. */
function timeConditions({ created_after, created_before }: Filters): Sql[] {
  if (!created_after && !created_before) return [];
  return [
    ...(created_after ? [sql`d.created_at >= ${new Date(created_after)}`] : []),
    ...(created_before ? [sql`d.created_at < ${new Date(created_before)}`] : []),
    sql`NOT EXISTS (SELECT 1 FROM datasources m WHERE m.organization_id = d.organization_id AND m.group_id = d.id)`,
  ];
}

function joined(fragments: readonly Sql[]): Sql {
  return fragments.reduce((all, fragment) => sql`${all}${fragment}`, sql``);
}
