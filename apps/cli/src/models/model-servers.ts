import type { ChatSettings, ChooseChatModel, Citewell, EmbeddingSettings, TestModel } from '@citewell/sdk';

/** The choice of a model of a server. */
export interface ModelServer {
  get(): Promise<ChatSettings>;
  test(choice: ChooseChatModel): ReturnType<Citewell['models']['test']>;
  choose(choice: ChooseChatModel): Promise<ChatSettings>;
  remove(): Promise<ChatSettings>;
}

/** The chat model that the organization of the key chooses for itself. */
export function ownChatServer(models: Citewell['models']): ModelServer {
  return {
    get: () => models.ownChat(),
    test: (choice) => models.testOwnChat(choice),
    choose: (choice) => models.chooseOwnChat(choice),
    remove: () => models.removeOwnChat(),
  };
}

/** The models of servers, which are chosen in the same way. */
export function modelServers(models: Citewell['models']): Record<TestModel['kind'], ModelServer> {
  const serverOf = async (settings: Promise<EmbeddingSettings>): Promise<ChatSettings> =>
    (await settings).server;
  return {
    chat: {
      get: () => models.chat(),
      test: (choice) => models.testChat(choice),
      choose: (choice) => models.chooseChat(choice),
      remove: () => models.removeChat(),
    },
    embedding: {
      get: () => serverOf(models.embedding()),
      test: (choice) => models.testEmbeddingServer(choice),
      choose: (choice) => serverOf(models.chooseEmbeddingServer(choice)),
      remove: () => serverOf(models.chooseEmbedding({ name: 'builtin' })),
    },
    rerank: {
      get: () => models.rerank(),
      test: (choice) => models.testRerank(choice),
      choose: (choice) => models.chooseRerank(choice),
      remove: () => models.removeRerank(),
    },
  };
}
