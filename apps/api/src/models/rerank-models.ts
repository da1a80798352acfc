import { type Config, modelNetworks } from '@citewell/config';
import type { TenantScope } from '@citewell/database';
import {
  CONFIG,
  countModelCalls,
  localModelOptions,
  type ModelConnection,
  ModelConnections,
  modelDirectory,
  SettingsPoll,
} from '@citewell/infrastructure';
import {
  type ChatModel,
  createHttpRerankModel,
  isLocalModel,
  isLocalModelStored,
  isRerankProvider,
  type LocalRerankModel,
  ModelError,
  ModelNetworks,
  type OnModelCall,
  openLocalRerankModel,
  readText,
  RERANK_PROVIDERS,
  type RerankModel,
  urlOfLocalModel,
} from '@citewell/models';
import { Metrics } from '@citewell/observability';
import { parseRerankReply, rerankPrompt } from '@citewell/retrieval';
import { Inject, Injectable } from '@nestjs/common';
import { ChatModels, MODEL_OF_NEW_AGENTS } from './chat-models.js';
import { readingModel } from './chosen-chat-models.js';
import { ChosenModel } from './chosen-model.js';
import { nameOfLocal } from './connection-settings.js';

const COHERE_URL = 'https://api.cohere.com/v2';
/** A line per passage needs some six tokens. Models that reason need more before. */
const MAX_SCORES_TOKENS = 2_000;
/** A local model that could not be opened is opened again after this time. */
const RETRY_MS = 60_000;

/** Injection token of a {@link Reranker}, or null. */
export const RERANK_MODEL = Symbol('RerankModel');

/** What orders the passages for a question. */
export interface Reranker {
  /** The model for the questions of an organization. Null if passages keep the order of the search. */
  modelOf(tenant: TenantScope): Promise<RerankModel | null>;
  /** Frees what the model holds. */
  close?(): void;
}

/** The rerank model of the settings. */
@Injectable()
export class RerankSetting extends ChosenModel<Reranker> {
  constructor(
    @Inject(ModelConnections) connections: ModelConnections,
    @Inject(SettingsPoll) private readonly poll: SettingsPoll,
    @Inject(ChatModels) private readonly chatModels: ChatModels,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(Metrics) private readonly metrics: Metrics,
  ) {
    super('rerank', connections);
  }

  /** Called by Nest before requests are answered. */
  onModuleInit(): Promise<void> {
    return this.follow(this.poll);
  }

  open({ provider, model, ...address }: ModelConnection, onCall?: OnModelCall): Reranker {
    if (provider === 'chat') return chatModelReranker(this.chatModels);
    if (provider === 'local') return this.ofThisMachine(nameOfLocal(model), onCall);
    if (!isRerankProvider(provider))
      throw new ModelError('permanent', `There are no rerank models of the provider ${provider}.`);
    const connection = this.connections.resolve(RERANK_PROVIDERS[provider], address);
    const baseUrl = connection.baseUrl ?? (provider === 'cohere' ? COHERE_URL : undefined);
    if (baseUrl === undefined)
      throw new ModelError('permanent', 'The address of the rerank server is missing.');
    return sharedReranker(
      createHttpRerankModel({
        ...connection,
        baseUrl,
        model: provider === 'tei' ? 'tei' : model,
        onCall: countModelCalls(this.metrics, onCall),
      }),
    );
  }

  /** Whether a local model need not be downloaded. */
  isStored(name: string): Promise<boolean> {
    return isLocalModelStored(name, modelDirectory(this.config), 'rerank');
  }

  /** Opens a local model. The first time, this downloads it. @throws ModelError */
  openLocal(name: string, signal: AbortSignal, onCall?: OnModelCall) {
    // Only addresses of settings are limited to networks.
    const { fetch: fetcher } = new ModelNetworks(modelNetworks(this.config));
    const options = localModelOptions(this.config, name, countModelCalls(this.metrics, onCall));
    return openLocalRerankModel({ ...options, fetcher, signal });
  }

  private ofThisMachine(name: string, onCall?: OnModelCall): Reranker {
    urlOfLocalModel(name);
    const call = { kind: 'rerank', seconds: 0, inputTokens: 0, outputTokens: 0 } as const;
    return localReranker({
      open: (signal) => this.openLocal(name, signal, onCall),
      onState: (failure) =>
        onCall?.({ ...call, ...(failure ? { outcome: failure.kind, failure } : { outcome: 'done' }) }),
    });
  }

  protected unusable(_choice: ModelConnection, failure: ModelError): Reranker {
    return sharedReranker({ rerank: () => Promise.reject(failure) });
  }

  protected override close(opened: Reranker): void {
    opened.close?.();
  }
}

/** The rerank model of the environment or, without one, that of the settings. */
@Injectable()
export class RerankModels {
  constructor(
    @Inject(RERANK_MODEL) private readonly fixed: Reranker | null,
    @Inject(RerankSetting) private readonly setting: Pick<RerankSetting, 'current' | 'problem'>,
    @Inject(CONFIG) private readonly config: Pick<Config, 'RERANK_MODEL'>,
  ) {}

  /** The name of the model, as in `RERANK_MODEL`. Null without a model. */
  get name(): string | null {
    const { current } = this.setting;
    return this.config.RERANK_MODEL ?? (current && (current.model || current.provider));
  }

  /** Why the model of the settings does not work. */
  get problem(): string | null {
    return this.setting.problem;
  }

  /** The model for the questions of an organization. Null if passages keep the order of the search. */
  async of(tenant: TenantScope): Promise<RerankModel | null> {
    const reranker = this.fixed ?? this.setting.current?.opened;
    return reranker ? reranker.modelOf(tenant) : null;
  }
}

/**
 * Opens the rerank model `RERANK_MODEL`.
 *
 * @returns null if none is configured
 * @throws ModelError (`permanent`) if the connection is malformed, or a local model cannot be opened
 */
export async function openRerankModel(
  config: Config,
  chatModels: ChatModels,
  metrics: Metrics,
): Promise<Reranker | null> {
  const { RERANK_MODEL: model, RERANK_BASE_URL: baseUrl, RERANK_API_KEY: apiKey } = config;
  if (model === 'chat') return chatModelReranker(chatModels);
  if (model === undefined) return null;
  const onCall = countModelCalls(metrics);
  if (isLocalModel(model))
    return sharedReranker(await openLocalRerankModel(localModelOptions(config, model, onCall)));
  // The configuration refuses a model of a server without its address.
  if (baseUrl === undefined) return null;
  return sharedReranker(
    createHttpRerankModel({ model, baseUrl, onCall, ...(apiKey === undefined ? {} : { apiKey }) }),
  );
}

/** One model for all organizations. */
function sharedReranker(model: RerankModel): Reranker {
  return { modelOf: async () => model };
}

/** Asks the chat model that answers the organization's questions at that moment. It may be chosen later, or change. */
export function chatModelReranker(models: Pick<ChatModels, 'of'>): Reranker {
  return {
    async modelOf(tenant) {
      const chat = await models.of(tenant, MODEL_OF_NEW_AGENTS);
      return chat && chatReranker(chat);
    },
  };
}

/** A rerank model that asks a chat model to score all texts in one answer. */
export function chatReranker(model: ChatModel): RerankModel {
  return {
    rerank: (question, texts, { signal }) =>
      readingModel(model, async () => {
        const { system, user } = rerankPrompt(question, texts);
        const messages = [
          { role: 'system' as const, content: system },
          { role: 'user' as const, content: user },
        ];
        const reply = await readText(
          model,
          { messages, temperature: 0, maxTokens: MAX_SCORES_TOKENS },
          signal,
        );
        const scores = parseRerankReply(reply, texts.length);
        if (!scores)
          throw new ModelError('transient', 'The chat model did not answer in the form of scores.');
        return scores;
      }),
  };
}

interface LocalRerankerOptions {
  /** Opens the model. The first time, this downloads it. */
  readonly open: (signal: AbortSignal) => Promise<LocalRerankModel>;
  /** Receives why the model is not ready. Null when it is. */
  readonly onState: (problem: ModelError | null) => void;
  /** The time in ms. Default: the clock of the process. */
  readonly now?: () => number;
}

/**
 * A local model of the settings. It is opened in the background when it is first needed, and again after a minute if that
 * fails. Until it is ready, passages keep the order of the search.
 */
export function localReranker({ open, onState, now = Date.now }: LocalRerankerOptions): Reranker {
  const closing = new AbortController();
  let model: LocalRerankModel | null = null;
  let retryAt = 0;
  const prepare = async (): Promise<void> => {
    retryAt = Number.POSITIVE_INFINITY;
    onState(new ModelError('transient', 'The model is being downloaded or loaded.'));
    try {
      const opened = await open(closing.signal);
      if (closing.signal.aborted) return await opened.close();
      model = opened;
      onState(null);
    } catch (error) {
      if (closing.signal.aborted) return;
      const isOfModel = error instanceof ModelError;
      onState(isOfModel ? error : new ModelError('permanent', 'The model could not be opened.'));
      retryAt = now() + RETRY_MS;
    }
  };
  return {
    async modelOf() {
      if (model === null && now() >= retryAt && !closing.signal.aborted) void prepare();
      return model;
    },
    close() {
      closing.abort();
      void model?.close();
    },
  };
}
