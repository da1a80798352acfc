import type { EntityManager } from 'typeorm';
import { hydrate } from '../connection/hydrate.js';
import { queryRows, type Sql, sql } from '../connection/sql.js';
import type { TenantScope } from '../connection/tenant-scope.js';
import { isOwn, knownId } from './conversation-access.js';
import { ConversationEntity } from '../schema/answering.entities.js';

/** A conversation, and what its messages tell about it. */
export interface ConversationView {
  conversation: ConversationEntity;
  /** The id by which the caller knows the conversation. */
  knownId: string;
  /** Whether the caller began the conversation. */
  isOwn: boolean;
  /** Of the person whose conversation this is: the name, or the e-mail. Null without either. */
  personName: string | null;
  /** The beginning of the first question, at most {@link MAX_QUESTION_LENGTH} characters. */
  question: string;
  messages: number;
  /** Whether the agent abstained from at least one answer. */
  unanswered: boolean;
  /** The worst rating of an answer; null if none is rated. */
  rating: 'good' | 'bad' | null;
}

type ViewRow = Record<string, unknown> & Omit<ConversationView, 'conversation'>;

const MAX_QUESTION_LENGTH = 500;

/**
 * Reads conversations with the facts of their messages.
 *
 * @param conversations selects rows of `conversations`. The facts are read only for these rows.
 * @param order of rows `c`
 */
export async function selectConversations(
  manager: EntityManager,
  scope: TenantScope,
  { conversations, order = sql`c.id DESC` }: { conversations: Sql; order?: Sql },
): Promise<ConversationView[]> {
  const rows = await queryRows<ViewRow>(
    manager,
    sql`SELECT c.*, facts.*, coalesce(left(first.text, ${MAX_QUESTION_LENGTH}), '') AS question,
               ${knownId(scope)} AS "knownId", coalesce(${isOwn(scope)}, false) AS "isOwn",
               coalesce(p.name, p.email) AS "personName"
          FROM (${conversations}) c
          LEFT JOIN people p ON p.id = c.person_id
          CROSS JOIN LATERAL (
            SELECT count(*)::int AS messages, coalesce(bool_or(abstained), false) AS unanswered,
                   -- 'bad' sorts before 'good'.
                   min(rating) AS rating
              FROM messages m WHERE m.organization_id = c.organization_id AND m.conversation_id = c.id) facts
          LEFT JOIN LATERAL (
            SELECT text FROM messages m
             WHERE m.organization_id = c.organization_id AND m.conversation_id = c.id
             ORDER BY m.id LIMIT 1) first ON true
         ORDER BY ${order}`,
  );
  const entities = hydrate(manager.dataSource, ConversationEntity, rows);
  return rows.flatMap(
    ({ knownId: id, isOwn: own, personName, question, messages, unanswered, rating }, index) => {
      const conversation = entities[index];
      const facts = { knownId: id, isOwn: own, personName, question, messages, unanswered, rating };
      return conversation ? [{ conversation, ...facts }] : [];
    },
  );
}
