import { randomUUID } from 'node:crypto';
import type { DataSource } from 'typeorm';
import { isId } from '../connection/new-id.js';
import type { Page } from '../connection/page.js';
import { execute, hydrate, queryRow, queryRows, type Sql, sql } from '../connection/sql.js';
import type { TenantScope } from '../connection/tenant-scope.js';
import { isLimited, visibleDatasource } from '../content/readers/readable.js';
import { MessageEntity } from '../schema/answering.entities.js';
import { isOwn } from './conversation-access.js';

/** A link of a conversation. */
export interface Share {
  id: string;
  sharedAt: Date;
}

/** A conversation that somebody reads by its link. */
export interface SharedConversation {
  id: string;
  agentId: string;
  title: string | null;
  /** The beginning of the first question. */
  question: string;
  /** Of the person who shares the conversation. */
  personName: string | null;
  sharedAt: Date;
}

const MAX_QUESTION_LENGTH = 500;

/** What people decide about conversations of their own: the name, and a link for others of the organization. */
export class SharedConversationRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** @param title null: the first question. The conversation keeps its place in the list. */
  async rename(scope: TenantScope, id: string, title: string | null): Promise<boolean> {
    const changed = await execute(
      this.dataSource,
      sql`UPDATE conversations c SET title = ${title} WHERE ${isOwnWithId(scope, id)}`,
    );
    return changed > 0;
  }

  /** Shares the messages so far. A link that exists stays. @returns null for a conversation that is not the caller's own */
  async share(scope: TenantScope, id: string): Promise<Share | null> {
    if (scope.reader === null) return null;
    return queryRow<Share>(
      this.dataSource,
      sql`UPDATE conversations c SET share_id = coalesce(c.share_id, ${randomUUID()}::uuid), shared_at = now()
           WHERE ${isOwnWithId(scope, id)} RETURNING c.share_id AS id, c.shared_at AS "sharedAt"`,
    );
  }

  /** The link stops working, also if the conversation is shared again. */
  async unshare(scope: TenantScope, id: string): Promise<void> {
    await execute(
      this.dataSource,
      sql`UPDATE conversations c SET share_id = NULL, shared_at = NULL WHERE ${isOwnWithId(scope, id)}`,
    );
  }

  /**
   * The conversation of a link, for a person who may read every document that its answers were based on. There is none while
   * the person who shares it is deactivated. A document that was
   * deleted is read by owners only, because its library is not known any more; and by nobody if the organization has documents whose
   * source names readers.
   */
  async find(scope: TenantScope, shareId: string): Promise<SharedConversation | null> {
    if (!isId(shareId) || scope.reader === null) return null;
    return queryRow<SharedConversation>(
      this.dataSource,
      sql`SELECT c.id, c.agent_id AS "agentId", c.title, p.name AS "personName", c.shared_at AS "sharedAt",
                 coalesce(left(first.text, ${MAX_QUESTION_LENGTH}), '') AS question
            FROM conversations c
            JOIN people p ON p.id = c.person_id AND p.disabled_at IS NULL
            LEFT JOIN LATERAL (
              SELECT text FROM messages m
               WHERE m.organization_id = c.organization_id AND m.conversation_id = c.id
               ORDER BY m.id LIMIT 1) first ON true
           WHERE c.organization_id = ${scope.organizationId} AND c.share_id = ${shareId}
             AND (${isOwn(scope)} OR NOT EXISTS (
               SELECT 1 FROM messages m CROSS JOIN LATERAL jsonb_array_elements(m.sources) AS q(source)
                WHERE m.organization_id = c.organization_id AND m.conversation_id = c.id
                  AND m.created_at <= c.shared_at
                  AND NOT ${mayReadDocument(scope, sql`(q.source ->> 'datasource_id')::uuid`)}))`,
    );
  }

  /** The messages that are shared, newest first. */
  async messages(
    { organizationId }: TenantScope,
    { id, sharedAt }: Pick<SharedConversation, 'id' | 'sharedAt'>,
    { limit, cursor }: Page,
  ): Promise<MessageEntity[]> {
    const rows = await queryRows<Record<string, unknown>>(
      this.dataSource,
      sql`SELECT m.* FROM messages m
           WHERE m.organization_id = ${organizationId} AND m.conversation_id = ${id}
             AND m.created_at <= ${sharedAt}
             AND ${cursor && isId(cursor) ? sql`m.id < ${cursor}` : sql`true`}
           ORDER BY m.id DESC LIMIT ${limit}`,
    );
    return hydrate(this.dataSource, MessageEntity, rows);
  }
}

function isOwnWithId(scope: TenantScope, id: string): Sql {
  return sql`c.organization_id = ${scope.organizationId} AND c.id = ${id} AND ${isOwn(scope)}`;
}

/** Whether a person may read a document and its library. */
function mayReadDocument(scope: TenantScope, id: Sql): Sql {
  const isVisible = sql`EXISTS (SELECT 1 FROM datasources d WHERE d.id = ${id} AND ${visibleDatasource(scope, sql`d`)})`;
  if (isLimited(scope)) return isVisible;
  return sql`(${isVisible} OR NOT (
    SELECT o.has_restricted_documents FROM organizations o WHERE o.id = ${scope.organizationId}))`;
}
