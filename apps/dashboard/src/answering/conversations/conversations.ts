import type { ConversationFilter } from '@citewell/sdk';
import { queryOptions } from '@tanstack/react-query';
import { client } from '../../client.js';
import { pagesQuery } from '../../components/pages-query.js';

const PAGE = 50;
const MESSAGES = 100;

/** Conversations, the latest first, page by page. */
export const conversationsQuery = (filter: ConversationFilter) =>
  pagesQuery(['conversations', filter], (cursor) =>
    client.conversations.list({ ...filter, limit: PAGE, cursor }).first(),
  );

/** A conversation with its newest messages. Clients choose the ids, so the agent belongs to the key. */
export const conversationQuery = (id: string, agentId: string) =>
  queryOptions({
    queryKey: ['conversation', agentId, id],
    queryFn: () => client.conversations.get(id, { agentId, limit: MESSAGES }),
  });
