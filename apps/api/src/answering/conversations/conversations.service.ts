import type {
  Conversation,
  ConversationWithMessages,
  ErasedVisitor,
  Feedback,
  GetConversation,
  ListConversations,
  Message,
} from '@citewell/contracts/schemas';
import {
  type ConversationEntity,
  ConversationRepository,
  type ConversationView,
  FeedbackRepository,
  ResumableAnswerRepository,
  type MessageEntity,
  type Page,
  type TenantScope,
} from '@citewell/database';
import { Inject, Injectable } from '@nestjs/common';
import { ApiError, found, notFound } from '../../http/api-error.js';
import { assertScope, type Caller } from '../../http/caller.js';
import { toConversation, toMessage } from './conversation.mapper.js';

/** Reads and deletes conversations, and rates their answers. */
@Injectable()
export class ConversationsService {
  constructor(
    @Inject(ConversationRepository) private readonly conversations: ConversationRepository,
    @Inject(FeedbackRepository) private readonly feedback: FeedbackRepository,
    @Inject(ResumableAnswerRepository) private readonly answers: ResumableAnswerRepository,
  ) {}

  /** Returns the rows too: pagination uses their ids, not the external ids that clients choose. */
  async list(
    tenant: TenantScope,
    { limit, cursor, ...filter }: ListConversations,
  ): Promise<{ items: Conversation[]; rows: ConversationEntity[] }> {
    const views = await this.conversations.list(tenant, { limit, cursor }, filter);
    return { items: views.map(toConversation), rows: views.map(({ conversation }) => conversation) };
  }

  async get(
    tenant: TenantScope,
    id: string,
    { agentId, limit, cursor }: GetConversation,
  ): Promise<ConversationWithMessages> {
    const view = await this.find(tenant, id, { agentId });
    const messages = await this.messages(tenant, view.conversation.id, { limit, cursor });
    return { ...toConversation(view), messages: messages.map(toMessage) };
  }

  /** A conversation without its messages. */
  async read(tenant: TenantScope, id: string, agentId: string | undefined): Promise<Conversation> {
    return toConversation(await this.find(tenant, id, { agentId }));
  }

  /** Messages, newest first. An answer whose process has ended is not in progress. */
  private async messages(tenant: TenantScope, id: string, page: Page): Promise<MessageEntity[]> {
    const messages = await this.conversations.messages(tenant, id, page);
    if (messages.every(({ state }) => state !== 'answering')) return messages;
    await this.answers.endAbandoned(tenant, id);
    return this.conversations.messages(tenant, id, page);
  }

  /** People delete their own conversations, whatever their role. All others need the scope `write`. */
  async remove(caller: Caller, id: string, agentId: string | undefined): Promise<Conversation> {
    const { tenant } = caller;
    assertScope(caller, tenant.reader ? 'agents:query' : 'write');
    const view = await this.find(tenant, id, { agentId, forChange: true });
    if (!view.isOwn) assertScope(caller, 'write');
    await this.conversations.remove(tenant, view.conversation.id);
    return toConversation(view);
  }

  async rate(
    tenant: TenantScope,
    id: string,
    messageId: string,
    { rating, comment }: Feedback,
    agentId: string | undefined,
  ): Promise<Message> {
    const { conversation } = await this.find(tenant, id, { agentId, forChange: true });
    const message = await this.feedback.rate(tenant, conversation.id, messageId, rating, comment ?? null);
    return toMessage(found(message, 'message'));
  }

  async removeVisitor(tenant: TenantScope, id: string): Promise<ErasedVisitor> {
    if (!canBeStored(id)) throw notFound('visitor');
    const removed = await this.conversations.removeVisitor(tenant, id);
    if (removed.conversations === 0) throw notFound('visitor');
    return { id, ...removed };
  }

  /**
   * Clients choose conversation ids, so several agents may have the same one.
   *
   * @param options.forChange the conversation is to be rated or deleted, not read
   * @throws {@link ApiError} `NOT_FOUND`; `CONFLICT` when the id is ambiguous without an agent id
   */
  async find(
    tenant: TenantScope,
    id: string,
    { agentId, forChange = false }: { agentId: string | undefined; forChange?: boolean },
  ): Promise<ConversationView> {
    if (!canBeStored(id)) throw notFound('conversation');
    const [conversation, duplicate] = await this.conversations.findAll(tenant, id, { agentId, forChange });
    // A person may have an id that an API key has used, too.
    if (duplicate && duplicate.isOwn === conversation?.isOwn)
      throw new ApiError(
        'CONFLICT',
        'Several agents have a conversation with this id. Add agentId to the request.',
      );
    return found(conversation, 'conversation');
  }
}

/** The database cannot store U+0000, so no id contains it. */
function canBeStored(id: string): boolean {
  return !id.includes('\0');
}
