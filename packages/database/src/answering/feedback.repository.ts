import type { DataSource } from 'typeorm';
import { isId } from '../connection/new-id.js';
import type { Page } from '../connection/page.js';
import { queryRows, sql } from '../connection/sql.js';
import type { TenantScope } from '../connection/tenant-scope.js';
import { MessageEntity } from '../schema/answering.entities.js';

/** A question that was not answered, or whose answer was rated. It tells neither who asked nor the conversation. */
export interface FeedbackRow {
  /** Of the answer. */
  id: string;
  agentId: string;
  question: string;
  abstained: boolean;
  rating: 'good' | 'bad' | null;
  comment: string | null;
  createdAt: Date;
}

/** Which questions are wanted. An absent field matches all of them. */
export interface FeedbackFilter {
  agentId?: string | undefined;
  kind?: 'unanswered' | 'good' | 'bad' | undefined;
}

/** Ratings of answers, and what the answers of an organization lack, whoever asked. */
export class FeedbackRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** Newest first. */
  async list(
    { organizationId }: TenantScope,
    { limit, cursor }: Page,
    { agentId, kind }: FeedbackFilter,
  ): Promise<FeedbackRow[]> {
    if (agentId !== undefined && !isId(agentId)) return [];
    const isWanted =
      kind === undefined
        ? sql`(a.abstained OR a.rating IS NOT NULL)`
        : kind === 'unanswered'
          ? sql`a.abstained`
          : sql`a.rating = ${kind}`;
    return queryRows<FeedbackRow>(
      this.dataSource,
      sql`SELECT a.id, c.agent_id AS "agentId", coalesce(q.text, '') AS question, a.abstained, a.rating, a.comment,
                 a.created_at AS "createdAt"
            FROM messages a
            JOIN conversations c ON c.organization_id = a.organization_id AND c.id = a.conversation_id
            LEFT JOIN LATERAL (
              SELECT text FROM messages m
               WHERE m.organization_id = a.organization_id AND m.conversation_id = a.conversation_id
                 AND m.id < a.id AND m.author = 'human'
               ORDER BY m.id DESC LIMIT 1) q ON true
           WHERE a.organization_id = ${organizationId} AND a.author = 'agent' AND ${isWanted}
             AND ${agentId === undefined ? sql`true` : sql`c.agent_id = ${agentId}`}
             AND ${cursor && isId(cursor) ? sql`a.id < ${cursor}` : sql`true`}
           ORDER BY a.id DESC LIMIT ${limit}`,
    );
  }

  /** Rates an answer. Null if the conversation has no such answer. */
  async rate(
    scope: TenantScope,
    conversationId: string,
    messageId: string,
    rating: 'good' | 'bad',
    comment: string | null,
  ): Promise<MessageEntity | null> {
    if (!isId(messageId)) return null;
    const messages = this.dataSource.getRepository(MessageEntity);
    const where = {
      organizationId: scope.organizationId,
      conversationId,
      id: messageId,
      author: 'agent' as const,
    };
    await messages.update(where, { rating, comment });
    return messages.findOneBy(where);
  }
}
