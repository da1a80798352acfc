import type { Config } from '@citewell/config';
import type { ChooseRerankModel, ModelTest, RerankSettings } from '@citewell/contracts/schemas';
import { OrganizationRepository, type TenantScope } from '@citewell/database';
import { CONFIG, modelDirectory } from '@citewell/infrastructure';
import { isLocalModel, isLocalModelStored } from '@citewell/models';
import { Inject, Injectable } from '@nestjs/common';
import { ConnectionSettings } from './connection-settings.js';
import { requireLocalSource } from './embedding-settings.service.js';
import { ModelTests, untested } from './model-tests.service.js';
import { assertNotFixed, assertOperator } from './operator.js';
import { nameOfLocal, type Reranker, RerankSetting } from './rerank-models.js';
import { scoresOf } from './sample.js';
import { RERANK_RULES } from './setting-rules.js';

/** The rerank model of the installation. */
@Injectable()
export class RerankSettingsService {
  constructor(
    @Inject(RerankSetting) private readonly setting: RerankSetting,
    @Inject(ConnectionSettings) private readonly settings: ConnectionSettings,
    @Inject(ModelTests) private readonly tests: ModelTests,
    @Inject(OrganizationRepository) private readonly organizations: OrganizationRepository,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** @throws {@link ApiError} `FORBIDDEN` */
  async get(tenant: TenantScope): Promise<RerankSettings> {
    await assertOperator(this.organizations, tenant);
    const { RERANK_MODEL: fixed } = this.config;
    const { current, problem } = this.setting;
    const ofLocal = current?.provider === 'local' ? { problem } : {};
    return fixed === undefined
      ? this.settings.show(
          RERANK_RULES,
          current ? 'setting' : 'default',
          current && { ...current, ...ofLocal },
        )
      : this.settings.show(RERANK_RULES, 'environment', ofVariable(fixed));
  }

  /**
   * Chooses a model for all processes.
   *
   * @throws {@link ApiError} `FORBIDDEN`, `CONFLICT` if the environment decides or a key cannot be stored, `INVALID_REQUEST`
   */
  async choose(tenant: TenantScope, body: ChooseRerankModel): Promise<RerankSettings> {
    await assertOperator(this.organizations, tenant);
    assertNotFixed(RERANK_RULES, this.config);
    const { connection } = await this.check(body);
    await this.settings.store('rerank', connection);
    // A local model is prepared at once, not at the next question.
    if (connection.provider === 'local') await this.setting.current?.opened.modelOf(tenant);
    return this.get(tenant);
  }

  /** Passages keep the order of the search again. @throws {@link ApiError} `FORBIDDEN`, `CONFLICT` */
  async remove(tenant: TenantScope): Promise<RerankSettings> {
    await assertOperator(this.organizations, tenant);
    assertNotFixed(RERANK_RULES, this.config);
    await this.settings.remove('rerank');
    return this.get(tenant);
  }

  /** Tests a choice without storing it. @throws {@link ApiError} as {@link choose} */
  async test(tenant: TenantScope, body: ChooseRerankModel): Promise<ModelTest> {
    await assertOperator(this.organizations, tenant);
    const { connection, opened } = await this.check(body);
    if (connection.provider === 'local') return this.testLocal(tenant, nameOfLocal(connection.model));
    const model = await opened.modelOf(tenant);
    if (model === null) return untested('No chat model is configured.');
    return this.tests.run(tenant, connection.model || connection.provider, async (signal) => ({
      scores: await scoresOf(model, signal),
    }));
  }

  /** A test does not wait for a download. */
  private async testLocal(tenant: TenantScope, name: string): Promise<ModelTest> {
    if (!(await isLocalModelStored(name, modelDirectory(this.config), 'rerank')))
      return untested('The model is not stored on the server yet. It is downloaded when it is chosen.');
    return this.tests.run(tenant, name, async (signal) => {
      const model = await this.setting.openLocal(name, signal);
      try {
        return { scores: await scoresOf(model, signal) };
      } finally {
        await model.close();
      }
    });
  }

  private async check(body: ChooseRerankModel) {
    const { setting } = this;
    if (body.provider === 'local') await requireLocalSource(nameOfLocal(body.model), 'model', this.config);
    return this.settings.check<Reranker>(RERANK_RULES, body, setting.current, (choice) =>
      setting.open(choice),
    );
  }
}

/** The choice that `RERANK_MODEL` makes. */
function ofVariable(name: string): { provider: string; model: string } {
  if (name === 'chat' || name === 'tei') return { provider: name, model: '' };
  if (isLocalModel(name)) return { provider: 'local', model: name.slice('local:'.length) };
  return { provider: 'cohere', model: name };
}
