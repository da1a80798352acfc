import type { GapState } from '@citewell/contracts/schemas';
import type { DataSource, EntityManager } from 'typeorm';
import { isId, newId } from '../connection/new-id.js';
import type { Page } from '../connection/page.js';
import { execute, queryRow, queryRows, type Sql, sql } from '../connection/sql.js';
import type { TenantScope } from '../connection/tenant-scope.js';
import { accessible, existingDatasource } from '../content/readers/readable.js';

/** A question without an answer that has not been compared with others. */
export interface NewQuestion {
  answerId: string;
  organizationId: string;
  text: string;
}

/** A question with the vector of one space; null without a vector. */
export interface EmbeddedQuestionRow {
  text: string;
  embedding: { space: string; vector: Buffer } | null;
}

/** The oldest question of a gap, with which new questions are compared. */
export type GapQuestion = EmbeddedQuestionRow & { gapId: string };

/** Which gaps are wanted. An absent field matches all of them. */
export interface GapFilter {
  agentId?: string | undefined;
  state?: GapState | undefined;
  /** Only questions of the last days count. */
  days?: number | undefined;
}

export interface GapRow {
  id: string;
  /** How often each wording was asked, most frequent first; at most {@link MAX_WORDINGS}. */
  wordings: { question: string; count: number }[];
  questions: number;
  days: { day: string; count: number }[];
  firstAskedAt: Date;
  lastAskedAt: Date;
  agentIds: string[];
  state: GapState;
  markedAt: Date | null;
  markedBy: string | null;
  markedByName: string | null;
  checkedAt: Date | null;
  answeredAt: Date | null;
  /** Null if there is no such document any more. */
  document: { id: string; name: string; datastoreId: string } | null;
}

/** The last question of a gap, which is asked again. */
export interface DueGap {
  id: string;
  organizationId: string;
  agentId: string;
  question: string;
  lastAskedAt: Date;
  /** Somebody has marked the gap since it was asked again the last time. */
  isNewlyMarked: boolean;
}

/** An owner who can sign in. */
export interface GapOwner {
  email: string | null;
  language: string | null;
}

/** When gaps are due, and how many. */
export interface GapSchedule {
  /** Gaps that were asked again since then are not due. */
  since: Date;
  /** Of one organization since then. */
  perOrganization: number;
  limit: number;
}

const MAX_QUESTION_LENGTH = 500;
const MAX_WORDINGS = 5;
const MAX_DAYS = 31;
/** Gaps with which a question is compared: those that were asked about last. */
const COMPARED_GAPS = 500;
/** Longer than the searches of a batch take, and the time after which a failed search is repeated. */
const CLAIM = sql`interval '1 hour'`;

const STATE = sql`CASE WHEN g.answered_at > g.last_asked_at THEN 'answered'
                       WHEN g.marked_at > g.last_asked_at THEN 'marked' ELSE 'open' END`;

/** Joins `q`, the question of the answer `a`. */
const JOIN_QUESTION = sql`JOIN LATERAL (
  SELECT text FROM messages m
   WHERE m.organization_id = a.organization_id AND m.conversation_id = a.conversation_id
     AND m.id < a.id AND m.author = 'human'
   ORDER BY m.id DESC LIMIT 1) q ON true`;

/** Questions without an answer, by subject. They tell neither who asked nor the rest of the conversation. */
export class GapRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Questions of any organization that have not been compared, oldest first. Those that are gone are forgotten. */
  async newQuestions(limit: number): Promise<NewQuestion[]> {
    return queryRows<NewQuestion>(
      this.dataSource,
      sql`SELECT g.answer_id AS "answerId", g.organization_id AS "organizationId", coalesce(q.text, '') AS text
            FROM gap_questions g
            JOIN messages a ON a.id = g.answer_id
            LEFT ${JOIN_QUESTION}
           WHERE g.gap_id IS NULL ORDER BY g.answer_id LIMIT ${limit}`,
    );
  }

  /** These questions have no subject, such as a greeting. */
  async drop(answerIds: readonly string[]): Promise<void> {
    await execute(this.dataSource, sql`DELETE FROM gap_questions WHERE answer_id = ANY(${answerIds})`);
  }

  /**
   * Adds a question to a gap, or to a new one. Questions of an organization are added one after the other, so that two processes
   * do not begin the same gap.
   *
   * @param choose returns the gap of the question; null: none of these
   */
  async add(
    { answerId, organizationId }: NewQuestion,
    { embedding }: EmbeddedQuestionRow,
    choose: (gaps: readonly GapQuestion[]) => Promise<string | null>,
  ): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      const lock = `gaps ${organizationId}`;
      await queryRow(manager, sql`SELECT pg_advisory_xact_lock(hashtextextended(${lock}, 0))`);
      const gapId = (await choose(await oldestQuestions(manager, organizationId))) ?? newId();
      await execute(
        manager,
        sql`WITH asked AS (
              SELECT a.created_at FROM gap_questions q JOIN messages a ON a.id = q.answer_id
               WHERE q.answer_id = ${answerId} AND q.gap_id IS NULL
            )
            INSERT INTO gaps AS g (id, organization_id, last_asked_at)
            SELECT ${gapId}, ${organizationId}, created_at FROM asked
                ON CONFLICT (id) DO UPDATE SET last_asked_at = greatest(g.last_asked_at, EXCLUDED.last_asked_at)`,
      );
      await execute(
        manager,
        sql`UPDATE gap_questions SET gap_id = ${gapId}, space = ${embedding?.space ?? null},
                   vector = ${embedding?.vector ?? null}
             WHERE answer_id = ${answerId} AND gap_id IS NULL`,
      );
    });
  }

  /** Most frequent first, then those that were asked about last. */
  async list(scope: TenantScope, { limit, cursor }: Page, filter: GapFilter): Promise<GapRow[]> {
    const isAfter =
      cursor && isId(cursor) ? sql`rank > (SELECT rank FROM ranked WHERE id = ${cursor})` : sql`true`;
    return this.select(scope, filter, sql`${isAfter} ORDER BY rank LIMIT ${limit}`);
  }

  async find(scope: TenantScope, id: string): Promise<GapRow | null> {
    if (!isId(id)) return null;
    const [gap] = await this.select(scope, {}, sql`id = ${id}`);
    return gap ?? null;
  }

  /** Marks a gap as answered, or opens it again. @returns null if there is no such gap */
  async mark(scope: TenantScope, id: string, isAnswered: boolean): Promise<GapRow | null> {
    if (!isId(id)) return null;
    const { organizationId, reader } = scope;
    await execute(
      this.dataSource,
      isAnswered
        ? sql`UPDATE gaps SET marked_at = now(), marked_by = ${reader?.personId ?? null}
               WHERE id = ${id} AND organization_id = ${organizationId}`
        : sql`UPDATE gaps SET marked_at = NULL, marked_by = NULL, answered_at = NULL, datasource_id = NULL
               WHERE id = ${id} AND organization_id = ${organizationId}`,
    );
    return this.find(scope, id);
  }

  /**
   * Claims gaps whose last question is to be asked again: somebody has marked them since the last time, or a library of the agent
   * has content that is newer than the question and the last time. Gaps that have waited longest come first. A claimed gap is due
   * again after {@link CLAIM} unless {@link record} is called: the search has failed, or the process has stopped.
   */
  async claimDue({ since, perOrganization, limit }: GapSchedule): Promise<DueGap[]> {
    return queryRows<DueGap>(
      this.dataSource,
      sql`WITH content AS MATERIALIZED (
            SELECT s.organization_id, s.id AS datastore_id,
                   (SELECT max(d.last_synch) FROM datasources d
                     WHERE d.organization_id = s.organization_id AND d.datastore_id = s.id
                       AND d.deleted_at IS NULL) AS newest
              FROM datastores s
             WHERE s.deleted_at IS NULL AND s.organization_id IN (
                     SELECT g.organization_id FROM gaps g WHERE ${isClaimable(since)})
          )
          UPDATE gaps SET claimed_at = now()
            FROM (
              SELECT g.id, last.agent_id AS "agentId", last.text AS question, last.created_at AS "lastAskedAt",
                     ${IS_NEWLY_MARKED} AS "isNewlyMarked"
                FROM gaps g
                JOIN LATERAL (
                  SELECT c.agent_id, a.created_at, q.text
                    FROM gap_questions gq
                    JOIN messages a ON a.id = gq.answer_id
                    JOIN conversations c ON c.id = a.conversation_id
                    ${JOIN_QUESTION}
                   WHERE gq.organization_id = g.organization_id AND gq.gap_id = g.id
                   ORDER BY gq.answer_id DESC LIMIT 1) last ON true
               WHERE ${isClaimable(since)} AND (${IS_NEWLY_MARKED} OR ${HAS_NEW_CONTENT})
                 AND (SELECT count(*) FROM gaps o WHERE o.organization_id = g.organization_id
                         AND (o.checked_at >= ${since} OR ${isClaimed(sql`o`)})) < ${perOrganization}
               ORDER BY coalesce(g.checked_at, g.created_at), g.id
               LIMIT ${limit} FOR UPDATE OF g SKIP LOCKED) due
           WHERE gaps.id = due.id
          RETURNING gaps.organization_id AS "organizationId", due.*`,
    );
  }

  /** Those of the datasources whose content was added or changed after an instant. A reindex does not change it. */
  async changedSince(
    { organizationId }: TenantScope,
    datasourceIds: readonly string[],
    since: Date,
  ): Promise<Set<string>> {
    const rows = await queryRows<{ id: string }>(
      this.dataSource,
      sql`SELECT DISTINCT datasource_id AS id FROM runs
           WHERE organization_id = ${organizationId} AND datasource_id = ANY(${datasourceIds})
             AND revision IS NOT NULL AND trigger <> 'reindex' AND finished_at > ${since}`,
    );
    return new Set(rows.map(({ id }) => id));
  }

  /**
   * Records what was found for the last question of a claimed gap, with the events for webhooks. Nothing is recorded for a gap
   * whose subject was asked about meanwhile.
   *
   * @param datasourceId of the passage that answers; null: none does
   * @returns who is told; null if nobody is
   */
  async record(
    { id, organizationId, agentId, lastAskedAt, isNewlyMarked }: DueGap,
    datasourceId: string | null,
  ): Promise<GapOwner | null> {
    const isTold = datasourceId !== null || isNewlyMarked;
    const data = { gapId: id, agentId, ...(datasourceId !== null && { datasourceId }) };
    const event = datasourceId === null ? 'gap.unanswered' : 'gap.answered';
    return queryRow<GapOwner>(
      this.dataSource,
      sql`WITH recorded AS (
            UPDATE gaps SET checked_at = claimed_at, datasource_id = ${datasourceId}::uuid,
                   answered_at = CASE WHEN ${datasourceId}::uuid IS NULL THEN NULL ELSE now() END
             WHERE id = ${id} AND organization_id = ${organizationId} AND date_trunc('milliseconds', last_asked_at) <= ${lastAskedAt}
            RETURNING marked_by, marked_at > last_asked_at AS is_marked
          ), told AS MATERIALIZED (
            SELECT marked_by, is_marked,
                   record_webhook_event(${organizationId}, ${event}, ${JSON.stringify(data)}::jsonb)
              FROM recorded WHERE ${isTold}
          )
          SELECT p.email, p.language FROM told
            JOIN people p ON p.id = told.marked_by AND told.is_marked
           WHERE p.organization_id = ${organizationId} AND p.role = 'owner' AND p.disabled_at IS NULL`,
    );
  }

  /** Claims organizations whose owners get the mail of the week, each once: the next mail is due a week later. */
  async claimWeeklyMails(limit: number): Promise<string[]> {
    const rows = await queryRows<{ id: string }>(
      this.dataSource,
      sql`UPDATE organizations SET gap_mail_due_at = now() + interval '7 days'
           WHERE id IN (SELECT id FROM organizations WHERE gap_mail_due_at <= now() AND deleted_at IS NULL
                         ORDER BY gap_mail_due_at LIMIT ${limit} FOR UPDATE SKIP LOCKED)
          RETURNING id`,
    );
    return rows.map(({ id }) => id);
  }

  /** The owners who have signed in and still can. */
  async owners({ organizationId }: TenantScope): Promise<GapOwner[]> {
    return queryRows<GapOwner>(
      this.dataSource,
      sql`SELECT email, language FROM people
           WHERE organization_id = ${organizationId} AND role = 'owner' AND signed_in_at IS NOT NULL
             AND disabled_at IS NULL`,
    );
  }

  /** Removes gaps whose questions are gone. */
  async collect(): Promise<void> {
    await execute(
      this.dataSource,
      sql`DELETE FROM gaps g WHERE NOT EXISTS (
            SELECT 1 FROM gap_questions q WHERE q.organization_id = g.organization_id AND q.gap_id = g.id)`,
    );
  }

  private async select(
    scope: TenantScope,
    { agentId, state, days }: GapFilter,
    page: Sql,
  ): Promise<GapRow[]> {
    const { organizationId } = scope;
    if (agentId !== undefined && !isId(agentId)) return [];
    return queryRows<GapRow>(
      this.dataSource,
      sql`WITH asked AS (
            SELECT gq.gap_id, a.created_at, c.agent_id, left(q.text, ${MAX_QUESTION_LENGTH}) AS text
              FROM gap_questions gq
              JOIN messages a ON a.id = gq.answer_id
              JOIN conversations c ON c.id = a.conversation_id
              ${JOIN_QUESTION}
             WHERE gq.organization_id = ${organizationId} AND gq.gap_id IS NOT NULL
               AND ${agentId === undefined ? sql`true` : sql`c.agent_id = ${agentId}`}
               AND ${days === undefined ? sql`true` : sql`a.created_at > now() - make_interval(hours => ${24 * days})`}
          ), subjects AS (
            SELECT gap_id, count(*)::int AS questions, min(created_at) AS first, max(created_at) AS last,
                   array_agg(DISTINCT agent_id) AS agents
              FROM asked GROUP BY gap_id
          ), ranked AS (
            SELECT g.*, s.questions, s.first, s.last, s.agents, ${STATE} AS state,
                   row_number() OVER (ORDER BY s.questions DESC, s.last DESC, g.id) AS rank
              FROM subjects s JOIN gaps g ON g.id = s.gap_id
             WHERE ${state === undefined ? sql`true` : sql`${STATE} = ${state}`}
          ), page AS (
            SELECT * FROM ranked WHERE ${page}
          ), worded AS (
            SELECT gap_id, min(text) AS question, count(*)::int AS count,
                   row_number() OVER (PARTITION BY gap_id ORDER BY count(*) DESC, min(length(text)), min(text)) AS place
              FROM asked WHERE gap_id IN (SELECT id FROM page)
             GROUP BY gap_id, lower(regexp_replace(rtrim(text, ' ?!.？！。'), '[[:space:]]+', ' ', 'g'))
          ), dated AS (
            SELECT gap_id, to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day, count(*)::int AS count,
                   row_number() OVER (PARTITION BY gap_id
                     ORDER BY to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') DESC) AS place
              FROM asked WHERE gap_id IN (SELECT id FROM page) GROUP BY 1, 2
          )
          SELECT g.id, g.questions, g.first AS "firstAskedAt", g.last AS "lastAskedAt", g.agents AS "agentIds",
                 g.state, g.marked_at AS "markedAt", g.marked_by AS "markedBy",
                 coalesce(p.name, p.email) AS "markedByName",
                 g.checked_at AS "checkedAt", g.answered_at AS "answeredAt",
                 CASE WHEN d.id IS NOT NULL
                   THEN jsonb_build_object('id', d.id, 'name', d.name, 'datastoreId', d.datastore_id) END AS document,
                 (SELECT jsonb_agg(jsonb_build_object('question', w.question, 'count', w.count) ORDER BY w.place)
                    FROM worded w WHERE w.gap_id = g.id AND w.place <= ${MAX_WORDINGS}) AS wordings,
                 (SELECT jsonb_agg(jsonb_build_object('day', t.day, 'count', t.count) ORDER BY t.day)
                    FROM dated t WHERE t.gap_id = g.id AND t.place <= ${MAX_DAYS}) AS days
            FROM page g
            LEFT JOIN people p ON p.id = g.marked_by
            LEFT JOIN datasources d ON d.id = g.datasource_id AND d.organization_id = ${organizationId}
                                   AND ${accessible(scope, sql`d`)} AND ${existingDatasource(sql`d`)}
           ORDER BY g.rank`,
    );
  }
}

/** Conditions on rows `g` of `gaps`, with `last`, the last question. */
const IS_NEWLY_MARKED = sql`coalesce(
  g.marked_at > g.last_asked_at AND g.marked_at > coalesce(g.checked_at, g.created_at), false)`;

/** `content` has the newest content of each datastore, so that it is not read for each gap. */
const HAS_NEW_CONTENT = sql`EXISTS (
  SELECT 1 FROM agents
    JOIN content ON content.organization_id = agents.organization_id
   WHERE agents.organization_id = g.organization_id AND agents.id = last.agent_id
     AND content.newest > greatest(last.created_at, g.checked_at)
     AND (agents.all_datastores OR EXISTS (
            SELECT 1 FROM agent_datastores ad
             WHERE ad.organization_id = agents.organization_id AND ad.agent_id = agents.id
               AND ad.datastore_id = content.datastore_id)))`;

function isClaimable(since: Date): Sql {
  return sql`coalesce(g.checked_at, g.created_at) < ${since} AND ${STATE} <> 'answered' AND NOT ${isClaimed(sql`g`)}`;
}

function isClaimed(gap: Sql): Sql {
  return sql`coalesce(${gap}.claimed_at > now() - ${CLAIM}, false)`;
}

/** The oldest question of each of the gaps that were asked about last. */
async function oldestQuestions(manager: EntityManager, organizationId: string): Promise<GapQuestion[]> {
  const rows = await queryRows<{ gapId: string; text: string; space: string | null; vector: Buffer | null }>(
    manager,
    sql`SELECT g.id AS "gapId", first.text, first.space, first.vector
          FROM (SELECT id FROM gaps WHERE organization_id = ${organizationId}
                 ORDER BY last_asked_at DESC LIMIT ${COMPARED_GAPS}) g
          JOIN LATERAL (
            SELECT q.text, gq.space, gq.vector
              FROM gap_questions gq
              JOIN messages a ON a.id = gq.answer_id
              ${JOIN_QUESTION}
             WHERE gq.organization_id = ${organizationId} AND gq.gap_id = g.id
             ORDER BY gq.answer_id LIMIT 1) first ON true`,
  );
  return rows.map(({ gapId, text, space, vector }) => ({
    gapId,
    text,
    embedding: space !== null && vector !== null ? { space, vector } : null,
  }));
}
