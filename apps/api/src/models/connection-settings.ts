import type { ChatSettings, ChooseChatModel } from '@citewell/contracts/schemas';
import {
  type ConnectionOfVariables,
  type ModelConnection,
  type ModelConnections,
  type ModelKind,
  SecretError,
  type StoredConnection,
} from '@citewell/infrastructure';
import {
  CHAT_PROVIDERS,
  EMBEDDING_PROVIDERS,
  isLocalModel,
  ModelError,
  parseChatModelName,
  RERANK_PROVIDERS,
  urlOfLocalModel,
} from '@citewell/models';
import { ApiError, invalid } from '../http/api-error.js';

const KEY_END = 4;
/** The end of a shorter key would tell too much of it. */
const MIN_SHOWN_KEY = 16;
const OLLAMA_URL = 'http://127.0.0.1:11434';

/** What a choice of a provider needs. */
interface ProviderRules {
  /** Variables that win over address and key. Null if the provider has neither. */
  readonly variables: ConnectionOfVariables | null;
  /** The default address, if it is one of this machine. */
  readonly localUrl?: string;
  /** Why an address is required. */
  readonly addressHint?: string;
  /** Whether the name of a model is left out, or may be. Default: it is required. */
  readonly model?: 'none' | 'optional';
  /** Whether the models run on this machine. Default: false. */
  readonly isLocal?: true;
}

/** What the settings of a kind of model may be. */
interface SettingRules {
  /** The variable that names the model and wins. Null: there is none. */
  readonly variable: 'CHAT_MODEL' | 'EMBEDDING_MODEL' | 'RERANK_MODEL' | null;
  /** The choice that the variable makes. Null if it is not one of a provider. */
  readonly choiceOfVariable: (value: string) => Pick<ModelConnection, 'provider' | 'model'> | null;
  readonly providers: Readonly<Record<string, ProviderRules>>;
}

const CHAT_RULES: SettingRules['providers'] = {
  ...rulesOf(CHAT_PROVIDERS),
  azure: {
    variables: CHAT_PROVIDERS.azure,
    addressHint: 'the address of the resource, such as https://my-resource.openai.azure.com',
  },
  ollama: { variables: CHAT_PROVIDERS.ollama, localUrl: OLLAMA_URL },
};

const RULES: Readonly<Record<ModelKind, SettingRules>> = {
  chat: { variable: 'CHAT_MODEL', choiceOfVariable: parseChatModelName, providers: CHAT_RULES },
  pictures: { variable: null, choiceOfVariable: () => null, providers: CHAT_RULES },
  embedding: {
    variable: 'EMBEDDING_MODEL',
    choiceOfVariable: () => null,
    providers: {
      ...rulesOf(EMBEDDING_PROVIDERS),
      ollama: { variables: EMBEDDING_PROVIDERS.ollama, localUrl: OLLAMA_URL },
    },
  },
  rerank: {
    variable: 'RERANK_MODEL',
    choiceOfVariable: rerankChoiceOf,
    providers: {
      ...rulesOf(RERANK_PROVIDERS),
      tei: {
        variables: RERANK_PROVIDERS.tei,
        addressHint: 'the address of the server, such as http://127.0.0.1:8080',
        model: 'none',
      },
      chat: { variables: null, model: 'none' },
      local: { variables: null, model: 'optional', isLocal: true },
    },
  },
};

/** Shows, checks and stores choices of models of a kind and their servers. */
export class ConnectionSettings {
  private readonly rules: SettingRules;

  /** @param connections those of the installation, or of an organization */
  constructor(
    private readonly kind: ModelKind,
    private readonly connections: ModelConnections,
  ) {
    this.rules = RULES[kind];
  }

  /** @param current the stored choice. Null if nothing of this kind was chosen */
  show(current: StoredConnection | null): ChatSettings {
    const { variable, choiceOfVariable, providers } = this.rules;
    const fixed = variable === null ? undefined : this.connections.variable(variable);
    const choice: Partial<StoredConnection> | null = fixed === undefined ? current : choiceOfVariable(fixed);
    const {
      provider = null,
      model,
      baseUrl = null,
      hasKey = false,
      apiKey = null,
      problem = null,
    } = choice ?? {};
    const chosenBy = current === null ? 'default' : 'setting';
    return {
      provider,
      model: model || null,
      baseUrl,
      hasKey,
      keyEnd: apiKey !== null && apiKey.length >= MIN_SHOWN_KEY ? apiKey.slice(-KEY_END) : null,
      chosenBy: fixed === undefined ? chosenBy : 'environment',
      problem,
      providers: Object.entries(providers).map(([name, { variables }]) => ({
        name,
        fixedBy: variables ? this.connections.fixedBy(variables) : [],
      })),
    };
  }

  /** @throws {@link ApiError} `CONFLICT` if a variable of the server names the model */
  assertNotFixed(): void {
    const { variable } = this.rules;
    if (variable !== null && this.connections.variable(variable) !== undefined)
      throw new ApiError('CONFLICT', `The variable ${variable} of the server names the ${this.kind} model.`);
  }

  /**
   * Checks a choice, and opens a model if that is part of the check.
   *
   * @param open throws a ModelError if the connection is malformed
   * @throws {@link ApiError} `INVALID_REQUEST`, or `CONFLICT` if variables decide about address and key
   */
  async check<Opened>(
    body: ChooseChatModel,
    current: StoredConnection | null,
    open: (connection: ModelConnection) => Opened | Promise<Opened>,
  ): Promise<{ connection: ModelConnection; opened: Opened }> {
    const { providers } = this.rules;
    const rules = Object.hasOwn(providers, body.provider) ? providers[body.provider] : undefined;
    if (!rules) throw invalid('provider', `must be one of ${Object.keys(providers).join(', ')}`);
    if (rules.isLocal) await this.checkLocal(nameOfLocal(body.model), 'model');
    const connection = this.toConnection(rules, body, current);
    const { variables, localUrl = null } = rules;
    return refusing('baseUrl', async () => {
      if (variables) await this.connections.requirePermitted(variables, connection.baseUrl ?? localUrl);
      return { connection, opened: await open(connection) };
    });
  }

  /**
   * Checks the name of a local model, as in EMBEDDING_MODEL and RERANK_MODEL, and the address that it is downloaded from.
   *
   * @param path the field of the request that names the model
   * @throws {@link ApiError} `INVALID_REQUEST`
   */
  async checkLocal(name: string, path: string): Promise<void> {
    await refusing(path, () => this.connections.requirePermitted(null, urlOfLocalModel(name)));
  }

  /** @throws {@link ApiError} `CONFLICT` if a key cannot be stored */
  async store(connection: ModelConnection): Promise<void> {
    try {
      await this.connections.store(this.kind, connection);
    } catch (error) {
      if (error instanceof SecretError) throw new ApiError('CONFLICT', error.message);
      throw error;
    }
  }

  remove(): Promise<void> {
    return this.connections.remove(this.kind);
  }

  private toConnection(
    { variables, addressHint, localUrl, model: needed }: ProviderRules,
    { provider, model, baseUrl, apiKey }: ChooseChatModel,
    current: StoredConnection | null,
  ): ModelConnection {
    if (model === '' && needed === undefined) throw invalid('model', 'is missing');
    const choice = { provider, model: needed === 'none' ? '' : model, baseUrl: baseUrl || null };
    if (!variables) {
      if (baseUrl || apiKey)
        throw invalid('baseUrl', `does not belong to ${provider}: leave out address and key`);
      return { ...choice, apiKey: null };
    }
    const fixedBy = this.connections.fixedBy(variables);
    if (fixedBy.length > 0 && (baseUrl || apiKey))
      throw new ApiError(
        'CONFLICT',
        `The variable ${fixedBy.join(' and ')} of the server decides about address and key of ${provider}. Leave both out.`,
      );
    if (fixedBy.length > 0) return { ...choice, apiKey: null };
    if (addressHint !== undefined && choice.baseUrl === null)
      throw invalid('baseUrl', `is missing: ${provider} needs ${addressHint}`);
    const key = apiKey === undefined ? storedKey(choice, current) : apiKey || null;
    if (key === null && choice.baseUrl === null && localUrl === undefined)
      throw invalid('apiKey', `is missing: ${provider} needs a key, or the address of a server without keys`);
    return { ...choice, apiKey: key };
  }
}

/** The name of a local model as in RERANK_MODEL. @param model empty for the default one */
export function nameOfLocal(model: string): string {
  return model === '' ? 'local' : `local:${model}`;
}

/** A stored key is never sent to another address than the one that it was entered for. */
function storedKey(
  { provider, baseUrl }: Pick<ModelConnection, 'provider' | 'baseUrl'>,
  current: StoredConnection | null,
): string | null {
  if (current?.provider !== provider || current.baseUrl !== baseUrl) return null;
  if (current.hasKey && current.apiKey === null)
    throw invalid('apiKey', 'is missing: the stored key cannot be decrypted');
  return current.apiKey;
}

/** @throws {@link ApiError} `INVALID_REQUEST` for a field of the request, instead of a ModelError */
async function refusing<Result>(path: string, check: () => Promise<Result>): Promise<Result> {
  try {
    return await check();
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    throw new ApiError('INVALID_REQUEST', error.message, { details: [{ path, message: error.message }] });
  }
}

/** Providers that need nothing but a key or an address. */
function rulesOf(providers: Record<string, ConnectionOfVariables>): Record<string, ProviderRules> {
  return Object.fromEntries(Object.entries(providers).map(([name, variables]) => [name, { variables }]));
}

/** The choice that `RERANK_MODEL` makes. */
function rerankChoiceOf(name: string): { provider: string; model: string } {
  if (name === 'chat' || name === 'tei') return { provider: name, model: '' };
  if (isLocalModel(name)) return { provider: 'local', model: name.slice('local:'.length) };
  return { provider: 'cohere', model: name };
}
