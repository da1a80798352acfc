import type { PageParameters, Pages } from '../http/pages.js';
import { segment } from '../http/request-path.js';
import type { RequestOptions, Transport } from '../http/transport.js';
import type {
  ApiKey,
  ApiKeyWithSecret,
  ChangePerson,
  ChangeProfile,
  CreateApiKey,
  CreateOrganization,
  CreatePersonLink,
  HealthReport,
  ChatSettings,
  ChooseChatModel,
  ChooseEmbeddingModel,
  ChooseEmbeddingServer,
  ChooseRerankModel,
  EmbeddingSettings,
  InvitePerson,
  Models,
  ModelTest,
  MonthlyUsage,
  Organization,
  OrganizationWithKey,
  OwnSession,
  Person,
  PersonWithToken,
  Profile,
  RerankSettings,
  Session,
  SignIn,
  TestModel,
  UsageReport,
} from '@citewell/contracts';

/**
 * The API keys of the organization. Every method requires a
 * key with the scope `admin` and throws `CitewellError`.
 */
export class ApiKeys {
  constructor(private readonly transport: Transport) {}

  /** Creates an API key. Only this response contains the key itself. */
  create(key: CreateApiKey, options?: RequestOptions): Promise<ApiKeyWithSecret> {
    return this.transport.json({ method: 'POST', path: '/api-keys', json: key, options });
  }

  list(page?: PageParameters, options?: RequestOptions): Pages<ApiKey> {
    return this.transport.list({ path: '/api-keys', options }, page);
  }

  delete(id: string, options?: RequestOptions): Promise<ApiKey> {
    return this.transport.json({ method: 'DELETE', path: `/api-keys/${segment(id)}`, options });
  }
}

/**
 * The session of a browser, for pages that the service itself delivers. After `signIn`, a client without an API key is
 * authenticated by a cookie that scripts cannot read. Every method throws `CitewellError`.
 */
export class Sessions {
  constructor(private readonly transport: Transport) {}

  signIn(request: SignIn, options?: RequestOptions): Promise<Session> {
    return this.transport.json({ method: 'POST', path: '/session', json: request, options });
  }

  /** Also works with an API key. */
  get(options?: RequestOptions): Promise<Session> {
    return this.transport.json({ method: 'GET', path: '/session', options });
  }

  signOut(options?: RequestOptions): Promise<void> {
    return this.transport.json({ method: 'DELETE', path: '/session', options });
  }

  /**
   * Changes the profile of the person who is signed in. If the server sends e-mail, a new e-mail waits for its link, and the
   * answer has `emailToConfirm`.
   */
  changeProfile(changes: ChangeProfile, options?: RequestOptions): Promise<Profile> {
    return this.transport.json({ method: 'PATCH', path: '/profile', json: changes, options });
  }

  /** The sessions of the person who is signed in, newest first. */
  list(options?: RequestOptions): Promise<OwnSession[]> {
    return this.transport.json({ method: 'GET', path: '/sessions', options });
  }

  /** Ends a session of the person who is signed in. */
  delete(id: string, options?: RequestOptions): Promise<OwnSession> {
    return this.transport.json({ method: 'DELETE', path: `/sessions/${segment(id)}`, options });
  }
}

/** The people of the organization. Every method requires the scope `admin` and throws `CitewellError`. */
export class People {
  constructor(private readonly transport: Transport) {}

  /** Invites a person. Only this response contains the token of the link. */
  invite(invitation: InvitePerson, options?: RequestOptions): Promise<PersonWithToken> {
    return this.transport.json({ method: 'POST', path: '/people', json: invitation, options });
  }

  list(page?: PageParameters, options?: RequestOptions): Pages<Person> {
    return this.transport.list({ path: '/people', options }, page);
  }

  /** Creates a link for a person whose invitation has expired, or who has forgotten the password. */
  createLink(id: string, link: CreatePersonLink = {}, options?: RequestOptions): Promise<PersonWithToken> {
    return this.transport.json({ method: 'POST', path: `/people/${segment(id)}/link`, json: link, options });
  }

  update(id: string, changes: ChangePerson, options?: RequestOptions): Promise<Person> {
    return this.transport.json({ method: 'PATCH', path: `/people/${segment(id)}`, json: changes, options });
  }

  /** Removes a person, or an invitation. */
  delete(id: string, options?: RequestOptions): Promise<Person> {
    return this.transport.json({ method: 'DELETE', path: `/people/${segment(id)}`, options });
  }
}

/** Usage and limits of the organization. Every method throws `CitewellError`. */
export class UsageReports {
  constructor(private readonly transport: Transport) {}

  /** The usage of the current month. */
  get(options?: RequestOptions): Promise<UsageReport> {
    return this.transport.json({ method: 'GET', path: '/usage', options });
  }

  /** The usage of the last `months` (1 to 60, default 12), oldest first. */
  history(
    { months }: { months?: number | undefined } = {},
    options?: RequestOptions,
  ): Promise<MonthlyUsage[]> {
    return this.transport.json({ method: 'GET', path: '/usage/history', query: { months }, options });
  }
}

const OWN_CHAT = '/models/chat/own';

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

/** The health of the server. Requires a key with the scope `admin` and throws `CitewellError`. */
export class HealthReports {
  constructor(private readonly transport: Transport) {}

  /** The dependencies of the server, and contradictions in the data of the organization. */
  get(options?: RequestOptions): Promise<HealthReport> {
    return this.transport.json({ method: 'GET', path: '/health-report', options });
  }
}

/**
 * Organizations are isolated from each other. Every method requires the admin key and throws `CitewellError`.
 */
export class Organizations {
  constructor(private readonly transport: Transport) {}

  /** Creates an organization. Only this response contains its first API key. */
  create(organization: CreateOrganization, options?: RequestOptions): Promise<OrganizationWithKey> {
    return this.transport.json({ method: 'POST', path: '/organizations', json: organization, options });
  }

  list(page?: PageParameters, options?: RequestOptions): Pages<Organization> {
    return this.transport.list({ path: '/organizations', options }, page);
  }

  get(id: string, options?: RequestOptions): Promise<Organization> {
    return this.transport.json({ method: 'GET', path: pathOf(id), options });
  }

  /** Deletes the organization with all its data. */
  delete(id: string, options?: RequestOptions): Promise<Organization> {
    return this.transport.json({ method: 'DELETE', path: pathOf(id), options });
  }
}

function pathOf(id: string): string {
  return `/organizations/${segment(id)}`;
}
