import type { UsageShare, UsageTotals } from '@citewell/contracts/schemas';
import type { DataSource } from 'typeorm';
import { GroupCommit } from '../connection/group-commit.js';
import { jsonOfRows, queryRow, queryRows, type Sql, sql } from '../connection/sql.js';
import type { TenantScope } from '../connection/tenant-scope.js';
import type { UsageDayEntity } from '../schema/tenancy.entities.js';

/** What one answer, or one test of a model, has used. */
export type UsedByAnswer = Omit<UsageDayEntity, 'organizationId' | 'day' | 'currency' | 'cost'> & {
  /** The reservation that this count replaces. */
  reservationId?: string | null;
};

/** Days as `YYYY-MM-DD` (UTC). */
export interface Days {
  from?: string | undefined;
  /** The last one. */
  to?: string | undefined;
}

export type UsageKey = 'person' | 'agent' | 'day';

/** The actor of evaluations, and the agent of tests of models. */
export const NO_ID = '00000000-0000-0000-0000-000000000000';

/** The records of all organizations are stored together. */
const KEY = 'records';

const TODAY = sql`(now() AT TIME ZONE 'utc')::date`;
const MONTH_BEGIN = sql`date_trunc('month', now() AT TIME ZONE 'utc')::date`;

/** Columns that identify a share, of `usage_days d`. */
const KEYS: Readonly<Record<UsageKey, { kind: Sql; id: Sql; name: Sql }>> = {
  person: {
    kind: sql`d.actor_kind`,
    id: sql`d.actor_id`,
    name: sql`coalesce((SELECT coalesce(p.name, p.email) FROM people p WHERE p.id = s.id),
                       (SELECT k.name FROM api_keys k WHERE k.id = s.id))`,
  },
  agent: {
    kind: sql`'agent'`,
    id: sql`d.agent_id`,
    name: sql`(SELECT a.name FROM agents a WHERE a.id = s.id)`,
  },
  day: { kind: sql`'day'`, id: sql`d.day`, name: sql`NULL::text` },
};

/** Counts what answers use, by day, person or key, agent and model. */
export class UsageRecordRepository {
  private readonly records: GroupCommit<UsedByAnswer & { organizationId: string }, undefined>;

  constructor(private readonly dataSource: DataSource) {
    this.records = new GroupCommit(async (_, records) => {
      await this.add(records);
      return records.map(() => undefined);
    });
  }

  /** Adds what was used, with its cost by the present prices. Call it once per answer or test, and model. */
  async record({ organizationId }: TenantScope, used: UsedByAnswer): Promise<void> {
    await this.records.submit(KEY, { ...used, organizationId });
  }

  /** The shares of people and keys, of agents, or of days; the largest first, days in their order. */
  async breakdown(scope: TenantScope, by: UsageKey, days: Days): Promise<UsageShare[]> {
    const { kind, id, name } = KEYS[by];
    return queryRows<UsageShare>(
      this.dataSource,
      sql`WITH s AS (
            SELECT kind, id, ${TOTALS} FROM (
              SELECT ${kind} AS kind, ${id} AS id, d.currency, ${SUMS} FROM usage_days d
               WHERE ${isWithin(scope, days)} GROUP BY 1, 2, 3) t
             GROUP BY kind, id)
          SELECT s.kind, nullif(s.id::text, ${NO_ID}) AS id, ${name} AS name, s.questions, s."inputTokens",
                 s."outputTokens", s."estimatedTokens", s.costs, s."unpricedTokens"
            FROM s ORDER BY ${by === 'day' ? sql`s.id` : sql`s."inputTokens" + s."outputTokens" DESC, s.questions DESC, s.id`}`,
    );
  }

  /** What a person has used. */
  async ofPerson(scope: TenantScope, personId: string, days: Days): Promise<UsageTotals> {
    const row = await queryRow<UsageTotals>(
      this.dataSource,
      sql`SELECT ${TOTALS} FROM (
            SELECT d.currency, ${SUMS} FROM usage_days d
             WHERE ${isWithin(scope, days)} AND d.actor_kind = 'person' AND d.actor_id = ${personId}
             GROUP BY 1) t`,
    );
    if (row === null) throw new Error('An aggregate has a row');
    return row;
  }

  /**
   * The rows of a group are summed first: one statement cannot change a row twice. They are in one order, so that
   * processes do not wait for each other in a circle.
   */
  private async add(records: readonly (UsedByAnswer & { organizationId: string })[]): Promise<void> {
    await queryRow(
      this.dataSource,
      sql`WITH records AS (
            SELECT r.*, p.currency, p.input_price, p.output_price
              FROM jsonb_to_recordset(${jsonOfRows(records)}::jsonb) AS r(
                     "organizationId" uuid, "actorKind" text, "actorId" uuid, "agentId" uuid, model text,
                     questions int, "inputTokens" bigint, "outputTokens" bigint, "estimatedTokens" bigint,
                     "reservationId" uuid)
              JOIN organizations o ON o.id = r."organizationId" AND o.deleted_at IS NULL
              LEFT JOIN model_prices p ON p.organization_id = r."organizationId" AND p.model = r.model),
          days AS (
            INSERT INTO usage_days AS d (organization_id, day, actor_kind, actor_id, agent_id, model, currency,
                                         questions, input_tokens, output_tokens, estimated_tokens, cost)
            SELECT "organizationId", ${TODAY}, "actorKind", "actorId", "agentId", model, coalesce(currency, ''),
                   sum(questions), sum("inputTokens"), sum("outputTokens"), sum("estimatedTokens"),
                   -- A product is exact. A quotient is rounded.
                   coalesce(sum(("inputTokens" * input_price + "outputTokens" * output_price) * 0.000001), 0)
              FROM records GROUP BY 1, 2, 3, 4, 5, 6, 7
            HAVING sum(questions) + sum("inputTokens") + sum("outputTokens") > 0 ORDER BY 1, 2, 3, 4, 5, 6, 7
            ON CONFLICT (organization_id, day, actor_kind, actor_id, agent_id, model, currency) DO UPDATE
              SET questions = d.questions + excluded.questions,
                  input_tokens = d.input_tokens + excluded.input_tokens,
                  output_tokens = d.output_tokens + excluded.output_tokens,
                  estimated_tokens = d.estimated_tokens + excluded.estimated_tokens,
                  cost = d.cost + excluded.cost),
          ended AS (DELETE FROM usage_reservations WHERE id IN (SELECT "reservationId" FROM records))
          INSERT INTO usage_counters AS c (organization_id, month, input_tokens, output_tokens)
          SELECT "organizationId", to_char(${TODAY}, 'YYYY-MM'), sum("inputTokens"), sum("outputTokens")
            FROM records GROUP BY 1 HAVING sum("inputTokens") + sum("outputTokens") > 0 ORDER BY 1
          ON CONFLICT (organization_id, month) DO UPDATE
            SET input_tokens = c.input_tokens + excluded.input_tokens,
                output_tokens = c.output_tokens + excluded.output_tokens`,
    );
  }
}

/** Sums of `usage_days d`, by currency. */
const SUMS = sql`sum(d.questions) AS questions, sum(d.input_tokens) AS input, sum(d.output_tokens) AS output,
  sum(d.estimated_tokens) AS estimated, sum(d.cost) AS cost`;

/** Totals of `t`, which has the sums by currency. */
const TOTALS = sql`coalesce(sum(t.questions), 0)::float8 AS questions,
  coalesce(sum(t.input), 0)::float8 AS "inputTokens", coalesce(sum(t.output), 0)::float8 AS "outputTokens",
  coalesce(sum(t.estimated), 0)::float8 AS "estimatedTokens",
  coalesce(jsonb_agg(jsonb_build_object('currency', t.currency, 'amount', trim_scale(t.cost)::text) ORDER BY t.currency)
    FILTER (WHERE t.currency <> ''), '[]') AS costs,
  coalesce(sum(t.input + t.output) FILTER (WHERE t.currency = ''), 0)::float8 AS "unpricedTokens"`;

function isWithin({ organizationId }: TenantScope, { from, to }: Days): Sql {
  return sql`d.organization_id = ${organizationId}
    AND d.day BETWEEN coalesce(${from ?? null}::date, ${MONTH_BEGIN}) AND coalesce(${to ?? null}::date, ${TODAY})`;
}
