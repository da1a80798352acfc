import type { ChatSettings, ChooseChatModel, ModelTest } from '@citewell/contracts/schemas';
import type { TenantScope } from '@citewell/database';
import { OwnConnections } from '@citewell/infrastructure';
import { Inject, Injectable } from '@nestjs/common';
import { ApiError } from '../http/api-error.js';
import { ConnectionSettings } from './connection-settings.js';
import { ModelTests } from './model-tests.service.js';
import { OwnChatModels } from './chosen-chat-models.js';
import { CHAT_RULES } from './setting-rules.js';

/** The chat model that an organization chooses for itself. */
@Injectable()
export class OwnChatSettingsService {
  constructor(
    @Inject(OwnChatModels) private readonly models: OwnChatModels,
    @Inject(OwnConnections) private readonly connections: OwnConnections,
    @Inject(ModelTests) private readonly tests: ModelTests,
  ) {}

  /** @throws {@link ApiError} `FORBIDDEN` */
  async get(tenant: TenantScope): Promise<ChatSettings> {
    this.assertAllowed();
    return this.show(tenant);
  }

  /** @throws {@link ApiError} `FORBIDDEN`, `CONFLICT` if a key cannot be stored, `INVALID_REQUEST` */
  async choose(tenant: TenantScope, body: ChooseChatModel): Promise<ChatSettings> {
    this.assertAllowed();
    const { connection } = await this.check(tenant, body);
    await this.settingsOf(tenant).store('chat', connection);
    return this.show(tenant);
  }

  /** The model of the server answers again. Also removes what was stored while own models were allowed. */
  async remove(tenant: TenantScope): Promise<ChatSettings> {
    await this.settingsOf(tenant).remove('chat');
    return this.show(tenant);
  }

  /** Tests a choice without storing it. @throws {@link ApiError} as {@link choose} */
  async test(tenant: TenantScope, body: ChooseChatModel): Promise<ModelTest> {
    this.assertAllowed();
    const { opened } = await this.check(tenant, body);
    return this.tests.chat(tenant, opened);
  }

  private async show(tenant: TenantScope): Promise<ChatSettings> {
    const own = await this.models.find(tenant);
    return this.settingsOf(tenant).show(CHAT_RULES, own ? 'setting' : 'default', own);
  }

  private async check(tenant: TenantScope, body: ChooseChatModel) {
    const own = await this.models.find(tenant);
    return this.settingsOf(tenant).check(CHAT_RULES, body, own, (choice) => this.models.open(tenant, choice));
  }

  private settingsOf(tenant: TenantScope): ConnectionSettings {
    return new ConnectionSettings(this.connections.of(tenant));
  }

  private assertAllowed(): void {
    if (this.models.areAllowed) return;
    throw new ApiError(
      'FORBIDDEN',
      'Organizations cannot choose models of their own. The operator can allow it with the variable ORGANIZATION_MODELS.',
    );
  }
}
