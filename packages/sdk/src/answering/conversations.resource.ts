import type {
  Conversation,
  ConversationWithMessages,
  ErasedVisitor,
  Feedback,
  Message,
  Rating,
} from '@citewell/contracts';
import { readableStream } from '../http/streamed-form.js';
import { nextCursor, type PageParameters, Pages } from '../http/pages.js';
import { segment } from '../http/request-path.js';
import type { RequestOptions, Transport } from '../http/transport.js';

export interface ConversationFilter {
  agentId?: string | undefined;
  visitorId?: string | undefined;
  /** True: only conversations with an answer from which the agent abstained. False: only the others. */
  unanswered?: boolean | undefined;
  /** The worst rating of an answer in the conversation. */
  rating?: Rating | undefined;
  /** True: only conversations that the caller began, the one with the last question first. */
  own?: boolean | undefined;
  /** Is contained in the title or a question. Only conversations that the caller began. */
  search?: string | undefined;
}

export interface ListConversations extends ConversationFilter, PageParameters {}

/**
 * Selects one of several conversations with the same id.
 * Clients choose the ids, so two agents may use the same one.
 */
export interface ConversationOfAgent {
  agentId?: string | undefined;
}

/** Conversations with agents. Every method throws `CitewellError`, with `CONFLICT` if an id is ambiguous. */
export class Conversations {
  constructor(private readonly transport: Transport) {}

  list({ limit, cursor, ...query }: ListConversations = {}, options?: RequestOptions): Pages<Conversation> {
    return this.transport.list({ path: '/conversations', query, options }, { limit, cursor });
  }

  /**
   * Exports conversations as CSV in UTF-8, with one row per answer. Read the stream to the end or cancel it;
   * otherwise the connection stays open.
   */
  async export(
    filter: ConversationFilter = {},
    options?: RequestOptions,
  ): Promise<ReadableStream<Uint8Array>> {
    const path = '/exports/conversations';
    return readableStream(
      await this.transport.open({ method: 'GET', path, query: { ...filter }, accept: 'text/csv', options }),
    );
  }

  /** Returns a conversation with its newest messages. {@link messages} lists all messages. */
  get(
    id: string,
    { agentId, limit, cursor }: ConversationOfAgent & PageParameters = {},
    options?: RequestOptions,
  ): Promise<ConversationWithMessages> {
    const query = { agentId, limit, cursor };
    return this.transport.json({ method: 'GET', path: pathOf(id), query, options });
  }

  /** Lists the messages, newest first. */
  messages(
    id: string,
    { agentId, limit, cursor }: ConversationOfAgent & PageParameters = {},
    options?: RequestOptions,
  ): Pages<Message> {
    return new Pages(async (pageCursor) => {
      const query = { agentId, limit, cursor: pageCursor };
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

  /** Rates an answer of an agent. */
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

  /** Deletes a visitor with all conversations. */
  deleteVisitor(id: string, options?: RequestOptions): Promise<ErasedVisitor> {
    return this.transport.json({ method: 'DELETE', path: `/visitors/${segment(id)}`, options });
  }
}

function pathOf(id: string): string {
  return `/conversations/${segment(id)}`;
}
