import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { client } from '../client.js';
import { isSwitching } from './switch-words.js';

const REFRESH_MS = 1_000;

/** The choice of the embedding model, read again while documents follow. Fails for other than the first organization. */
export const embeddingQuery = queryOptions({
  queryKey: ['models', 'embedding'],
  queryFn: () => client.models.embedding(),
  retry: false,
  refetchInterval: ({ state: { data } }) => (data && isSwitching(data) ? REFRESH_MS : false),
});

export function useChooseEmbedding() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (name: string) => client.models.chooseEmbedding({ name }),
    onSuccess: (settings) => {
      queryClient.setQueryData(embeddingQuery.queryKey, settings);
      return queryClient.invalidateQueries({ queryKey: ['models'] });
    },
  });
}
