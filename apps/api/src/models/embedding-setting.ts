import type { Config } from '@citewell/config';
import type { EmbeddingSettings } from '@citewell/contracts/schemas';
import { ModelSettingRepository, type SpaceProgress } from '@citewell/database';
import {
  CONFIG,
  countModelCalls,
  EmbeddingModels,
  type ModelConnection,
  ModelConnections,
  modelDirectory,
  openEmbeddingServer,
  requireEmbeddingServer,
  type StoredConnection,
} from '@citewell/infrastructure';
import { type EmbeddingModel, isEmbeddingProvider, offeredModels } from '@citewell/models';
import { Metrics } from '@citewell/observability';
import { Inject, Injectable } from '@nestjs/common';

/** A shorter time says little about the speed. */
const MIN_SPEED_SAMPLE_MS = 5_000;

/** The embedding model of the settings: the built-in one, a local one, or one of a server. */
@Injectable()
export class EmbeddingSetting {
  private sample: SpeedSample | null = null;

  constructor(
    @Inject(EmbeddingModels) readonly models: EmbeddingModels,
    @Inject(ModelSettingRepository) private readonly settings: ModelSettingRepository,
    @Inject(ModelConnections) private readonly connections: ModelConnections,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(Metrics) private readonly metrics: Metrics,
  ) {}

  /** The chosen model of a server. Null if another kind of model is chosen. */
  async server(): Promise<StoredConnection | null> {
    const { choice, chosenBy } = this.models;
    if (chosenBy !== 'setting') return null;
    const server = await this.connections.read('embedding', choice);
    return isEmbeddingProvider(server.provider) ? server : null;
  }

  /**
   * Checks the connection of a model of a server.
   *
   * @returns opens the model, with one request
   * @throws ModelError (`permanent`) if the connection is malformed
   */
  open(choice: ModelConnection): (signal: AbortSignal) => Promise<EmbeddingModel> {
    requireEmbeddingServer(this.connections, choice);
    const onCall = countModelCalls(this.metrics);
    return (signal) => openEmbeddingServer(this.connections, choice, { signal, onCall });
  }

  /** What is chosen and offered, and how many documents have followed. */
  async progress(): Promise<Omit<EmbeddingSettings, 'server'>> {
    const { indexing, embedding, isPreparing, name, chosenBy, preparation } = this.models;
    const { space } = embedding ?? indexing;
    // While the model is prepared, its space is unknown, and no document is in it.
    const stored = await this.settings.progress(isPreparing ? '' : space.name);
    const offers = await offeredModels(modelDirectory(this.config));
    const chosen = offers.find((offer) => offer.name === name);
    return {
      name,
      chosenBy,
      preparation,
      documents: { done: stored.documentsDone, failed: stored.documentsFailed, total: stored.documents },
      problem: this.models.problem,
      secondsLeft: this.secondsLeft(space.name, stored, chosen?.charactersPerSecond ?? null),
      offers: offers.map(({ charactersPerSecond, ...offer }) => ({
        ...offer,
        seconds: Math.ceil(stored.characters / charactersPerSecond),
      })),
    };
  }

  private secondsLeft(space: string, stored: SpaceProgress, estimate: number | null): number | null {
    if (stored.charactersDone >= stored.characters) {
      this.sample = null;
      return null;
    }
    if (this.sample?.space !== space)
      this.sample = { space, at: performance.now(), charactersDone: stored.charactersDone };
    return secondsLeft(stored, this.sample, performance.now(), estimate);
  }
}

/** How much was embedded at a moment. */
interface SpeedSample {
  readonly space: string;
  /** In ms. */
  readonly at: number;
  readonly charactersDone: number;
}

/**
 * How long the rest takes: at the speed since the sample or, before anything was embedded, at the estimated one.
 *
 * @param charactersPerSecond estimated. Null if unknown
 * @returns null if nothing is known
 */
export function secondsLeft(
  { characters, charactersDone }: Pick<SpaceProgress, 'characters' | 'charactersDone'>,
  since: SpeedSample,
  now: number,
  charactersPerSecond: number | null,
): number | null {
  const embedded = charactersDone - since.charactersDone;
  const isMeasured = embedded > 0 && now - since.at >= MIN_SPEED_SAMPLE_MS;
  const speed = isMeasured ? embedded / ((now - since.at) / 1_000) : charactersPerSecond;
  return speed === null ? null : Math.ceil((characters - charactersDone) / speed);
}
