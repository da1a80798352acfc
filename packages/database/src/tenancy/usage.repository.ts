import { STAGES } from '@citewell/contracts/schemas';
import type { DataSource } from 'typeorm';
import { done, refuse, type Result } from '../connection/result.js';
import { execute, queryRow, queryRows, type Sql, sql } from '../connection/sql.js';
import type { TenantScope } from '../connection/tenant-scope.js';
import { existingDatasource, isLimited, readable } from '../content/readers/readable.js';

/** What an organization has used, and its limits. Null is no limit. */
export interface Usage {
  month: string;
  agentQueries: { used: number; limit: number | null };
  storedCharacters: { used: number; limit: number | null };
}

/** What an organization has used in one month (UTC). */
export interface MonthlyUsage {
  /** `YYYY-MM` */
  month: string;
  agentQueries: number;
  inputTokens: number;
  outputTokens: number;
  /** At the last agent query of the month, now for the current month; null if unknown. */
  storedCharacters: number | null;
}

/** An expression: the current month (UTC) as `YYYY-MM`. */
const THIS_MONTH = sql`to_char(now() AT TIME ZONE 'utc', 'YYYY-MM')`;

/** An expression: today (UTC). */
const TODAY = sql`(now() AT TIME ZONE 'utc')::date`;

/** An expression on `usage_counters c`: the agent queries that the organization may use in a month. */
const LIMIT = sql`(SELECT limit_agent_queries FROM organizations WHERE id = c.organization_id)`;

/** Counts against limits, atomically. */
export class UsageRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Counts one agent query before it is answered. Refuses when the month's limit is used up. */
  async reserveAgentQuery(scope: TenantScope): Promise<Result<undefined, 'limit-reached'>> {
    const reserved = await queryRow(
      this.dataSource,
      sql`INSERT INTO usage_counters AS c (organization_id, month, agent_queries, stored_characters, reached_limit)
          SELECT o.id, ${THIS_MONTH}, 1, o.stored_characters, CASE WHEN o.limit_agent_queries = 1 THEN 1 END
            FROM organizations o
           WHERE o.id = ${scope.organizationId} AND (o.limit_agent_queries IS NULL OR o.limit_agent_queries > 0)
          ON CONFLICT (organization_id, month) DO UPDATE
            SET agent_queries = c.agent_queries + 1, stored_characters = excluded.stored_characters,
                reached_limit = CASE WHEN c.agent_queries + 1 >= ${LIMIT} THEN ${LIMIT} ELSE c.reached_limit END
           WHERE c.agent_queries < coalesce(${LIMIT}, 2147483646)
          RETURNING 1`,
    );
    return reserved ? done() : refuse('limit-reached');
  }

  /** Takes back a reservation: an answer that failed is not counted. */
  async refundAgentQuery(scope: TenantScope): Promise<void> {
    await execute(
      this.dataSource,
      sql`UPDATE usage_counters SET agent_queries = agent_queries - 1
           WHERE organization_id = ${scope.organizationId} AND month = ${THIS_MONTH} AND agent_queries > 0`,
    );
  }

  /** The last months, oldest first, from the month in which the organization was created. */
  async history(scope: TenantScope, months: number): Promise<MonthlyUsage[]> {
    const rows = await queryRows<{
      month: string;
      agentQueries: number;
      inputTokens: string;
      outputTokens: string;
      storedCharacters: string | null;
    }>(
      this.dataSource,
      sql`SELECT to_char(m, 'YYYY-MM') AS month, coalesce(c.agent_queries, 0) AS "agentQueries",
                 coalesce(c.input_tokens, 0) AS "inputTokens", coalesce(c.output_tokens, 0) AS "outputTokens",
                 CASE WHEN to_char(m, 'YYYY-MM') = ${THIS_MONTH}
                      THEN o.stored_characters - ${unreadableCharacters(scope)}
                      ELSE ${isLimited(scope) ? sql`NULL` : sql`c.stored_characters`} END AS "storedCharacters"
            FROM organizations o
            CROSS JOIN generate_series(
              date_trunc('month', now() AT TIME ZONE 'utc') - make_interval(months => ${months - 1}::int),
              now() AT TIME ZONE 'utc', interval '1 month') m
            LEFT JOIN usage_counters c ON c.organization_id = o.id AND c.month = to_char(m, 'YYYY-MM')
           WHERE o.id = ${scope.organizationId} AND m >= date_trunc('month', o.created_at AT TIME ZONE 'utc')
           ORDER BY m`,
    );
    return rows.map((row) => ({
      ...row,
      inputTokens: Number(row.inputTokens),
      outputTokens: Number(row.outputTokens),
      storedCharacters: toNumber(row.storedCharacters),
    }));
  }

  /**
   * Counts a message that was sent with a publishable key, and keeps it counted when its answer fails. Refuses when the limit of
   * the day (UTC) is reached.
   */
  async countMessage(scope: TenantScope, keyId: string): Promise<Result<undefined, 'limit-reached'>> {
    const counted = await execute(
      this.dataSource,
      sql`UPDATE api_keys
             SET messages = CASE WHEN messages_on = ${TODAY} THEN messages + 1 ELSE 1 END, messages_on = ${TODAY}
           WHERE id = ${keyId} AND organization_id = ${scope.organizationId}
             AND (messages_on IS DISTINCT FROM ${TODAY} OR messages < daily_limit)`,
    );
    return counted > 0 ? done() : refuse('limit-reached');
  }

  /**
   * How many datasources wait for a worker, without those that are only indexed again.
   *
   * @param limit counts no further: the statement reads at most as many rows
   */
  async countPending(scope: TenantScope, limit: number): Promise<number> {
    const row = await queryRow<{ pending: number }>(
      this.dataSource,
      sql`SELECT count(*)::int AS pending FROM (
            SELECT 1 FROM runs
             WHERE stage = ANY(${STAGES}::text[]) AND organization_id = ${scope.organizationId}
               AND state = 'pending' AND trigger <> 'reindex' LIMIT ${limit}) AS counted`,
    );
    return row?.pending ?? 0;
  }

  /** The sources that are connected. @param except a source with this custom id there is not counted: it is replaced */
  async countSources(
    scope: TenantScope,
    except: { datastoreId: string; customId: string | null },
  ): Promise<number> {
    const row = await queryRow<{ sources: number }>(
      this.dataSource,
      sql`SELECT count(*)::int AS sources FROM datasources
           WHERE organization_id = ${scope.organizationId} AND type = 'source' AND ${existingDatasource()}
             AND (datastore_id <> ${except.datastoreId} OR custom_id IS DISTINCT FROM ${except.customId ?? ''})`,
    );
    return row?.sources ?? 0;
  }

  /** The stored characters are those of the datastores that the reader may read. */
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
                 o.stored_characters - ${unreadableCharacters(scope)} AS stored_characters, o.limit_stored_characters
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

/** An expression: the characters of the datastores that the reader may not read. */
function unreadableCharacters(scope: TenantScope): Sql {
  if (!isLimited(scope)) return sql`0`;
  return sql`(
    SELECT coalesce(sum(r.characters), 0)::bigint FROM datastores s
      JOIN datasources d ON d.organization_id = s.organization_id AND d.datastore_id = s.id
      JOIN runs r ON r.id = d.serving_run_id
     WHERE s.organization_id = ${scope.organizationId} AND d.deleted_at IS NULL
       AND NOT ${readable(scope, sql`s`)})`;
}
