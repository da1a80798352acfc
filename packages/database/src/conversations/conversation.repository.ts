import { type DataSource, LessThan } from 'typeorm';
import { ConversationEntity, MessageEntity } from './conversation.entity.js';
import { isId, newId } from '../connection/new-id.js';
import type { TenantScope } from '../connection/tenant-scope.js';
import type { Page } from '../connection/page.js';

/** Question and answer of one turn, written together. */
export interface Turn {
  question: Pick<MessageEntity, 'id' | 'text'>;
  answer: Pick<MessageEntity, 'id' | 'text' | 'sources' | 'abstained'>;
}

/** Conversations and their messages. */
export class ConversationRepository {
  constructor(private readonly dataSource: DataSource) {}

  /** The conversation that an agent's client calls by this id, if there is one. */
  async find(scope: TenantScope, agentId: string, externalId: string): Promise<ConversationEntity | null> {
    return this.dataSource
      .getRepository(ConversationEntity)
      .findOneBy({ organizationId: scope.organizationId, agentId, externalId });
  }

  /** Every conversation of the organization under this id: clients make ids up, so there may be one per agent. */
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
        ...(page.cursor && isId(page.cursor) ? { id: LessThan(page.cursor) } : {}),
      },
      order: { id: 'DESC' },
      take: page.limit,
    });
  }

  /** Newest first. */
  async messages(scope: TenantScope, conversationId: string, page: Page): Promise<MessageEntity[]> {
    return this.dataSource.getRepository(MessageEntity).find({
      where: {
        organizationId: scope.organizationId,
        conversationId,
        ...(page.cursor && isId(page.cursor) ? { id: LessThan(page.cursor) } : {}),
      },
      order: { id: 'DESC' },
      take: page.limit,
    });
  }

  /** Appends a turn; the conversation is made if it is new. Two clients that make it at once share it. */
  async append(
    scope: TenantScope,
    thread: { agentId: string; externalId: string; visitorId: string },
    { question, answer }: Turn,
  ): Promise<void> {
    const { organizationId } = scope;
    await this.dataSource.transaction(async (manager) => {
      const [{ id: conversationId }] = await manager.query<[{ id: string }]>(
        `INSERT INTO conversations (id, organization_id, agent_id, external_id, visitor_id) VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT (organization_id, agent_id, external_id) DO UPDATE SET updated_at = now() RETURNING id`,
        [newId(), organizationId, thread.agentId, thread.externalId, thread.visitorId],
      );
      await manager.query(
        `INSERT INTO messages (organization_id, conversation_id, id, author, text, sources, abstained)
         VALUES ($1, $2, $3, 'human', $4, '[]', false), ($1, $2, $5, 'agent', $6, $7::jsonb, $8)`,
        [
          organizationId,
          conversationId,
          question.id,
          question.text,
          answer.id,
          answer.text,
          JSON.stringify(answer.sources),
          answer.abstained,
        ],
      );
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

  /** Forgets a visitor: every conversation they took part in. Returns how many there were. */
  async removeVisitor(scope: TenantScope, visitorId: string): Promise<number> {
    const { affected } = await this.dataSource
      .getRepository(ConversationEntity)
      .delete({ organizationId: scope.organizationId, visitorId });
    return affected ?? 0;
  }
}
