import type { DataSource } from 'typeorm';
import { isId } from '../connection/new-id.js';
import { execute, type Executor, queryRow, queryRows, type Sql, sql } from '../connection/sql.js';
import { ErasureEntity, type OwnedCounts } from '../schema/tenancy.entities.js';

/** A deletion, and what is left to be deleted. */
export type ErasureReport = Pick<ErasureEntity, 'id' | 'found' | 'createdAt' | 'completedAt'> & {
  left: OwnedCounts;
};

/** Erasures that are checked by one call. */
const CHECKED = 100;

const NOTHING: OwnedCounts = {
  datastores: 0,
  datasources: 0,
  chunks: 0,
  blobs: 0,
  agents: 0,
  conversations: 0,
  messages: 0,
  evaluations: 0,
  people: 0,
  apiKeys: 0,
  webhooks: 0,
};

/** Reports of deleted organizations. */
export class ErasureRepository {
  constructor(private readonly dataSource: DataSource) {}

  async find(id: string): Promise<ErasureReport | null> {
    if (!isId(id)) return null;
    const erasure = await this.dataSource.getRepository(ErasureEntity).findOneBy({ id });
    if (erasure === null) return null;
    const left = erasure.completedAt ? NOTHING : await countOwned(this.dataSource, id);
    return { ...erasure, left };
  }

  /** Records that nothing is left of deleted organizations. The row of an organization is removed after its vectors. */
  async recordCompleted(): Promise<void> {
    const gone = await queryRows<{ id: string }>(
      this.dataSource,
      sql`SELECT e.id FROM erasures e
           WHERE e.completed_at IS NULL AND NOT EXISTS (SELECT 1 FROM organizations o WHERE o.id = e.id)
             AND NOT EXISTS (SELECT 1 FROM blobs b WHERE b.organization_id = e.id)
           LIMIT ${CHECKED}`,
    );
    for (const { id } of gone) {
      const left = await countOwned(this.dataSource, id);
      if (Object.values(left).every((count) => count === 0))
        await execute(this.dataSource, sql`UPDATE erasures SET completed_at = now() WHERE id = ${id}`);
    }
  }
}

/** Begins the report of an organization that is being deleted. The caller has not deleted anything yet. */
export async function beginErasure(manager: Executor, organizationId: string): Promise<void> {
  const found = await countOwned(manager, organizationId);
  await queryRows(
    manager,
    sql`INSERT INTO erasures (id, found) VALUES (${organizationId}, ${JSON.stringify(found)}::jsonb)
        ON CONFLICT DO NOTHING`,
  );
}

async function countOwned(executor: Executor, organizationId: string): Promise<OwnedCounts> {
  const count = (table: Sql): Sql =>
    sql`(SELECT count(*)::float8 FROM ${table} WHERE organization_id = ${organizationId})`;
  const counts = await queryRow<OwnedCounts>(
    executor,
    sql`SELECT ${count(sql`datastores`)} AS datastores, ${count(sql`datasources`)} AS datasources,
               -- A run has no space when its points are gone.
               (SELECT coalesce(sum((counts->>'chunks')::bigint), 0)::float8 FROM runs
                 WHERE organization_id = ${organizationId} AND space IS NOT NULL) AS chunks,
               ${count(sql`blobs`)} AS blobs, ${count(sql`agents`)} AS agents,
               ${count(sql`conversations`)} AS conversations, ${count(sql`messages`)} AS messages,
               ${count(sql`evaluations`)} AS evaluations, ${count(sql`people`)} AS people,
               ${count(sql`api_keys`)} AS "apiKeys", ${count(sql`webhooks`)} AS webhooks`,
  );
  return counts ?? NOTHING;
}
