import type { Conversation, Share } from '@citewell/sdk';
import type { QueryClient } from '@tanstack/react-query';
import { client, pagesQuery, request } from '../../client.js';
import { SERVER } from '../../address.js';

const PAGE = 30;
const KEY = 'own-conversations';

/** Conversations that the caller began, the one with the last question first. */
export const ownConversationsQuery = (search: string) =>
  pagesQuery<Conversation>([KEY, search], (cursor) =>
    client.conversations
      .list({ own: true, limit: PAGE, cursor, ...(search === '' ? {} : { search }) })
      .first(),
  );

export function refreshOwnConversations(queryClient: QueryClient): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: [KEY] });
}

type Named = Pick<Conversation, 'id' | 'agentId'>;

function pathOf({ id, agentId }: Named, action = ''): string {
  return `/conversations/${encodeURIComponent(id)}${action}?agentId=${agentId}`;
}

/** @param title empty: the first question */
export const renameConversation = (one: Named, title: string) =>
  request<Conversation>('PATCH', pathOf(one), { title: title.trim() === '' ? null : title.trim() });
export const deleteConversation = (one: Named) => request<Conversation>('DELETE', pathOf(one));
export const shareConversation = (one: Named) => request<Share>('POST', pathOf(one, '/share'));
export const endShare = (one: Named) => request<Conversation>('DELETE', pathOf(one, '/share'));

/** The link of a shared conversation. */
export const linkOf = ({ id }: Pick<Share, 'id'>): string => `${SERVER}/shared/${id}`;
