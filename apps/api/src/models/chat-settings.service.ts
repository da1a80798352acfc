import type { Config } from '@citewell/config';
import type { ChatSettings, ChooseChatModel, ModelTest } from '@citewell/contracts/schemas';
import { OrganizationRepository, type TenantScope } from '@citewell/database';
import { CONFIG } from '@citewell/infrastructure';
import { type ChatModel, parseChatModelName } from '@citewell/models';
import { Inject, Injectable } from '@nestjs/common';
import { ChatSetting } from './chosen-chat-models.js';
import { ConnectionSettings } from './connection-settings.js';
import { ModelTests } from './model-tests.service.js';
import { assertNotFixed, assertOperator } from './operator.js';
import { CHAT_RULES } from './setting-rules.js';

/** The chat model of the installation. */
@Injectable()
export class ChatSettingsService {
  constructor(
    @Inject(ChatSetting) private readonly setting: ChatSetting,
    @Inject(ConnectionSettings) private readonly settings: ConnectionSettings,
    @Inject(ModelTests) private readonly tests: ModelTests,
    @Inject(OrganizationRepository) private readonly organizations: OrganizationRepository,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** @throws {@link ApiError} `FORBIDDEN` */
  async get(tenant: TenantScope): Promise<ChatSettings> {
    await assertOperator(this.organizations, tenant);
    const { CHAT_MODEL: fixed } = this.config;
    const { current } = this.setting;
    return fixed === undefined
      ? this.settings.show(CHAT_RULES, current ? 'setting' : 'default', current)
      : this.settings.show(CHAT_RULES, 'environment', parseChatModelName(fixed));
  }

  /**
   * Chooses a model for all processes.
   *
   * @throws {@link ApiError} `FORBIDDEN`, `CONFLICT` if the environment decides or a key cannot be stored, `INVALID_REQUEST`
   */
  async choose(tenant: TenantScope, body: ChooseChatModel): Promise<ChatSettings> {
    await assertOperator(this.organizations, tenant);
    assertNotFixed(CHAT_RULES, this.config);
    const { connection } = await this.check(body);
    await this.settings.store('chat', connection);
    return this.get(tenant);
  }

  /** Answers consist of quotes again. @throws {@link ApiError} `FORBIDDEN`, `CONFLICT` */
  async remove(tenant: TenantScope): Promise<ChatSettings> {
    await assertOperator(this.organizations, tenant);
    assertNotFixed(CHAT_RULES, this.config);
    await this.settings.remove('chat');
    return this.get(tenant);
  }

  /** Tests a choice without storing it. @throws {@link ApiError} as {@link choose} */
  async test(tenant: TenantScope, body: ChooseChatModel): Promise<ModelTest> {
    await assertOperator(this.organizations, tenant);
    const { opened } = await this.check(body);
    return this.tests.chat(tenant, opened);
  }

  private check(body: ChooseChatModel) {
    const { setting } = this;
    return this.settings.check<ChatModel>(CHAT_RULES, body, setting.current, (choice) =>
      setting.open(choice),
    );
  }
}
