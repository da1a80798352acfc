import type { ChooseChatModel, ModelTest, TestModel } from '@citewell/sdk';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { client } from '../client.js';
import { isSwitching } from './switch-words.js';

const REFRESH_MS = 1_000;

/** The choice of the chat model. Fails for other than the first organization, as the next one. */
export const chatQuery = queryOptions({
  queryKey: ['models', 'chat'],
  queryFn: () => client.models.chat(),
  retry: false,
});

export const rerankQuery = queryOptions({
  queryKey: ['models', 'rerank'],
  queryFn: () => client.models.rerank(),
  retry: false,
});

export const picturesQuery = queryOptions({
  queryKey: ['models', 'pictures'],
  queryFn: () => client.models.pictures(),
  retry: false,
});

/** The choice of the embedding model, read again while documents follow. Fails for other than the first organization. */
export const embeddingQuery = queryOptions({
  queryKey: ['models', 'embedding'],
  queryFn: () => client.models.embedding(),
  retry: false,
  refetchInterval: ({ state: { data } }) => (data && isSwitching(data) ? REFRESH_MS : false),
});

/** The own chat model of the organization. Fails if the operator does not allow one. */
export const ownQuery = queryOptions({
  queryKey: ['models', 'own'],
  queryFn: () => client.models.ownChat(),
  retry: false,
});

/** Whose choice: that of the server for a kind of models, or `own` for the chat model of the organization. */
export type Choice = TestModel['kind'] | 'own' | 'pictures';

interface ModelServer {
  test(choice: ChooseChatModel): Promise<ModelTest>;
  choose(choice: ChooseChatModel): Promise<unknown>;
  remove(): Promise<unknown>;
}

/** The models of servers, which are chosen in the same way. */
export const modelServers: Record<Choice, ModelServer> = {
  chat: {
    test: (choice) => client.models.testChat(choice),
    choose: (choice) => client.models.chooseChat(choice),
    remove: () => client.models.removeChat(),
  },
  own: {
    test: (choice) => client.models.testOwnChat(choice),
    choose: (choice) => client.models.chooseOwnChat(choice),
    remove: () => client.models.removeOwnChat(),
  },
  embedding: {
    test: (choice) => client.models.testEmbeddingServer(choice),
    choose: (choice) => client.models.chooseEmbeddingServer(choice),
    remove: () => client.models.chooseEmbedding({ name: 'builtin' }),
  },
  pictures: {
    test: (choice) => client.models.testPictures(choice),
    choose: (choice) => client.models.choosePictures(choice),
    remove: () => client.models.removePictures(),
  },
  rerank: {
    test: (choice) => client.models.testRerank(choice),
    choose: (choice) => client.models.chooseRerank(choice),
    remove: () => client.models.removeRerank(),
  },
};

/** Reads all settings of models again afterwards. */
export function useChangeServer(change: () => Promise<unknown>) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['models'] }),
  });
}

/** Chooses the built-in embedding model, or a local one. */
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
