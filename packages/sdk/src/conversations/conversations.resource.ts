import { nextCursor, type PageParameters, Pages } from '../http/pages.js';
import { segment } from '../http/request-path.js';
import type { RequestOptions, Transport } from '../http/transport.js';
import type { Conversation, ConversationWithMessages, Feedback, Message } from '../wire.types.js';

export interface ListConversations extends PageParameters {
  agentId?: string | undefined;
  visitorId?: string | undefined;
}

/** Which of several conversations of one id: ids are made up by clients, so two agents may share one. */
export interface ConversationOfAgent {
  agentId?: string | undefined;
}

/** What was said. Every method throws `CitewellError`, `CONFLICT` where an id alone is ambiguous. */
export class Conversations {
  constructor(private readonly transport: Transport) {}

  list({ limit, cursor, ...query }: ListConversations = {}, options?: RequestOptions): Pages<Conversation> {
    return this.transport.list({ path: '/conversations', query, options }, { limit, cursor });
  }

  /** With its newest messages; {@link messages} has all of them. */
  get(
    id: string,
    { agentId, limit, cursor }: ConversationOfAgent & PageParameters = {},
    options?: RequestOptions,
  ): Promise<ConversationWithMessages> {
    const query = { agentId, limit, cursor };
    return this.transport.json({ method: 'GET', path: pathOf(id), query, options });
  }

  /** Newest first. */
  messages(
    id: string,
    { agentId, limit, cursor }: ConversationOfAgent & PageParameters = {},
    options?: RequestOptions,
  ): Pages<Message> {
    return new Pages(async (from) => {
      const query = { agentId, limit, cursor: from };
      const { value, headers } = await this.transport.jsonWithHeaders<ConversationWithMessages>({
        method: 'GET',
        path: pathOf(id),
        query,
        options,
      });
      return { items: value.messages, nextCursor: nextCursor(headers.get('link')) };
    }, cursor);
  }

  delete(id: string, { agentId }: ConversationOfAgent = {}, options?: RequestOptions): Promise<Conversation> {
    return this.transport.json({ method: 'DELETE', path: pathOf(id), query: { agentId }, options });
  }

  /** Rates an answer. */
  rate(
    id: string,
    messageId: string,
    feedback: Feedback,
    { agentId }: ConversationOfAgent = {},
    options?: RequestOptions,
  ): Promise<Message> {
    const path = `${pathOf(id)}/messages/${segment(messageId)}/feedback`;
    return this.transport.json({ method: 'POST', path, query: { agentId }, json: feedback, options });
  }

  /** Forgets a visitor with every conversation; tells how many there were. */
  deleteVisitor(id: string, options?: RequestOptions): Promise<{ id: string; conversations: number }> {
    return this.transport.json({ method: 'DELETE', path: `/visitors/${segment(id)}`, options });
  }
}

function pathOf(id: string): string {
  return `/conversations/${segment(id)}`;
}
