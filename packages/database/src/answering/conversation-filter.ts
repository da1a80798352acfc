import { isId } from '../connection/new-id.js';
import { type Sql, sql } from '../connection/sql.js';
import type { TenantScope } from '../connection/tenant-scope.js';
import { isOwn, mayRead } from './conversation-access.js';

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
  // The conversations of an agent id that is none are no conversations.
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
