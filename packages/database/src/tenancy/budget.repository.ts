import type { BudgetState, ModelPrices } from '@citewell/contracts/schemas';
import type { DataSource, EntityManager } from 'typeorm';
import { isId, newId } from '../connection/new-id.js';
import { attempt, done, refuse, type Result } from '../connection/result.js';
import { execute, queryRow, queryRows, type Sql, sql } from '../connection/sql.js';
import type { TenantScope } from '../connection/tenant-scope.js';
import { BudgetEntity, ModelPriceEntity, UsageReservationEntity } from '../schema/tenancy.entities.js';
import { NO_ID } from './usage-record.repository.js';

export type NewBudget = Omit<BudgetEntity, 'id' | 'organizationId'>;

/** Whom a budget is about. */
export type BudgetKind = BudgetEntity['subjectKind'];

/** Longer than any answer takes. */
const RESERVED_MINUTES = 30;

/** An expression on `budgets b`: the month of today (UTC) begins on this day. */
const MONTH_BEGIN = sql`date_trunc('month', now() AT TIME ZONE 'utc')::date`;

/** An expression on `budgets b`: what `usage_days d` has used of it. */
const USED = sql`CASE b.measure WHEN 'questions' THEN sum(d.questions)
  WHEN 'tokens' THEN sum(d.input_tokens + d.output_tokens)
  ELSE coalesce(sum(d.cost) FILTER (WHERE d.currency =
    (SELECT min(p.currency) FROM model_prices p WHERE p.organization_id = b.organization_id)), 0) END`;

/** What models cost, and what may be used in a month. */
export class BudgetRepository {
  constructor(private readonly dataSource: DataSource) {}

  async prices({ organizationId }: TenantScope): Promise<ModelPriceEntity[]> {
    return this.dataSource.manager.find(ModelPriceEntity, {
      where: { organizationId },
      order: { model: 'ASC' },
    });
  }

  /** Replaces all prices. Costs that were counted before stay. */
  async setPrices({ organizationId }: TenantScope, { currency, models }: ModelPrices): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      // Two requests at once must not leave prices of two currencies.
      await queryRow(
        manager,
        sql`SELECT 1 FROM organizations WHERE id = ${organizationId} FOR NO KEY UPDATE`,
      );
      await manager.delete(ModelPriceEntity, { organizationId });
      const rows = models.map(({ model, inputPerMillion, outputPerMillion }) => ({
        organizationId,
        model,
        currency,
        inputPrice: inputPerMillion,
        outputPrice: outputPerMillion,
      }));
      if (rows.length > 0) await manager.insert(ModelPriceEntity, rows);
    });
  }

  /** Replaces all budgets. Refuses a person or an agent that is not of the organization. */
  async setBudgets(
    { organizationId }: TenantScope,
    budgets: readonly NewBudget[],
  ): Promise<Result<undefined, 'unknown-subject'>> {
    const ids = [...new Set(budgets.flatMap(({ subjectId }) => subjectId ?? []))];
    if (!ids.every(isId)) return refuse('unknown-subject');
    return attempt(this.dataSource, async (manager) => {
      await queryRow(
        manager,
        sql`SELECT 1 FROM organizations WHERE id = ${organizationId} FOR NO KEY UPDATE`,
      );
      const known = await queryRows<{ kind: string; id: string }>(
        manager,
        sql`SELECT 'person' AS kind, id FROM people WHERE organization_id = ${organizationId} AND id = ANY (${ids}::uuid[])
            UNION ALL
            SELECT 'agent', id FROM agents WHERE organization_id = ${organizationId} AND id = ANY (${ids}::uuid[])`,
      );
      const isKnown = ({ subjectKind, subjectId }: NewBudget): boolean =>
        subjectId === null ||
        known.some(({ kind, id }) => kind === subjectKind && id === subjectId.toLowerCase());
      if (!budgets.every(isKnown)) return refuse('unknown-subject');
      await manager.delete(BudgetEntity, { organizationId });
      const rows = budgets.map((budget) => ({ ...budget, id: newId(), organizationId }));
      if (rows.length > 0) await manager.insert(BudgetEntity, rows);
      return done();
    });
  }

  /** The budgets, in their order, with what was used of them in this month. */
  async states({ organizationId }: TenantScope): Promise<BudgetState[]> {
    const subject = sql`CASE b.subject_kind WHEN 'person' THEN d.actor_id WHEN 'agent' THEN d.agent_id END`;
    return queryRows<BudgetState>(
      this.dataSource,
      sql`SELECT b.id, b.subject_kind AS subject, b.subject_id AS "subjectId", b.measure,
                 trim_scale(b.amount)::text AS amount, b.warn_percent AS "warnPercent",
                 CASE b.subject_kind
                   WHEN 'person' THEN (SELECT coalesce(p.name, p.email) FROM people p WHERE p.id = coalesce(b.subject_id, u.id))
                   WHEN 'agent' THEN (SELECT a.name FROM agents a WHERE a.id = coalesce(b.subject_id, u.id)) END AS name,
                 trim_scale(coalesce(u.used, 0))::text AS used,
                 CASE WHEN b.measure = 'cost' THEN coalesce(u.unpriced, 0)::float8 ELSE 0 END AS "unpricedTokens",
                 CASE WHEN coalesce(u.used, 0) >= b.amount THEN 'reached'
                      WHEN coalesce(u.used, 0) * 100 >= b.amount * b.warn_percent THEN 'warning'
                      ELSE 'ok' END AS state
            FROM budgets b LEFT JOIN LATERAL (
              SELECT ${subject} AS id, ${USED} AS used,
                     sum(d.input_tokens + d.output_tokens) FILTER (WHERE d.currency = '') AS unpriced
                FROM usage_days d
               WHERE d.organization_id = b.organization_id AND d.day >= ${MONTH_BEGIN}
                 AND (b.subject_kind <> 'person' OR d.actor_kind = 'person')
                 AND (b.subject_kind <> 'agent' OR d.agent_id <> ${NO_ID})
                 AND (b.subject_id IS NULL OR b.subject_id = ${subject})
               GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 1) u ON true
           WHERE b.organization_id = ${organizationId} ORDER BY b.id`,
    );
  }

  /**
   * Reserves a question: no other question can use what this one may need of a budget of questions. Budgets of tokens and
   * costs are only compared, because nobody knows what an answer will use. The reservation ends when the question is counted,
   * with {@link release}, or after 30 minutes, if the process was killed.
   *
   * @returns the id of the reservation, null without budgets; refuses with the kind of subject that has used up a budget
   */
  async reserve(scope: TenantScope, agentId: string): Promise<Result<string | null, BudgetKind>> {
    const { organizationId } = scope;
    const known = await queryRow(
      this.dataSource,
      sql`SELECT 1 FROM budgets WHERE organization_id = ${organizationId} LIMIT 1`,
    );
    if (known === null) return done(null);
    return attempt<string, BudgetKind>(this.dataSource, async (manager) => {
      // One question after the other, also of other processes. Whoever waits sees the reservations of before.
      await queryRows(
        manager,
        sql`SELECT 1 FROM budgets WHERE organization_id = ${organizationId} ORDER BY id FOR UPDATE`,
      );
      const reached = await this.reached(scope, agentId, manager);
      if (reached !== null) return refuse(reached);
      const id = newId();
      await execute(
        manager,
        sql`WITH expired AS (
              DELETE FROM usage_reservations WHERE organization_id = ${organizationId} AND expires_at <= now())
            INSERT INTO usage_reservations (id, organization_id, person_id, agent_id, expires_at)
            VALUES (${id}, ${organizationId}, ${scope.reader?.personId ?? null}, ${agentId},
                    now() + make_interval(mins => ${RESERVED_MINUTES}::int))`,
      );
      return done(id);
    });
  }

  /** Ends the reservation of a question that does not count. */
  async release({ organizationId }: TenantScope, id: string): Promise<void> {
    await this.dataSource.manager.delete(UsageReservationEntity, { id, organizationId });
  }

  /** The kind of subject that has used up a budget, with the questions in progress; null if there is none. */
  async reached(
    { organizationId, reader }: TenantScope,
    agentId: string,
    manager: EntityManager = this.dataSource.manager,
  ): Promise<BudgetKind | null> {
    const personId = reader?.personId ?? null;
    const isAbout = (person: Sql, agent: Sql): Sql =>
      sql`(b.subject_kind = 'organization' OR b.subject_kind = 'person' AND ${person} OR b.subject_kind = 'agent' AND ${agent})`;
    const row = await queryRow<{ kind: BudgetKind }>(
      manager,
      sql`SELECT b.subject_kind AS kind FROM budgets b
           WHERE b.organization_id = ${organizationId}
             AND ${isAbout(
               sql`coalesce(b.subject_id, ${personId}::uuid) = ${personId}::uuid`,
               sql`coalesce(b.subject_id, ${agentId}::uuid) = ${agentId}::uuid`,
             )}
             AND b.amount <= (
               SELECT coalesce(${USED}, 0) FROM usage_days d
                WHERE d.organization_id = b.organization_id AND d.day >= ${MONTH_BEGIN}
                  AND ${isAbout(
                    sql`d.actor_kind = 'person' AND d.actor_id = ${personId}::uuid`,
                    sql`d.agent_id = ${agentId}::uuid`,
                  )})
               + CASE b.measure WHEN 'questions' THEN (
               SELECT count(*) FROM usage_reservations r
                WHERE r.organization_id = b.organization_id AND r.expires_at > now()
                  AND ${isAbout(sql`r.person_id = ${personId}::uuid`, sql`r.agent_id = ${agentId}::uuid`)}) ELSE 0 END
           ORDER BY b.subject_kind = 'agent', b.subject_kind = 'person' LIMIT 1`,
    );
    return row?.kind ?? null;
  }
}
