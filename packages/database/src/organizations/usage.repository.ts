import type { DataSource } from 'typeorm';
import { execute, queryRow, sql } from '../connection/sql.js';
import type { TenantScope } from '../connection/tenant-scope.js';

/** What an organization has used, and its limits. Null is no limit. */
export interface Usage {
  month: string;
  agentQueries: { used: number; limit: number | null };
  storedCharacters: { used: number; limit: number | null };
}

/** An expression: the current month (UTC) as `YYYY-MM`. */
const THIS_MONTH = sql`to_char(now() AT TIME ZONE 'utc', 'YYYY-MM')`;

/** Counts against limits, atomically. */
export class UsageRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Counts one agent query before it is answered. @returns false when the month's limit is used up */
  async reserveAgentQuery(scope: TenantScope): Promise<boolean> {
    const reserved = await queryRow(
      this.dataSource,
      sql`INSERT INTO usage_counters AS c (organization_id, month, agent_queries)
          SELECT o.id, ${THIS_MONTH}, 1 FROM organizations o
           WHERE o.id = ${scope.organizationId} AND (o.limit_agent_queries IS NULL OR o.limit_agent_queries > 0)
          ON CONFLICT (organization_id, month) DO UPDATE SET agent_queries = c.agent_queries + 1
           WHERE c.agent_queries < coalesce((
             SELECT limit_agent_queries FROM organizations WHERE id = c.organization_id), 2147483646)
          RETURNING 1`,
    );
    return reserved !== null;
  }

  /** Takes back a reservation: an answer that failed is not counted. */
  async refundAgentQuery(scope: TenantScope): Promise<void> {
    await execute(
      this.dataSource,
      sql`UPDATE usage_counters SET agent_queries = agent_queries - 1
           WHERE organization_id = ${scope.organizationId} AND month = ${THIS_MONTH} AND agent_queries > 0`,
    );
  }

  async report(scope: TenantScope): Promise<Usage> {
    const row = await queryRow<{
      month: string;
      agent_queries: number;
      limit_agent_queries: string | null;
      stored_characters: string;
      limit_stored_characters: string | null;
    }>(
      this.dataSource,
      sql`SELECT ${THIS_MONTH} AS month, coalesce(c.agent_queries, 0) AS agent_queries, o.limit_agent_queries,
                 o.stored_characters, o.limit_stored_characters
            FROM organizations o LEFT JOIN usage_counters c ON c.organization_id = o.id AND c.month = ${THIS_MONTH}
           WHERE o.id = ${scope.organizationId}`,
    );
    if (row === null) throw new Error(`Organization ${scope.organizationId} does not exist`);
    return {
      month: row.month,
      agentQueries: { used: row.agent_queries, limit: toNumber(row.limit_agent_queries) },
      storedCharacters: { used: Number(row.stored_characters), limit: toNumber(row.limit_stored_characters) },
    };
  }
}

function toNumber(value: string | null): number | null {
  return value === null ? null : Number(value);
}
