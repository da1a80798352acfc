import type { AnswerSentence } from '@citewell/contracts/schemas';
import type { DataSource } from 'typeorm';
import { isId } from '../connection/new-id.js';
import { afterCursor, type Page } from '../connection/page.js';
import { done, refuse, type Result } from '../connection/result.js';
import { execute, hydrateOne, queryRow, queryRows, sql } from '../connection/sql.js';
import type { TenantScope } from '../connection/tenant-scope.js';
import { ConversationEntity, MessageEntity } from '../schema/answering.entities.js';
import { valuesOf } from '../schema/columns.js';
import {
  isKnownAs,
  isOwn,
  knownId,
  mayChange,
  mayContinue,
  mayRead,
  openConversation,
  type Thread,
} from './conversation-access.js';
import {
  type ConversationFilter,
  type ConversationView,
  matchesFilter,
  selectConversations,
} from './conversation-view.js';

/** A question and its answer, written together. */
export interface Turn {
  question: Pick<MessageEntity, 'id' | 'text'>;
  answer: Pick<MessageEntity, 'id' | 'text' | 'sources' | 'abstained'> &
    Partial<Pick<MessageEntity, 'finishReason' | 'sentences'>>;
}

/** An answer with its question, as a row of an export. */
export interface ExportedAnswer {
  id: string;
  conversationId: string;
  createdAt: Date;
  agentId: string;
  /** The id by which the caller knows the conversation. */
  externalId: string;
  question: string;
  answer: string;
  abstained: boolean;
  state: 'complete' | 'stopped';
  rating: 'good' | 'bad' | null;
  comment: string | null;
  /** Addresses or names of the cited documents, once for each cited passage. */
  sources: string[];
  /** Null: the answer was not compared with passages. */
  sentences: AnswerSentence[] | null;
}

/** Conversations and their messages. */
export class ConversationRepository {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * The conversation with an agent that the caller goes on with by this id; null for a new one. Refuses an id with which another
   * API key has begun a conversation with the agent. Ids of people take no other ids.
   */
  async find(
    scope: TenantScope,
    agentId: string,
    id: string,
  ): Promise<Result<ConversationEntity | null, 'taken'>> {
    if (!isId(agentId)) return done(null);
    const { organizationId, reader } = scope;
    const isNamed = reader
      ? sql`c.person_id = ${reader.personId} AND c.personal_id = ${id}`
      : sql`c.external_id = ${id}`;
    const rows = await queryRows<Record<string, unknown> & { mayContinue: boolean }>(
      this.dataSource,
      sql`SELECT c.*, ${mayContinue(scope)} AS "mayContinue" FROM conversations c
           WHERE c.organization_id = ${organizationId} AND c.agent_id = ${agentId} AND ${isNamed}`,
    );
    if (rows[0]?.mayContinue === false) return refuse('taken');
    return done(hydrateOne(this.dataSource, ConversationEntity, rows[0]));
  }

  /**
   * Conversations that the caller knows by this id, at most two. Clients choose these ids, so several agents may have a
   * conversation with the same one. A conversation of one's own comes first.
   */
  async findAll(
    scope: TenantScope,
    id: string,
    { agentId, forChange = false }: { agentId?: string | undefined; forChange?: boolean } = {},
  ): Promise<ConversationView[]> {
    if (agentId !== undefined && !isId(agentId)) return [];
    return selectConversations(this.dataSource.manager, scope, {
      conversations: sql`SELECT * FROM conversations c
           WHERE ${forChange ? mayChange(scope) : mayRead(scope)} AND ${isKnownAs(scope, id)}
             AND ${agentId === undefined ? sql`true` : sql`c.agent_id = ${agentId}`}
           ORDER BY coalesce(${isOwn(scope)}, false) DESC LIMIT 2`,
      order: sql`"isOwn" DESC`,
    });
  }

  /** Newest first: those of one's own by the last question, others by the first. */
  async list(
    scope: TenantScope,
    { limit, cursor }: Page,
    filter: ConversationFilter,
  ): Promise<ConversationView[]> {
    const isByUse = filter.own === true || filter.search !== undefined;
    const order = isByUse ? sql`c.updated_at DESC, c.id DESC` : sql`c.id DESC`;
    const isAfter = isByUse
      ? sql`(c.updated_at, c.id) < (SELECT l.updated_at, l.id FROM conversations l WHERE l.id = ${cursor})`
      : sql`c.id < ${cursor}`;
    return selectConversations(this.dataSource.manager, scope, {
      conversations: sql`SELECT * FROM conversations c
           WHERE ${matchesFilter(scope, filter)} AND ${cursor && isId(cursor) ? isAfter : sql`true`}
           ORDER BY ${order} LIMIT ${limit}`,
      order,
    });
  }

  /**
   * Answers of the conversations that match, oldest conversation first: those that are complete or were stopped.
   *
   * @param after the last answer of the previous batch
   */
  async answers(
    scope: TenantScope,
    filter: ConversationFilter,
    limit: number,
    after?: Pick<ExportedAnswer, 'id' | 'conversationId'>,
  ): Promise<ExportedAnswer[]> {
    const isAfter = after
      ? sql`(a.conversation_id, a.id) > (${after.conversationId}, ${after.id})`
      : sql`true`;
    return queryRows<ExportedAnswer>(
      this.dataSource,
      sql`SELECT a.id, a.conversation_id AS "conversationId", a.created_at AS "createdAt",
                 c.agent_id AS "agentId", ${knownId(scope)} AS "externalId", coalesce(q.text, '') AS question,
                 a.text AS answer, a.abstained, a.state, a.rating, a.comment, a.sentences,
                 jsonb_path_query_array(a.sources, '$[*] ? (@.cited == true).source') AS sources
            FROM messages a
            JOIN conversations c ON c.organization_id = a.organization_id AND c.id = a.conversation_id
            LEFT JOIN LATERAL (
              SELECT text FROM messages m
               WHERE m.organization_id = a.organization_id AND m.conversation_id = a.conversation_id
                 AND m.id < a.id AND m.author = 'human'
               ORDER BY m.id DESC LIMIT 1) q ON true
           WHERE a.organization_id = ${scope.organizationId} AND a.author = 'agent'
             AND a.state IN ('complete', 'stopped') AND ${isAfter}
             AND ${matchesFilter(scope, filter)}
           ORDER BY a.conversation_id, a.id LIMIT ${limit}`,
    );
  }

  /** Messages of a conversation, newest first. */
  async messages(scope: TenantScope, conversationId: string, page: Page): Promise<MessageEntity[]> {
    return this.dataSource.getRepository(MessageEntity).find({
      where: {
        organizationId: scope.organizationId,
        conversationId,
        ...afterCursor(page),
      },
      order: { id: 'DESC' },
      take: page.limit,
    });
  }

  /** Appends a turn. Creates the conversation if it is new; two clients that create it at once share it. */
  async append(scope: TenantScope, thread: Thread, { question, answer }: Turn): Promise<void> {
    const { organizationId } = scope;
    await this.dataSource.transaction(async (manager) => {
      const common = { organizationId, conversationId: await openConversation(manager, scope, thread) };
      await manager.insert(MessageEntity, [
        valuesOf<MessageEntity>({ ...common, ...question, author: 'human' }),
        valuesOf<MessageEntity>({ ...common, ...answer, author: 'agent' }),
      ]);
    });
  }

  /**
   * Removes conversations with their messages that are older than the retention of their agent, of any organization. One
   * that goes on meanwhile is kept.
   *
   * @returns how many, at most `limit`
   */
  async removeExpired(limit: number): Promise<number> {
    return execute(
      this.dataSource,
      // Hours, because the length of days and months depends on the time zone of the session.
      sql`DELETE FROM conversations WHERE id IN (
            SELECT c.id FROM agents a
              JOIN conversations c ON c.organization_id = a.organization_id AND c.agent_id = a.id
             WHERE a.retention_days IS NOT NULL AND c.updated_at < now() - make_interval(hours => 24 * a.retention_days)
             LIMIT ${limit} FOR UPDATE OF c SKIP LOCKED)`,
    );
  }

  async remove(scope: TenantScope, conversationId: string): Promise<void> {
    await this.dataSource
      .getRepository(ConversationEntity)
      .delete({ id: conversationId, organizationId: scope.organizationId });
  }

  /**
   * Removes the conversations of a visitor: a person removes those that one may delete, a key all that keys began.
   *
   * @returns how many conversations and messages there were
   */
  async removeVisitor(
    scope: TenantScope,
    visitorId: string,
  ): Promise<{ conversations: number; messages: number }> {
    const { organizationId, reader } = scope;
    const removed = await queryRow<{ conversations: number; messages: number }>(
      this.dataSource,
      sql`WITH removed AS (
            DELETE FROM conversations c
             WHERE c.organization_id = ${organizationId} AND c.visitor_id = ${visitorId}
               AND ${reader ? mayChange(scope) : sql`c.person_id IS NULL`}
            RETURNING c.id
          )
          SELECT (SELECT count(*) FROM removed)::int AS conversations,
                 -- The messages of before: those of the removed conversations are deleted at the end of the statement.
                 (SELECT count(*) FROM messages
                   WHERE organization_id = ${organizationId} AND conversation_id IN (SELECT id FROM removed))::int AS messages`,
    );
    return removed ?? { conversations: 0, messages: 0 };
  }
}
