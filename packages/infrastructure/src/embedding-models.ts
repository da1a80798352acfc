import { setTimeout as sleep } from 'node:timers/promises';
import type { ModelSetting, ModelSettingRepository } from '@citewell/database';
import { WINDOW_WORDS } from '@citewell/documents/chunk-windows';
import {
  type EmbeddingModel,
  loadBuiltinEmbeddingModel,
  ModelError,
  type OnModelCall,
  type OnProgress,
  type Progress,
  sentenceForOperator,
} from '@citewell/models';
import type { Logger } from '@citewell/observability';
import { LEXICAL_VERSION } from '@citewell/retrieval';
import type { Space } from '@citewell/vector-store';
import type { SettingsPoll } from './settings-poll.js';

/** Name of the model that a first start has. */
const BUILTIN = 'builtin';
const NONE = 'none';
const KIND = 'embedding';
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
  readonly settings: Pick<ModelSettingRepository, 'store' | 'usedSpaces'>;
  readonly poll: Pick<SettingsPoll, 'follow' | 'read'>;
  /** Opens a model other than the built-in one. `onCall` receives every request to it. */
  readonly openModel: (
    choice: ModelSetting,
    options: { signal: AbortSignal; onProgress: OnProgress; onCall: OnModelCall },
  ) => Promise<OpenModel>;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
}

/**
 * The embedding models of this process. Which one is used is a setting of the installation, which this class follows. A newly
 * chosen model is prepared in the background, and earlier ones are searched until no document serves from them. A model that
 * the environment names is fixed. With another address or key, a model is opened again, and its vectors stay.
 */
export class EmbeddingModels implements Spaces {
  /** Null until the setting has been read. */
  private chosen: ModelSetting | null = null;
  /** By {@link keyOf} their choices. */
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
    if (model && model !== options.builtin) models.open.set(keyOf(localChoice(name)), model);
    models.use(localChoice(name));
    return models;
  }

  /** Follows the setting. Resolves when it has been read. */
  async start(): Promise<void> {
    await this.options.poll.follow(KIND, (setting) => this.receive(setting));
  }

  /** Name of the chosen model: as in `EMBEDDING_MODEL`, or `<provider>:<model>` if a server of the settings has it. */
  get name(): string {
    return this.choice.name;
  }

  get choice(): ModelSetting {
    return this.chosen ?? localChoice(BUILTIN);
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
    return modelSpace(this.chosen?.name === NONE ? null : this.options.builtin, !this.usesBuiltin);
  }

  get embedding(): ModelSpace | null {
    const model = this.usesBuiltin ? undefined : this.open.get(keyOf(this.choice));
    return model ? modelSpace(model, false) : null;
  }

  get isPreparing(): boolean {
    return !this.usesBuiltin && !this.open.has(keyOf(this.choice));
  }

  get retired(): ModelSpace[] {
    const { embedding } = this;
    const spaces = this.earlier.map(([, model]) => modelSpace(model, false));
    return spaces.filter(
      ({ space }, at) =>
        space.name !== embedding?.space.name &&
        // The same model with several keys: the last one answers.
        !spaces.slice(at + 1).some((later) => later.space.name === space.name),
    );
  }

  /** The open models that are not chosen. */
  private get earlier(): [string, OpenModel][] {
    return [...this.open].filter(([key]) => key !== keyOf(this.choice));
  }

  private get usesBuiltin(): boolean {
    return this.chosen?.name === BUILTIN || this.chosen?.name === NONE;
  }

  /** Resolves when the chosen model can be used, or its preparation has failed once or was cancelled. */
  async attempted(): Promise<void> {
    await this.attempt;
  }

  /** Chooses a model of this machine for all processes. */
  async choose(name: string): Promise<void> {
    await this.options.settings.store(KIND, localChoice(name));
    await this.options.poll.read();
    this.repeatFailed();
  }

  /** Repeats a preparation that has failed at once. */
  repeatFailed(): void {
    if (this.state?.step === 'failed') this.use(this.choice);
  }

  private use(choice: ModelSetting): void {
    this.cancel.abort();
    this.cancel = new AbortController();
    this.chosen = choice;
    this.state = null;
    this.lastFailure = null;
    if (!this.isPreparing) return;
    const signal = AbortSignal.any([this.cancel.signal, this.stopping.signal]);
    this.state = { step: 'loading', done: null, message: null };
    // The cancelled preparation may still write its files.
    const { promise, resolve } = Promise.withResolvers<void>();
    this.attempt = promise;
    this.preparing = this.preparing.then(() => this.prepare(choice, signal, resolve)).finally(resolve);
  }

  private async prepare(choice: ModelSetting, signal: AbortSignal, onAttempt: () => void): Promise<void> {
    const { name } = choice;
    let logged: string | null = null;
    for (;;) {
      let retryMs = RETRY_MS;
      try {
        await this.openChosen(choice, signal);
        return;
      } catch (error) {
        if (signal.aborted) return;
        const isOfModel = error instanceof ModelError;
        const message = isOfModel ? sentenceForOperator(error) : 'The model could not be opened.';
        // The attempts of every minute may fail in the same way for days.
        if (message !== logged)
          this.options.logger.warn({ err: error, model: name }, 'the embedding model could not be prepared');
        logged = message;
        this.state = { step: 'failed', done: null, message };
        if (isOfModel && error.kind !== 'permanent') retryMs = error.retryAfterMs ?? SERVER_RETRY_MS;
      }
      onAttempt();
      await sleep(Math.min(retryMs, RETRY_MS), undefined, { signal, ref: false }).catch(() => undefined);
      if (signal.aborted) return;
    }
  }

  private async openChosen(choice: ModelSetting, signal: AbortSignal): Promise<void> {
    const onProgress: OnProgress = ({ step, done = null }) => {
      if (!signal.aborted) this.state = { step, done, message: null };
    };
    const onCall: OnModelCall = ({ outcome, failure }) => {
      if (choice !== this.chosen || outcome === 'aborted') return;
      this.lastFailure = failure ? sentenceForOperator(failure) : null;
    };
    const model = await this.options.openModel(choice, { signal, onProgress, onCall });
    if (signal.aborted) return model.close?.();
    this.open.set(keyOf(choice), model);
    this.state = null;
    this.options.logger.info({ model: choice.name }, 'the embedding model is ready');
  }

  private async receive(setting: ModelSetting | null): Promise<void> {
    this.source = setting === null ? 'default' : 'setting';
    const choice = setting ?? localChoice(BUILTIN);
    if (this.chosen === null || keyOf(choice) !== keyOf(this.chosen)) this.use(choice);
    await this.closeRetired();
  }

  /** Closes the models that no document serves from, and those that the chosen one replaces. */
  private async closeRetired(): Promise<void> {
    const retired = this.earlier;
    if (retired.length === 0 || this.isPreparing) return;
    const used = await this.options.settings.usedSpaces();
    // Meanwhile another one may be chosen.
    const { embedding, choice, isPreparing } = this;
    for (const [key, model] of retired) {
      const space = spaceOf(model).name;
      const isNeeded = used.has(space) && space !== embedding?.space.name;
      if (isNeeded || isPreparing || key === keyOf(choice)) continue;
      this.open.delete(key);
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

function localChoice(name: string): ModelSetting {
  return { name, baseUrl: null, sealedKey: null };
}

function keyOf({ name, baseUrl, sealedKey }: ModelSetting): string {
  return JSON.stringify([name, baseUrl, sealedKey]);
}

/** A vector space, and the model of its vectors: null for a space that is searched by words only. */
export interface ModelSpace {
  readonly space: Space;
  readonly model: EmbeddingModel | null;
  /** Documents serve from this space until they are embedded in the other one. */
  readonly isInterim: boolean;
}

/** The spaces of a configuration, by the stage of a run that writes to them. */
export interface Spaces {
  readonly indexing: ModelSpace;
  /**
   * The space of a model that may be slow, rate-limited or unavailable. A document serves from the other space first, with
   * the vectors of the built-in model, and from this one when the model has embedded it. Null without such a model.
   */
  readonly embedding: ModelSpace | null;
  /** Whether `embedding` is null only until the chosen model is open. Default: false. */
  readonly isPreparing?: boolean;
  /** Spaces of earlier models, which are searched until no document serves from them. Default: none. */
  readonly retired?: readonly ModelSpace[];
}

/** @param model the only embedding model */
export async function spacesOf(model: EmbeddingModel | null): Promise<Spaces> {
  if (model === null) return { indexing: modelSpace(null, false), embedding: null };
  const builtin = await loadBuiltinEmbeddingModel();
  if (model === builtin) return { indexing: modelSpace(model, false), embedding: null };
  return { indexing: modelSpace(builtin, true), embedding: modelSpace(model, false) };
}

function modelSpace(model: EmbeddingModel | null, isInterim: boolean): ModelSpace {
  return { space: spaceOf(model), model, isInterim };
}

/**
 * The vector space of a model. Vectors of different analyzers, embedding models or windows cannot be compared, so each
 * combination has its own space.
 *
 * @returns a name such as `l3_lexical` or `l3_small_384_w60`: the analyzer version, the fingerprint of the model and the
 * words per window
 */
export function spaceOf(model: Pick<EmbeddingModel, 'fingerprint' | 'dimensions'> | null): Space {
  const lexical = `l${LEXICAL_VERSION}`;
  if (!model) return { name: `${lexical}_lexical`, dense: null };
  const { fingerprint, dimensions } = model;
  return { name: `${lexical}_${fingerprint}_w${WINDOW_WORDS}`.toLowerCase(), dense: { dimensions } };
}
