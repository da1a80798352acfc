import type { Config } from '@citewell/config';
import type {
  ChooseEmbeddingModel,
  ChooseEmbeddingServer,
  EmbeddingSettings,
  ModelTest,
} from '@citewell/contracts/schemas';
import {
  ModelSettingRepository,
  OrganizationRepository,
  type SpaceProgress,
  type TenantScope,
} from '@citewell/database';
import { CONFIG, EmbeddingModels, modelDirectory } from '@citewell/infrastructure';
import { ModelError, ModelNetworks, offeredModels, urlOfLocalModel } from '@citewell/models';
import { Inject, Injectable } from '@nestjs/common';
import { ApiError } from '../http/api-error.js';
import { EmbeddingServersService } from './embedding-servers.service.js';
import { assertNotFixed, assertOperator } from './operator.js';
import { EMBEDDING_RULES } from './setting-rules.js';

/** A shorter time says little about the speed. */
const MIN_SPEED_SAMPLE_MS = 5_000;

/** The embedding model of the installation. Administrators of its first organization choose it. */
@Injectable()
export class EmbeddingSettingsService {
  private sample: SpeedSample | null = null;

  constructor(
    @Inject(EmbeddingModels) private readonly models: EmbeddingModels,
    @Inject(ModelSettingRepository) private readonly settings: ModelSettingRepository,
    @Inject(OrganizationRepository) private readonly organizations: OrganizationRepository,
    @Inject(EmbeddingServersService) private readonly servers: EmbeddingServersService,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** @throws {@link ApiError} `FORBIDDEN` */
  async get(tenant: TenantScope): Promise<EmbeddingSettings> {
    await assertOperator(this.organizations, tenant);
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
      offers: offers.map(({ name: offered, languages, downloadBytes, charactersPerSecond }) => ({
        name: offered,
        languages,
        downloadBytes,
        seconds: Math.ceil(stored.characters / charactersPerSecond),
      })),
      server: await this.servers.show(),
    };
  }

  /**
   * Chooses a model. It is prepared in the background, and documents follow one by one.
   *
   * @throws {@link ApiError} `FORBIDDEN`, `CONFLICT` if the environment names a model, `INVALID_REQUEST`
   */
  async choose(tenant: TenantScope, { name }: ChooseEmbeddingModel): Promise<EmbeddingSettings> {
    await assertOperator(this.organizations, tenant);
    assertNotFixed(EMBEDDING_RULES, this.config);
    if (name !== 'builtin') await requireLocalSource(name, 'name', this.config);
    await this.models.choose(name);
    return this.get(tenant);
  }

  /**
   * Chooses a model of a server. Documents follow in the background, unless only address or key have changed.
   *
   * @throws {@link ApiError} `FORBIDDEN`, `CONFLICT` if the environment decides or a key cannot be stored, `INVALID_REQUEST`
   */
  async chooseServer(tenant: TenantScope, body: ChooseEmbeddingServer): Promise<EmbeddingSettings> {
    await assertOperator(this.organizations, tenant);
    assertNotFixed(EMBEDDING_RULES, this.config);
    await this.servers.choose(body);
    return this.get(tenant);
  }

  /** Tests a model of a server without choosing it. @throws {@link ApiError} as {@link chooseServer} */
  async test(tenant: TenantScope, body: ChooseEmbeddingServer): Promise<ModelTest> {
    await assertOperator(this.organizations, tenant);
    return this.servers.test(tenant, body);
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

/**
 * Checks the name of a local model, as in EMBEDDING_MODEL and RERANK_MODEL, and the address that it is downloaded from.
 *
 * @param path the field of the request that names the model
 * @throws {@link ApiError} `INVALID_REQUEST`
 */
export async function requireLocalSource(name: string, path: string, config: Config): Promise<void> {
  try {
    const url = urlOfLocalModel(name);
    if (url !== null) await new ModelNetworks(config.MODEL_NETWORKS).requirePermitted(url);
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    throw new ApiError('INVALID_REQUEST', error.message, { details: [{ path, message: error.message }] });
  }
}
