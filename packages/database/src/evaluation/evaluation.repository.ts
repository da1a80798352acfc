import type { EvaluationOutcome } from '@citewell/contracts/schemas';
import type { DataSource } from 'typeorm';
import { isId, newId } from '../connection/new-id.js';
import type { Page } from '../connection/page.js';
import { attempt, done, refuse, type Result } from '../connection/result.js';
import { execute, hydrateOne, queryRow, queryRows, type Sql, sql } from '../connection/sql.js';
import type { TenantScope } from '../connection/tenant-scope.js';
import { isLimited, readable } from '../content/readers/readable.js';
import { valuesOf } from '../schema/columns.js';
import {
  EvaluationEntity,
  type EvaluationOutcomeEntity,
  type EvaluationSide,
} from '../schema/evaluation.entities.js';

/** Evaluations of an organization that are kept. */
const MAX_KEPT = 100;

export type NewEvaluation = Pick<EvaluationEntity, 'name' | 'configuration' | 'baseline' | 'questions'> & {
  /** That it will search. */
  datastoreIds: string[];
};

/** An evaluation without its questions and results, which are long. */
export type EvaluationSummary = Omit<
  EvaluationEntity,
  'questions' | 'result' | 'dueAt' | 'attempts' | 'organizationId' | 'personId' | 'datastoreIds'
> & { questionCount: number; done: number };

/** The outcomes of an evaluation, by side and position of the question. */
export type RecordedOutcome = Pick<EvaluationOutcomeEntity, 'side' | 'position' | 'outcome'>;

/** Evaluations, and the queue of those that are not finished. */
export class EvaluationRepository {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Creates an evaluation, and removes the oldest finished ones of more than 100.
   *
   * @param maxUnfinished unfinished evaluations that an organization may have
   * @returns its id; refuses if the organization has this many unfinished ones
   */
  async create(
    scope: TenantScope,
    fields: NewEvaluation,
    maxUnfinished: number,
  ): Promise<Result<string, 'too-many'>> {
    const { organizationId, reader } = scope;
    const personId = reader?.personId ?? null;
    const id = newId();
    return attempt(this.dataSource, async (manager) => {
      // Two requests at once must not both see the last free place.
      await queryRow(manager, sql`SELECT id FROM organizations WHERE id = ${organizationId} FOR UPDATE`);
      const unfinished = await queryRow<{ count: number }>(
        manager,
        sql`SELECT count(*)::int AS count FROM evaluations
             WHERE organization_id = ${organizationId} AND state IN ('waiting', 'running')`,
      );
      if ((unfinished?.count ?? 0) >= maxUnfinished) return refuse('too-many');
      await manager.insert(
        EvaluationEntity,
        valuesOf<EvaluationEntity>({ id, organizationId, personId, ...fields }),
      );
      await execute(
        manager,
        sql`DELETE FROM evaluations WHERE organization_id = ${organizationId} AND id IN (
              SELECT id FROM evaluations WHERE organization_id = ${organizationId}
               ORDER BY id DESC OFFSET ${MAX_KEPT}) AND state IN ('done', 'failed')`,
      );
      return done(id);
    });
  }

  /** Newest first. */
  async list(scope: TenantScope, { limit, cursor }: Page): Promise<EvaluationSummary[]> {
    return this.summaries(
      scope,
      sql`${cursor && isId(cursor) ? sql`e.id < ${cursor}` : sql`true`} ORDER BY e.id DESC LIMIT ${limit}`,
    );
  }

  async summary(scope: TenantScope, id: string): Promise<EvaluationSummary | null> {
    if (!isId(id)) return null;
    const [found] = await this.summaries(scope, sql`e.id = ${id}`);
    return found ?? null;
  }

  /** With questions and results. */
  async find(scope: TenantScope, id: string): Promise<EvaluationEntity | null> {
    if (!isId(id)) return null;
    const row = await queryRow<Record<string, unknown>>(
      this.dataSource,
      sql`SELECT e.* FROM evaluations e WHERE e.id = ${id} AND ${visibleEvaluation(scope)}`,
    );
    return hydrateOne(this.dataSource, EvaluationEntity, row);
  }

  /** In the order of the questions. */
  async outcomes(scope: TenantScope, id: string): Promise<RecordedOutcome[]> {
    return queryRows<RecordedOutcome>(
      this.dataSource,
      sql`SELECT o.side, o.position, o.outcome FROM evaluation_outcomes o
            JOIN evaluations e ON e.organization_id = o.organization_id AND e.id = o.evaluation_id
           WHERE e.id = ${id} AND ${visibleEvaluation(scope)} ORDER BY o.position`,
    );
  }

  async remove(scope: TenantScope, id: string): Promise<void> {
    await execute(
      this.dataSource,
      sql`DELETE FROM evaluations e WHERE e.id = ${id} AND ${visibleEvaluation(scope)}`,
    );
  }

  /**
   * Takes the evaluation that has waited longest, or one whose process has died. Nobody else gets it for `leaseSeconds`, and
   * again after each recorded outcome. The death of a process counts as five attempts.
   */
  async claim(leaseSeconds: number): Promise<EvaluationEntity | null> {
    const claimed = await queryRow<{ id: string }>(
      this.dataSource,
      sql`UPDATE evaluations
             SET state = 'running', attempts = attempts + CASE WHEN state = 'running' THEN 5 ELSE 1 END,
                 due_at = now() + make_interval(secs => ${leaseSeconds})
           WHERE id = (
             SELECT id FROM evaluations WHERE state IN ('waiting', 'running') AND due_at <= now()
              ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED)
          RETURNING id`,
    );
    return claimed && this.dataSource.getRepository(EvaluationEntity).findOneBy({ id: claimed.id });
  }

  /** Extends a claim. */
  async extend(id: string, leaseSeconds: number): Promise<void> {
    await execute(
      this.dataSource,
      sql`UPDATE evaluations SET due_at = now() + make_interval(secs => ${leaseSeconds})
           WHERE id = ${id} AND state = 'running'`,
    );
  }

  /** Which questions of a claimed evaluation were answered. */
  async answered(id: string): Promise<Pick<RecordedOutcome, 'side' | 'position'>[]> {
    return queryRows(
      this.dataSource,
      sql`SELECT side, position FROM evaluation_outcomes WHERE evaluation_id = ${id}`,
    );
  }

  /** Records which datastores are searched, before an outcome can tell about them. */
  async addDatastores(id: string, datastoreIds: readonly string[]): Promise<void> {
    await execute(
      this.dataSource,
      sql`UPDATE evaluations SET datastore_ids = ARRAY(SELECT DISTINCT unnest(datastore_ids || ${datastoreIds}::uuid[]))
           WHERE id = ${id} AND NOT datastore_ids @> ${datastoreIds}::uuid[]`,
    );
  }

  /** Records an outcome once, and extends the claim. */
  async record(
    { id, organizationId }: Pick<EvaluationEntity, 'id' | 'organizationId'>,
    { side, position, outcome }: { side: EvaluationSide; position: number; outcome: EvaluationOutcome },
    leaseSeconds: number,
  ): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      await execute(
        manager,
        sql`UPDATE evaluations SET attempts = 0, due_at = now() + make_interval(secs => ${leaseSeconds})
             WHERE id = ${id} AND state = 'running'`,
      );
      // Nothing is inserted if the evaluation was deleted meanwhile.
      await execute(
        manager,
        sql`INSERT INTO evaluation_outcomes (evaluation_id, side, position, organization_id, outcome)
            SELECT id, ${side}, ${position}, organization_id, ${JSON.stringify(outcome)}::jsonb FROM evaluations
             WHERE id = ${id} AND organization_id = ${organizationId}
            ON CONFLICT DO NOTHING`,
      );
    });
  }

  /** Gives a claimed evaluation back to the queue. */
  async release(id: string, afterSeconds: number): Promise<void> {
    await execute(
      this.dataSource,
      sql`UPDATE evaluations SET state = 'waiting', due_at = now() + make_interval(secs => ${afterSeconds})
           WHERE id = ${id} AND state = 'running'`,
    );
  }

  async finish(id: string, end: Pick<EvaluationEntity, 'result' | 'error'>): Promise<void> {
    await execute(
      this.dataSource,
      sql`UPDATE evaluations
             SET state = ${end.error === null ? 'done' : 'failed'}, finished_at = now(),
                 result = ${end.result && JSON.stringify(end.result)}::jsonb,
                 error = ${end.error && JSON.stringify(end.error)}::jsonb
           WHERE id = ${id} AND state IN ('waiting', 'running')`,
    );
  }

  private async summaries(scope: TenantScope, condition: Sql): Promise<EvaluationSummary[]> {
    return queryRows<EvaluationSummary>(
      this.dataSource,
      sql`SELECT e.id, e.name, e.state, e.configuration, e.baseline, e.error,
                 e.created_at AS "createdAt", e.finished_at AS "finishedAt",
                 jsonb_array_length(e.questions) AS "questionCount",
                 (SELECT count(*)::int FROM evaluation_outcomes o
                   WHERE o.organization_id = e.organization_id AND o.evaluation_id = e.id) AS done
            FROM evaluations e
           WHERE ${visibleEvaluation(scope)} AND ${condition}`,
    );
  }
}

/**
 * A condition on rows `e` of `evaluations`: the reader may read all datastores that were searched. Nobody but owners can tell who
 * was allowed to read a datastore that is gone.
 */
function visibleEvaluation(scope: TenantScope): Sql {
  const isOwn = sql`e.organization_id = ${scope.organizationId}`;
  if (!isLimited(scope)) return isOwn;
  return sql`${isOwn} AND NOT EXISTS (
    SELECT 1 FROM unnest(e.datastore_ids) AS searched (id) LEFT JOIN datastores s ON s.id = searched.id
     WHERE s.id IS NULL OR NOT ${readable(scope, sql`s`)})`;
}
