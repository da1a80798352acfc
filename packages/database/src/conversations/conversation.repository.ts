import type { DataSource } from 'typeorm';
import { ConversationEntity, MessageEntity } from './conversation.entity.js';
import { isId, newId } from '../connection/new-id.js';
import type { TenantScope } from '../connection/tenant-scope.js';
import { valuesOf } from '../connection/columns.js';
import { afterCursor, type Page } from '../connection/page.js';
import { queryRow, sql } from '../connection/sql.js';

/** A question and its answer, written together. */
export interface Turn {
  question: Pick<MessageEntity, 'id' | 'text'>;
  answer: Pick<MessageEntity, 'id' | 'text' | 'sources' | 'abstained'>;
}

/** Conversations and their messages. */
export class ConversationRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** The conversation with an agent that its client knows by this id. */
  async find(scope: TenantScope, agentId: string, externalId: string): Promise<ConversationEntity | null> {
    return this.dataSource
      .getRepository(ConversationEntity)
      .findOneBy({ organizationId: scope.organizationId, agentId, externalId });
  }

  /**
   * Conversations of the organization that clients know by this id, at most two. Clients choose these ids, so
   * several agents may have a conversation with the same one.
   */
  async findAll(scope: TenantScope, externalId: string, agentId?: string): Promise<ConversationEntity[]> {
    if (agentId !== undefined && !isId(agentId)) return [];
    return this.dataSource.getRepository(ConversationEntity).find({
      where: {
        organizationId: scope.organizationId,
        externalId,
        ...(agentId === undefined ? {} : { agentId }),
      },
      take: 2,
    });
  }

  async list(
    scope: TenantScope,
    page: Page,
    filter: { agentId?: string | undefined; visitorId?: string | undefined },
  ): Promise<ConversationEntity[]> {
    if (filter.agentId !== undefined && !isId(filter.agentId)) return [];
    return this.dataSource.getRepository(ConversationEntity).find({
      where: {
        organizationId: scope.organizationId,
        ...(filter.agentId === undefined ? {} : { agentId: filter.agentId }),
        ...(filter.visitorId === undefined ? {} : { visitorId: filter.visitorId }),
        ...afterCursor(page),
      },
      order: { id: 'DESC' },
      take: page.limit,
    });
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
  async append(
    scope: TenantScope,
    thread: { agentId: string; externalId: string; visitorId: string },
    { question, answer }: Turn,
  ): Promise<void> {
    const { organizationId } = scope;
    await this.dataSource.transaction(async (manager) => {
      const conversation = await queryRow<{ id: string }>(
        manager,
        sql`INSERT INTO conversations (id, organization_id, agent_id, external_id, visitor_id)
            VALUES (${newId()}, ${organizationId}, ${thread.agentId}, ${thread.externalId}, ${thread.visitorId})
            ON CONFLICT (organization_id, agent_id, external_id) DO UPDATE SET updated_at = now() RETURNING id`,
      );
      if (conversation === null) throw new Error('An upsert returns its row');
      const common = { organizationId, conversationId: conversation.id };
      await manager.insert(MessageEntity, [
        valuesOf<MessageEntity>({ ...common, ...question, author: 'human' }),
        valuesOf<MessageEntity>({ ...common, ...answer, author: 'agent' }),
      ]);
    });
  }

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

  async remove(scope: TenantScope, conversationId: string): Promise<void> {
    await this.dataSource
      .getRepository(ConversationEntity)
      .delete({ id: conversationId, organizationId: scope.organizationId });
  }

  /** Removes every conversation of a visitor. @returns how many */
  async removeVisitor(scope: TenantScope, visitorId: string): Promise<number> {
    const { affected } = await this.dataSource
      .getRepository(ConversationEntity)
      .delete({ organizationId: scope.organizationId, visitorId });
    return affected ?? 0;
  }
}
