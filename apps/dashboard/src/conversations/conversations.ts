import type { ConversationFilter } from '@citewell/sdk';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { client } from '../client.js';

const PAGE = 50;
const MESSAGES = 100;

/** Conversations, the latest first, page by page. */
export const conversationsQuery = (filter: ConversationFilter) =>
  infiniteQueryOptions({
    queryKey: ['conversations', filter],
    queryFn: ({ pageParam }) =>
      client.conversations.list({ ...filter, limit: PAGE, cursor: pageParam }).first(),
    // `undefined` is the first page.
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
  });

/** A conversation with its newest messages. Clients choose the ids, so the agent belongs to the key. */
export const conversationQuery = (id: string, agentId: string) =>
  queryOptions({
    queryKey: ['conversation', agentId, id],
    queryFn: () => client.conversations.get(id, { agentId, limit: MESSAGES }),
  });
