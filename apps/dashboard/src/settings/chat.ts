import type { ChatSettings } from '@citewell/sdk';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { client } from '../client.js';

/** The choice of the chat model. Fails for other than the first organization. */
export const chatQuery = queryOptions({
  queryKey: ['models', 'chat'],
  queryFn: () => client.models.chat(),
  retry: false,
});

export function useChangeChat(change: () => Promise<ChatSettings>) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: (settings) => {
      queryClient.setQueryData(chatQuery.queryKey, settings);
      return queryClient.invalidateQueries({ queryKey: ['models', 'list'] });
    },
  });
}
