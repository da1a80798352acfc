import type { Config } from '@citewell/config';
import {
  CONFIG,
  countModelCalls,
  localModelOptions,
  type ModelConnection,
  ModelConnections,
  SettingsPoll,
} from '@citewell/infrastructure';
import {
  createHttpRerankModel,
  isRerankProvider,
  ModelError,
  ModelNetworks,
  type OnModelCall,
  openLocalRerankModel,
  RERANK_PROVIDERS,
  urlOfLocalModel,
} from '@citewell/models';
import { Metrics } from '@citewell/observability';
import { Inject, Injectable } from '@nestjs/common';
import { ChatModels } from './chat-models.js';
import { chatModelReranker } from './chat-reranker.js';
import { ChosenModel } from './chosen-model.js';
import { localReranker } from './local-reranker.js';
import { type Reranker, sharedReranker } from './reranker.js';

const COHERE_URL = 'https://api.cohere.com/v2';

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

  /** Opens a local model. The first time, this downloads it. @throws ModelError */
  openLocal(name: string, signal: AbortSignal, onCall?: OnModelCall) {
    // Only addresses of settings are limited to networks.
    const { fetch: fetcher } = new ModelNetworks(this.config.MODEL_NETWORKS);
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

/** The name of a local model as in RERANK_MODEL. @param model empty for the default one */
export function nameOfLocal(model: string): string {
  return model === '' ? 'local' : `local:${model}`;
}
