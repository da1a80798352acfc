import type { Source } from '@citewell/contracts/schemas';
import type { DataSource } from 'typeorm';
import { isId } from '../connection/new-id.js';
import { execute, hydrate, queryRow, queryRows, sql } from '../connection/sql.js';
import type { TenantScope } from '../connection/tenant-scope.js';
import { MessageEntity } from '../schema/answering.entities.js';
import { valuesOf } from '../schema/columns.js';
import { knownId, mayContinue, openConversation, type Thread } from './conversation-access.js';

/** Time without a write after which the process that wrote the answer has ended. */
const LEASE_SECONDS = 15;

/** An answer with what identifies its conversation for clients. */
export interface StoredAnswer {
  message: MessageEntity;
  conversationId: string;
  visitorId: string;
  visitorTokenHash: string | null;
}

/** How an answer ended. */
export type AnswerEnd = Pick<MessageEntity, 'text' | 'sources' | 'abstained' | 'finishReason' | 'error'> &
  Partial<Pick<MessageEntity, 'sentences'>> & { state: 'complete' | 'stopped' | 'failed' };

/**
 * Answers that are stored while they are written. One process writes an answer. It stores the answer again and again, and
 * its right to write ends when it has not done so for {@link LEASE_SECONDS}.
 */
export class ResumableAnswerRepository {
  constructor(private readonly dataSource: DataSource) {}

  /**
   * Stores the question, and an answer without text. Creates the conversation if it is new.
   *
   * @param turn.answerId made after the id of the question: messages are ordered by their ids
   */
  async begin(
    scope: TenantScope,
    thread: Thread,
    { question, answerId }: { question: Pick<MessageEntity, 'id' | 'text'>; answerId: string },
  ): Promise<void> {
    const { organizationId } = scope;
    await this.dataSource.transaction(async (manager) => {
      const conversationId = await openConversation(manager, scope, thread);
      await manager.insert(MessageEntity, [
        valuesOf<MessageEntity>({ organizationId, conversationId, ...question, author: 'human' }),
      ]);
      // The clock of the database alone decides about leases.
      await execute(
        manager,
        sql`INSERT INTO messages (id, organization_id, conversation_id, author, text, state, heartbeat_at)
            VALUES (${answerId}, ${organizationId}, ${conversationId}, 'agent', '', 'answering', now())`,
      );
    });
  }

  /**
   * Stores what has been written, and extends the lease.
   *
   * @param sources null: as before
   * @returns null when the answer was deleted, or ended because its lease had expired
   */
  async progress(
    scope: TenantScope,
    id: string,
    text: string,
    sources: readonly Source[] | null,
  ): Promise<{ stopRequested: boolean } | null> {
    return queryRow<{ stopRequested: boolean }>(
      this.dataSource,
      sql`UPDATE messages SET text = ${text}, heartbeat_at = now(),
                 sources = coalesce(${sources && JSON.stringify(sources)}::jsonb, sources)
           WHERE organization_id = ${scope.organizationId} AND id = ${id} AND state = 'answering'
           RETURNING stop_requested AS "stopRequested"`,
    );
  }

  /** Stores the answer as it ended. @returns whether it was stored; not in the cases in which {@link progress} returns null */
  async end(
    scope: TenantScope,
    id: string,
    { state, text, sources, abstained, finishReason, error, sentences = null }: AnswerEnd,
  ): Promise<boolean> {
    const changed = await execute(
      this.dataSource,
      sql`UPDATE messages SET state = ${state}, text = ${text}, sources = ${JSON.stringify(sources)}::jsonb,
                 abstained = ${abstained}, finish_reason = ${finishReason},
                 sentences = ${sentences && JSON.stringify(sentences)}::jsonb,
                 error = ${error && JSON.stringify(error)}::jsonb, heartbeat_at = NULL
           WHERE organization_id = ${scope.organizationId} AND id = ${id} AND state = 'answering'`,
    );
    return changed > 0;
  }

  /** An answer of an agent in a conversation that the caller goes on with. If its lease has expired, the answer has ended as `failed`. */
  async find(scope: TenantScope, agentId: string, id: string): Promise<StoredAnswer | null> {
    if (!isId(agentId) || !isId(id)) return null;
    const row = await this.select(scope, agentId, id);
    if (row?.isAbandoned !== true) return row;
    await this.endAbandoned(scope, row.message.conversationId);
    return this.select(scope, agentId, id);
  }

  /** Ends the answers of a conversation whose lease has expired. What was stored of them stays. */
  async endAbandoned(scope: TenantScope, conversationId: string): Promise<void> {
    await execute(
      this.dataSource,
      sql`UPDATE messages SET state = 'failed', heartbeat_at = NULL
           WHERE organization_id = ${scope.organizationId} AND conversation_id = ${conversationId}
             AND state = 'answering' AND heartbeat_at < now() - make_interval(secs => ${LEASE_SECONDS})`,
    );
  }

  /** Asks the process that writes the answer to stop. */
  async requestStop(scope: TenantScope, id: string): Promise<void> {
    await execute(
      this.dataSource,
      sql`UPDATE messages SET stop_requested = true
           WHERE organization_id = ${scope.organizationId} AND id = ${id} AND state = 'answering'`,
    );
  }

  private async select(
    scope: TenantScope,
    agentId: string,
    id: string,
  ): Promise<(StoredAnswer & { isAbandoned: boolean }) | null> {
    const rows = await queryRows<
      Record<string, unknown> & Omit<StoredAnswer, 'message'> & { isAbandoned: boolean }
    >(
      this.dataSource,
      sql`SELECT m.*, ${knownId(scope)} AS "conversationId", c.visitor_id AS "visitorId",
                 c.visitor_token_hash AS "visitorTokenHash",
                 m.state = 'answering' AND m.heartbeat_at < now() - make_interval(secs => ${LEASE_SECONDS})
                   AS "isAbandoned"
            FROM messages m
            JOIN conversations c ON c.organization_id = m.organization_id AND c.id = m.conversation_id
           WHERE m.organization_id = ${scope.organizationId} AND m.id = ${id} AND m.author = 'agent'
             AND c.agent_id = ${agentId} AND ${mayContinue(scope)}`,
    );
    const [message] = hydrate(this.dataSource, MessageEntity, rows);
    const [row] = rows;
    if (!row || !message) return null;
    const { conversationId, visitorId, visitorTokenHash, isAbandoned } = row;
    return { message, conversationId, visitorId, visitorTokenHash, isAbandoned };
  }
}
