import type { RequestOptions, Transport } from '../http/transport.js';
import type {
  ChatSettings,
  ChooseChatModel,
  ChooseEmbeddingModel,
  ChooseEmbeddingServer,
  ChooseRerankModel,
  EmbeddingSettings,
  Models,
  ModelTest,
  RecognitionSettings,
  RerankSettings,
  TestModel,
} from '@citewell/contracts';

const OWN_CHAT = '/models/chat/own';
const PICTURES = '/models/pictures';

/**
 * The models of the server. Every method requires a key with the scope `admin` and throws `CitewellError`.
 */
export class ModelSettings {
  constructor(private readonly transport: Transport) {}

  list(options?: RequestOptions): Promise<Models> {
    return this.transport.json({ method: 'GET', path: '/models', options });
  }

  /** Requires a key of the first organization. */
  embedding(options?: RequestOptions): Promise<EmbeddingSettings> {
    return this.transport.json({ method: 'GET', path: '/models/embedding', options });
  }

  /**
   * Chooses the embedding model of the server. Resolves at once. The server prepares the model and embeds the documents in
   * the background: `embedding` tells the progress. Requires a key of the first organization.
   */
  chooseEmbedding(choice: ChooseEmbeddingModel, options?: RequestOptions): Promise<EmbeddingSettings> {
    return this.transport.json({ method: 'PUT', path: '/models/embedding', json: choice, options });
  }

  /** Chooses an embedding model of a server, as `chooseEmbedding` does. */
  chooseEmbeddingServer(choice: ChooseEmbeddingServer, options?: RequestOptions): Promise<EmbeddingSettings> {
    return this.transport.json({ method: 'PUT', path: '/models/embedding/server', json: choice, options });
  }

  /** Tests an embedding model of a server without choosing it. Does not throw if the model fails. */
  testEmbeddingServer(choice: ChooseEmbeddingServer, options?: RequestOptions): Promise<ModelTest> {
    return this.transport.json({ method: 'POST', path: '/models/embedding/test', json: choice, options });
  }

  /** The languages of text recognition. Requires a key of the first organization, as the next two. */
  recognition(options?: RequestOptions): Promise<RecognitionSettings> {
    return this.transport.json({ method: 'GET', path: '/models/recognition', options });
  }

  /** Installs a language such as `deu`. Resolves at once: `recognition` tells the progress. */
  addLanguage(name: string, options?: RequestOptions): Promise<RecognitionSettings> {
    const path = `/models/recognition/${encodeURIComponent(name)}`;
    return this.transport.json({ method: 'PUT', path, options });
  }

  /** Removes an added language. Documents that were read in it stay. */
  removeLanguage(name: string, options?: RequestOptions): Promise<RecognitionSettings> {
    const path = `/models/recognition/${encodeURIComponent(name)}`;
    return this.transport.json({ method: 'DELETE', path, options });
  }

  /** Requires a key of the first organization, as the next three. */
  rerank(options?: RequestOptions): Promise<RerankSettings> {
    return this.transport.json({ method: 'GET', path: '/models/rerank', options });
  }

  /** Chooses the rerank model of the server. All its processes use it within five seconds. */
  chooseRerank(choice: ChooseRerankModel, options?: RequestOptions): Promise<RerankSettings> {
    return this.transport.json({ method: 'PUT', path: '/models/rerank', json: choice, options });
  }

  /** Removes the choice and its key. Passages keep the order of the search again. */
  removeRerank(options?: RequestOptions): Promise<RerankSettings> {
    return this.transport.json({ method: 'DELETE', path: '/models/rerank', options });
  }

  /** Tests a rerank model without choosing it. Does not throw if the model fails. */
  testRerank(choice: ChooseRerankModel, options?: RequestOptions): Promise<ModelTest> {
    return this.transport.json({ method: 'POST', path: '/models/rerank/test', json: choice, options });
  }

  /** The model that describes pictures. Requires a key of the first organization, as the next three. */
  pictures(options?: RequestOptions): Promise<ChatSettings> {
    return this.transport.json({ method: 'GET', path: PICTURES, options });
  }

  /** Has a model describe new pictures. */
  choosePictures(choice: ChooseChatModel, options?: RequestOptions): Promise<ChatSettings> {
    return this.transport.json({ method: 'PUT', path: PICTURES, json: choice, options });
  }

  /** Removes the choice and its key. New pictures are not described. */
  removePictures(options?: RequestOptions): Promise<ChatSettings> {
    return this.transport.json({ method: 'DELETE', path: PICTURES, options });
  }

  /** Tests a model with a picture without choosing it. Does not throw if the model fails. */
  testPictures(choice: ChooseChatModel, options?: RequestOptions): Promise<ModelTest> {
    return this.transport.json({ method: 'POST', path: `${PICTURES}/test`, json: choice, options });
  }

  /** Requires a key of the first organization, as the next three. */
  chat(options?: RequestOptions): Promise<ChatSettings> {
    return this.transport.json({ method: 'GET', path: '/models/chat', options });
  }

  /** Chooses the chat model of the server. All its processes use it within five seconds. */
  chooseChat(choice: ChooseChatModel, options?: RequestOptions): Promise<ChatSettings> {
    return this.transport.json({ method: 'PUT', path: '/models/chat', json: choice, options });
  }

  /** Removes the choice and its key. Answers consist of quotes again. */
  removeChat(options?: RequestOptions): Promise<ChatSettings> {
    return this.transport.json({ method: 'DELETE', path: '/models/chat', options });
  }

  /** Tests a chat model without choosing it. Does not throw if the model fails. */
  testChat(choice: ChooseChatModel, options?: RequestOptions): Promise<ModelTest> {
    return this.transport.json({ method: 'POST', path: '/models/chat/test', json: choice, options });
  }

  /** The own chat model of the organization. The operator has to allow own models, as for the next three. */
  ownChat(options?: RequestOptions): Promise<ChatSettings> {
    return this.transport.json({ method: 'GET', path: OWN_CHAT, options });
  }

  /** Chooses a chat model for the organization alone, with a key that the organization pays for. */
  chooseOwnChat(choice: ChooseChatModel, options?: RequestOptions): Promise<ChatSettings> {
    return this.transport.json({ method: 'PUT', path: OWN_CHAT, json: choice, options });
  }

  /** Removes the choice and its key. The model of the server answers again. */
  removeOwnChat(options?: RequestOptions): Promise<ChatSettings> {
    return this.transport.json({ method: 'DELETE', path: OWN_CHAT, options });
  }

  /** Tests an own chat model without choosing it. Does not throw if the model fails. */
  testOwnChat(choice: ChooseChatModel, options?: RequestOptions): Promise<ModelTest> {
    return this.transport.json({ method: 'POST', path: `${OWN_CHAT}/test`, json: choice, options });
  }

  /** Sends one short request to a model and waits at most 15 seconds. Does not throw if the model fails. */
  test(model: TestModel, options?: RequestOptions): Promise<ModelTest> {
    return this.transport.json({ method: 'POST', path: '/models/test', json: model, options });
  }
}
