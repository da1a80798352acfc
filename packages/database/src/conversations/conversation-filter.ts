import { isId } from '../connection/new-id.js';
import { type Sql, sql } from '../connection/sql.js';
import type { TenantScope } from '../connection/tenant-scope.js';

/** Which conversations are wanted. An absent field matches all of them. */
export interface ConversationFilter {
  agentId?: string | undefined;
  visitorId?: string | undefined;
  /** Whether the agent abstained from at least one answer. */
  unanswered?: boolean | undefined;
  /** The worst rating of an answer. */
  rating?: 'good' | 'bad' | undefined;
}

/** A condition on rows `c` of `conversations`. */
export function matchesFilter({ organizationId }: TenantScope, filter: ConversationFilter): Sql {
  const { agentId, visitorId, unanswered, rating } = filter;
  // The conversations of an agent id that is none are no conversations.
  if (agentId !== undefined && !isId(agentId)) return sql`false`;
  const conditions: Sql[] = [
    agentId === undefined ? sql`true` : sql`c.agent_id = ${agentId}`,
    visitorId === undefined ? sql`true` : sql`c.visitor_id = ${visitorId}`,
    unanswered === undefined
      ? sql`true`
      : unanswered
        ? hasAnswer(sql`m.abstained`)
        : sql`NOT ${hasAnswer(sql`m.abstained`)}`,
    rating === undefined ? sql`true` : hasAnswer(sql`m.rating = ${rating}`),
    rating === 'good' ? sql`NOT ${hasAnswer(sql`m.rating = 'bad'`)}` : sql`true`,
  ];
  return conditions.reduce(
    (all, condition) => sql`${all} AND ${condition}`,
    sql`c.organization_id = ${organizationId}`,
  );
}

function hasAnswer(condition: Sql): Sql {
  return sql`EXISTS (
    SELECT 1 FROM messages m
     WHERE m.organization_id = c.organization_id AND m.conversation_id = c.id AND ${condition})`;
}
