import type { BudgetState, ModelPrices } from '@citewell/contracts/schemas';
import type { DataSource } from 'typeorm';
import { isId, newId } from '../connection/new-id.js';
import { queryRow, queryRows, type Sql, sql } from '../connection/sql.js';
import type { TenantScope } from '../connection/tenant-scope.js';
import { BudgetEntity } from './budget.entity.js';
import { ModelPriceEntity } from './model-price.entity.js';

export type NewBudget = Omit<BudgetEntity, 'id' | 'organizationId'>;

/** Whom a budget is about. */
export type BudgetSubject = { kind: 'organization' } | { kind: 'person' | 'agent'; id: string };

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

  /** Replaces all budgets. @returns false if a person or an agent is not of the organization */
  async setBudgets({ organizationId }: TenantScope, budgets: readonly NewBudget[]): Promise<boolean> {
    const ids = [...new Set(budgets.flatMap(({ subjectId }) => subjectId ?? []))];
    if (!ids.every(isId)) return false;
    return this.dataSource.transaction(async (manager) => {
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
      if (!budgets.every(isKnown)) return false;
      await manager.delete(BudgetEntity, { organizationId });
      const rows = budgets.map((budget) => ({ ...budget, id: newId(), organizationId }));
      if (rows.length > 0) await manager.insert(BudgetEntity, rows);
      return true;
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
                 AND (b.subject_id IS NULL OR b.subject_id = ${subject})
               GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 1) u ON true
           WHERE b.organization_id = ${organizationId} ORDER BY b.id`,
    );
  }

  /** The kinds of subjects that have a budget. */
  async subjects({ organizationId }: TenantScope): Promise<BudgetSubject['kind'][]> {
    const rows = await queryRows<{ kind: BudgetSubject['kind'] }>(
      this.dataSource,
      sql`SELECT DISTINCT subject_kind AS kind FROM budgets WHERE organization_id = ${organizationId}`,
    );
    return rows.map(({ kind }) => kind);
  }

  /** Whether a subject has used up one of its budgets. */
  async isReached({ organizationId }: TenantScope, subject: BudgetSubject): Promise<boolean> {
    const row = await queryRow<{ reached: boolean }>(
      this.dataSource,
      sql`SELECT coalesce(bool_or(u.used >= b.amount), false) AS reached
            FROM budgets b CROSS JOIN LATERAL (
              SELECT coalesce(${USED}, 0) AS used FROM usage_days d
               WHERE d.organization_id = b.organization_id AND d.day >= ${MONTH_BEGIN}
                 AND ${isOf(subject)}) u
           WHERE b.organization_id = ${organizationId} AND b.subject_kind = ${subject.kind}
             AND ${'id' in subject ? sql`(b.subject_id IS NULL OR b.subject_id = ${subject.id})` : sql`true`}`,
    );
    return row?.reached ?? false;
  }
}

/** A condition on `usage_days d`. */
function isOf(subject: BudgetSubject): Sql {
  switch (subject.kind) {
    case 'organization':
      return sql`true`;
    case 'person':
      return sql`d.actor_kind = 'person' AND d.actor_id = ${subject.id}`;
    case 'agent':
      return sql`d.agent_id = ${subject.id}`;
  }
}
