import type { EntityManager } from 'typeorm';
import { isId } from '../connection/new-id.js';
import { hydrate, queryRows, type Sql, sql } from '../connection/sql.js';
import type { TenantScope } from '../connection/tenant-scope.js';
import { ConversationEntity } from '../schema/answering.entities.js';
import { isOwn, knownId, mayRead } from './conversation-access.js';

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

/** Which conversations are wanted. An absent field matches all of them. */
export interface ConversationFilter {
  agentId?: string | undefined;
  visitorId?: string | undefined;
  /** Whether the agent abstained from at least one answer. */
  unanswered?: boolean | undefined;
  /** The worst rating of an answer. */
  rating?: 'good' | 'bad' | undefined;
  /** Only conversations that the caller began. */
  own?: boolean | undefined;
  /** Is contained in the title or in a question. Only conversations that the caller began. */
  search?: string | undefined;
}

/** A condition on rows `c` of `conversations`: those that the caller reads, and that match the filter. */
export function matchesFilter(scope: TenantScope, filter: ConversationFilter): Sql {
  const { agentId, visitorId, unanswered, rating, own, search } = filter;
  // A malformed agent id has no conversations.
  if (agentId !== undefined && !isId(agentId)) return sql`false`;
  const conditions: Sql[] = [
    agentId === undefined ? sql`true` : sql`c.agent_id = ${agentId}`,
    visitorId === undefined ? sql`true` : sql`c.visitor_id = ${visitorId}`,
    unanswered === undefined
      ? sql`true`
      : unanswered
        ? hasMessage(sql`m.abstained`)
        : sql`NOT ${hasMessage(sql`m.abstained`)}`,
    rating === undefined ? sql`true` : hasMessage(sql`m.rating = ${rating}`),
    rating === 'good' ? sql`NOT ${hasMessage(sql`m.rating = 'bad'`)}` : sql`true`,
    own === true || search !== undefined ? isOwn(scope) : sql`true`,
    search === undefined ? sql`true` : contains(search),
  ];
  return conditions.reduce((all, condition) => sql`${all} AND ${condition}`, mayRead(scope));
}

/** Without regard to upper and lower case. `%` and `_` stand for themselves. */
function contains(text: string): Sql {
  const pattern = `%${text.replace(/[\\%_]/g, String.raw`\$&`)}%`;
  return sql`(c.title ILIKE ${pattern} OR ${hasMessage(sql`m.author = 'human' AND m.text ILIKE ${pattern}`)})`;
}

function hasMessage(condition: Sql): Sql {
  return sql`EXISTS (
    SELECT 1 FROM messages m
     WHERE m.organization_id = c.organization_id AND m.conversation_id = c.id AND ${condition})`;
}
