import { execute, type Executor, jsonOfRows, sql } from '../../connection/sql.js';
import { groupPrincipal, normalEmail } from '../../content/readers/principals.js';
import type { RunEntity } from '../../schema/ingestion.entities.js';

/** A group of a source, with all of its members by e-mail. */
export interface ListedGroup {
  readonly name: string;
  readonly people: readonly string[];
}

export async function recordGroups(
  manager: Executor,
  run: RunEntity,
  groups: readonly ListedGroup[],
): Promise<void> {
  const members = new Map(
    groups.map(({ name, people }) => [groupPrincipal(run.datasourceId, name), people.map(normalEmail)]),
  );
  const rows = [...members].map(([principal, people]) => ({ principal, people }));
  if (rows.length === 0) return;
  await execute(
    manager,
    sql`INSERT INTO source_groups (source_id, principal, organization_id, people, found_in)
        SELECT ${run.datasourceId}, principal, ${run.organizationId}, people, ${run.id}
          FROM jsonb_to_recordset(${jsonOfRows(rows)}::jsonb) AS listed (principal text, people text[])
        ON CONFLICT (source_id, principal) DO UPDATE SET found_in = excluded.found_in, people = excluded.people`,
  );
}

/** Removes groups that the source does not list any more. */
export async function removeUnlistedGroups(manager: Executor, run: RunEntity): Promise<void> {
  await execute(
    manager,
    sql`DELETE FROM source_groups WHERE source_id = ${run.datasourceId} AND found_in <> ${run.id}`,
  );
}
