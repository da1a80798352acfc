import { setTimeout as sleep } from 'node:timers/promises';
import type { ModelSettingRepository } from '@citewell/database';
import {
  type EmbeddingModel,
  ModelError,
  type OnModelCall,
  type OnProgress,
  type Progress,
  sentenceForOperator,
} from '@citewell/models';
import type { Logger } from '@citewell/observability';
import { pollSettings } from './poll-settings.js';
import { type ModelSpace, modelSpace, spaceOf, type Spaces } from './spaces.js';

/** Name of the model that a first start has. */
const BUILTIN = 'builtin';
const NONE = 'none';
const RETRY_MS = 60_000;
/** A server that was down, or limited the requests, is asked more often. */
const SERVER_RETRY_MS = 5_000;

/** What this process does before it can use the chosen model. */
export interface ModelPreparation {
  readonly step: Progress['step'] | 'failed';
  /** Part of the current file that is there, 0..1. Null if unknown. */
  readonly done: number | null;
  /** Why the preparation failed. It is tried again after a minute at the latest. */
  readonly message: string | null;
}

/** What has chosen the model. */
export type ModelChoice = 'default' | 'setting' | 'environment';

interface OpenModel extends EmbeddingModel {
  close?(): Promise<void>;
}

export interface EmbeddingModelsOptions {
  readonly builtin: EmbeddingModel;
  readonly settings: Pick<ModelSettingRepository, 'find' | 'choose' | 'usedSpaces'>;
  /** Opens a model other than the built-in one. `onCall` receives every request to it. */
  readonly openModel: (
    name: string,
    options: { signal: AbortSignal; onProgress: OnProgress; onCall: OnModelCall },
  ) => Promise<OpenModel>;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
}

/**
 * The embedding models of this process. Which one is used is a setting of the installation, which this class polls. A newly
 * chosen model is prepared in the background, and earlier ones are searched until no document serves from them. A model that
 * the environment names is fixed.
 */
export class EmbeddingModels implements Spaces {
  /** Null until the setting has been read. */
  private chosen: string | null = null;
  private readonly open = new Map<string, OpenModel>();
  private state: ModelPreparation | null = null;
  private lastFailure: string | null = null;
  private preparing = Promise.resolve();
  private attempt = Promise.resolve();
  private cancel = new AbortController();
  private readonly stopping = new AbortController();
  private source: ModelChoice = 'default';

  constructor(private readonly options: EmbeddingModelsOptions) {}

  /**
   * The model that the environment names.
   *
   * @param model if it is open already. Null for search by words only. Default: the model is prepared in the background
   */
  static fixed(
    options: EmbeddingModelsOptions,
    name: string,
    model?: EmbeddingModel | null,
  ): EmbeddingModels {
    const models = new EmbeddingModels(options);
    models.source = 'environment';
    if (model && model !== options.builtin) models.open.set(name, model);
    models.use(name);
    return models;
  }

  /** Reads the setting, and again every two seconds until the process stops. */
  async start(): Promise<void> {
    await this.follow();
    void pollSettings(() => this.follow(), this.stopping.signal);
  }

  /** Name of the chosen model, as in `EMBEDDING_MODEL`. */
  get name(): string {
    return this.chosen ?? BUILTIN;
  }

  get chosenBy(): ModelChoice {
    return this.source;
  }

  get preparation(): ModelPreparation | null {
    return this.state;
  }

  /** Why the chosen model cannot be used, or why the last request to it failed. Null if it works. */
  get problem(): string | null {
    return this.state?.message ?? this.lastFailure;
  }

  get indexing(): ModelSpace {
    return modelSpace(this.chosen === NONE ? null : this.options.builtin, !this.usesBuiltin);
  }

  get embedding(): ModelSpace | null {
    const model = this.usesBuiltin ? undefined : this.open.get(this.name);
    return model ? modelSpace(model, false) : null;
  }

  get isPreparing(): boolean {
    return !this.usesBuiltin && !this.open.has(this.name);
  }

  get retired(): ModelSpace[] {
    return [...this.open].flatMap(([name, model]) =>
      name === this.chosen ? [] : [modelSpace(model, false)],
    );
  }

  private get usesBuiltin(): boolean {
    return this.chosen === BUILTIN || this.chosen === NONE;
  }

  /** Resolves when the chosen model can be used, or its preparation has failed once or was cancelled. */
  async attempted(): Promise<void> {
    await this.attempt;
  }

  /** Chooses a model for all processes. The same choice again repeats a preparation that has failed. */
  async choose(name: string): Promise<void> {
    await this.options.settings.choose('embedding', name);
    this.source = 'setting';
    if (name !== this.chosen || this.state?.step === 'failed') this.use(name);
  }

  private use(name: string): void {
    this.cancel.abort();
    this.cancel = new AbortController();
    this.chosen = name;
    this.state = null;
    this.lastFailure = null;
    if (!this.isPreparing) return;
    const signal = AbortSignal.any([this.cancel.signal, this.stopping.signal]);
    this.state = { step: 'loading', done: null, message: null };
    // The cancelled preparation may still write its files.
    const { promise, resolve } = Promise.withResolvers<void>();
    this.attempt = promise;
    this.preparing = this.preparing.then(() => this.prepare(name, signal, resolve)).finally(resolve);
  }

  private async prepare(name: string, signal: AbortSignal, onAttempt: () => void): Promise<void> {
    for (;;) {
      let retryMs = RETRY_MS;
      try {
        await this.openChosen(name, signal);
        return;
      } catch (error) {
        if (signal.aborted) return;
        this.options.logger.warn({ err: error, model: name }, 'the embedding model could not be prepared');
        const isOfModel = error instanceof ModelError;
        const message = isOfModel ? sentenceForOperator(error) : 'The model could not be opened.';
        this.state = { step: 'failed', done: null, message };
        if (isOfModel && error.kind !== 'permanent') retryMs = error.retryAfterMs ?? SERVER_RETRY_MS;
      }
      onAttempt();
      await sleep(Math.min(retryMs, RETRY_MS), undefined, { signal, ref: false }).catch(() => undefined);
      if (signal.aborted) return;
    }
  }

  private async openChosen(name: string, signal: AbortSignal): Promise<void> {
    const onProgress: OnProgress = ({ step, done = null }) => {
      if (!signal.aborted) this.state = { step, done, message: null };
    };
    const onCall: OnModelCall = ({ outcome, failure }) => {
      if (name !== this.chosen || outcome === 'aborted') return;
      this.lastFailure = failure ? sentenceForOperator(failure) : null;
    };
    const model = await this.options.openModel(name, { signal, onProgress, onCall });
    if (signal.aborted) return model.close?.();
    this.open.set(name, model);
    this.state = null;
    this.options.logger.info({ model: name }, 'the embedding model is ready');
  }

  /** Reads the setting. Never rejects: without the database, the process keeps the model that it has. */
  async follow(): Promise<void> {
    try {
      const name = await this.options.settings.find('embedding');
      this.source = name === null ? 'default' : 'setting';
      if ((name ?? BUILTIN) !== this.chosen) this.use(name ?? BUILTIN);
      await this.closeRetired();
    } catch (error) {
      if (!this.stopping.signal.aborted)
        this.options.logger.warn({ err: error }, 'the settings of models could not be read');
    }
  }

  /** Closes the models that no document serves from. */
  private async closeRetired(): Promise<void> {
    const retired = [...this.open].filter(([name]) => name !== this.chosen);
    if (retired.length === 0 || this.isPreparing) return;
    const used = await this.options.settings.usedSpaces();
    for (const [name, model] of retired) {
      if (used.has(spaceOf(model).name) || name === this.chosen) continue;
      this.open.delete(name);
      await model.close?.();
    }
  }

  /** Called by Nest, as the next one. */
  beforeApplicationShutdown(): void {
    this.stopping.abort();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.preparing;
    for (const model of this.open.values()) await model.close?.();
  }
}
