import type { ChatSettings, ChooseChatModel } from '@citewell/contracts/schemas';
import {
  type ConnectionOfVariables,
  type ModelConnection,
  ModelConnections,
  type ModelKind,
  SecretError,
  type StoredConnection,
} from '@citewell/infrastructure';
import { ModelError } from '@citewell/models';
import { Inject, Injectable } from '@nestjs/common';
import { ApiError, invalid } from '../http/api-error.js';

const KEY_END = 4;
/** The end of a shorter key would tell too much of it. */
const MIN_SHOWN_KEY = 16;

/** What a choice of a provider needs. */
export interface ProviderRules {
  /** Variables that win over address and key. Null if the provider has neither. */
  readonly variables: ConnectionOfVariables | null;
  /** The default address, if it is one of this machine. */
  readonly localUrl?: string;
  /** Why an address is required. */
  readonly addressHint?: string;
  /** Whether the name of a model is left out, or may be. Default: it is required. */
  readonly model?: 'none' | 'optional';
}

/** What the settings of a kind of model may be. */
export interface SettingRules {
  readonly kind: ModelKind;
  /** The variable that names the model and wins, such as CHAT_MODEL. */
  readonly variable: 'CHAT_MODEL' | 'EMBEDDING_MODEL' | 'RERANK_MODEL';
  readonly providers: Readonly<Record<string, ProviderRules>>;
}

/** Shows, checks and stores choices of models and their servers, in the same way for all kinds of models. */
@Injectable()
export class ConnectionSettings {
  constructor(@Inject(ModelConnections) private readonly connections: ModelConnections) {}

  /** @param current the stored choice. Null if nothing of this kind was chosen */
  show(
    { providers }: SettingRules,
    chosenBy: ChatSettings['chosenBy'],
    current: (Pick<StoredConnection, 'provider' | 'model'> & Partial<StoredConnection>) | null,
  ): ChatSettings {
    const {
      provider = null,
      model,
      baseUrl = null,
      hasKey = false,
      apiKey = null,
      problem = null,
    } = current ?? {};
    return {
      provider,
      model: model || null,
      baseUrl,
      hasKey,
      keyEnd: apiKey !== null && apiKey.length >= MIN_SHOWN_KEY ? apiKey.slice(-KEY_END) : null,
      chosenBy,
      problem,
      providers: Object.entries(providers).map(([name, { variables }]) => ({
        name,
        fixedBy: variables ? this.connections.fixedBy(variables) : [],
      })),
    };
  }

  /**
   * Checks a choice, and opens a model if that is part of the check.
   *
   * @param open throws a ModelError if the connection is malformed
   * @throws {@link ApiError} `INVALID_REQUEST`, or `CONFLICT` if variables decide about address and key
   */
  async check<Opened>(
    rules: SettingRules,
    body: ChooseChatModel,
    current: StoredConnection | null,
    open: (connection: ModelConnection) => Opened,
  ): Promise<{ connection: ModelConnection; opened: Opened }> {
    const connection = this.toConnection(rules, body, current);
    const { variables, localUrl = null } = rules.providers[connection.provider] as ProviderRules;
    try {
      if (variables) await this.connections.requirePermitted(variables, connection.baseUrl ?? localUrl);
      return { connection, opened: open(connection) };
    } catch (error) {
      if (!(error instanceof ModelError)) throw error;
      throw new ApiError('INVALID_REQUEST', error.message, {
        details: [{ path: 'baseUrl', message: error.message }],
      });
    }
  }

  /** @throws {@link ApiError} `CONFLICT` if a key cannot be stored */
  async store(kind: ModelKind, connection: ModelConnection): Promise<void> {
    try {
      await this.connections.store(kind, connection);
    } catch (error) {
      if (error instanceof SecretError) throw new ApiError('CONFLICT', error.message);
      throw error;
    }
  }

  remove(kind: ModelKind): Promise<void> {
    return this.connections.remove(kind);
  }

  private toConnection(
    { providers }: SettingRules,
    { provider, model, baseUrl, apiKey }: ChooseChatModel,
    current: StoredConnection | null,
  ): ModelConnection {
    const rules = Object.hasOwn(providers, provider) ? providers[provider] : undefined;
    if (!rules) throw invalid('provider', `must be one of ${Object.keys(providers).join(', ')}`);
    if (model === '' && rules.model === undefined) throw invalid('model', 'is missing');
    const { variables, addressHint, localUrl } = rules;
    const choice = { provider, model: rules.model === 'none' ? '' : model, baseUrl: baseUrl || null };
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
