import {
  type ChatSettings,
  type ChooseChatModel,
  chooseChatModelSchema,
  type ChooseEmbeddingModel,
  chooseEmbeddingModelSchema,
  type ChooseEmbeddingServer,
  chooseEmbeddingServerSchema,
  type ChooseRerankModel,
  chooseRerankModelSchema,
  type EmbeddingSettings,
  type Models,
  type ModelTest,
  type RerankSettings,
  type TestModel,
  testModelSchema,
} from '@citewell/contracts/schemas';
import type { TenantScope } from '@citewell/database';
import { Controller, Delete, Get, HttpCode, Inject, Post, Put } from '@nestjs/common';
import { RequireScope, Tenant } from '../http/caller.js';
import { JsonBody } from '../http/request-input.js';
import { ModelSettingsService } from './model-settings.service.js';
import { ModelsService } from './models.service.js';

/** The models of the server, which all organizations share, and the chat models of organizations. */
@Controller('models')
export class ModelSettingsController {
  constructor(
    @Inject(ModelsService) private readonly models: ModelsService,
    @Inject(ModelSettingsService) private readonly settings: ModelSettingsService,
  ) {}

  @Get()
  @RequireScope('admin')
  list(@Tenant() tenant: TenantScope): Promise<Models> {
    return this.models.list(tenant);
  }

  @Get('embedding')
  @RequireScope('admin')
  embeddingSettings(@Tenant() tenant: TenantScope): Promise<EmbeddingSettings> {
    return this.settings.getEmbedding(tenant);
  }

  @Put('embedding')
  @RequireScope('admin')
  chooseEmbeddingModel(
    @Tenant() tenant: TenantScope,
    @JsonBody(chooseEmbeddingModelSchema) body: ChooseEmbeddingModel,
  ): Promise<EmbeddingSettings> {
    return this.settings.chooseLocalEmbedding(tenant, body);
  }

  @Put('embedding/server')
  @RequireScope('admin')
  chooseEmbeddingServer(
    @Tenant() tenant: TenantScope,
    @JsonBody(chooseEmbeddingServerSchema) body: ChooseEmbeddingServer,
  ): Promise<EmbeddingSettings> {
    return this.settings.chooseEmbeddingServer(tenant, body);
  }

  @Post('embedding/test')
  @HttpCode(200)
  @RequireScope('admin')
  testEmbeddingServer(
    @Tenant() tenant: TenantScope,
    @JsonBody(chooseEmbeddingServerSchema) body: ChooseEmbeddingServer,
  ): Promise<ModelTest> {
    return this.settings.test('embedding', tenant, body);
  }

  @Get('rerank')
  @RequireScope('admin')
  rerankSettings(@Tenant() tenant: TenantScope): Promise<RerankSettings> {
    return this.settings.get('rerank', tenant);
  }

  @Put('rerank')
  @RequireScope('admin')
  chooseRerankModel(
    @Tenant() tenant: TenantScope,
    @JsonBody(chooseRerankModelSchema) body: ChooseRerankModel,
  ): Promise<RerankSettings> {
    return this.settings.choose('rerank', tenant, body);
  }

  @Delete('rerank')
  @RequireScope('admin')
  removeRerankModel(@Tenant() tenant: TenantScope): Promise<RerankSettings> {
    return this.settings.remove('rerank', tenant);
  }

  @Post('rerank/test')
  @HttpCode(200)
  @RequireScope('admin')
  testRerankModel(
    @Tenant() tenant: TenantScope,
    @JsonBody(chooseRerankModelSchema) body: ChooseRerankModel,
  ): Promise<ModelTest> {
    return this.settings.test('rerank', tenant, body);
  }

  @Get('chat')
  @RequireScope('admin')
  chatSettings(@Tenant() tenant: TenantScope): Promise<ChatSettings> {
    return this.settings.get('chat', tenant);
  }

  @Put('chat')
  @RequireScope('admin')
  chooseChatModel(
    @Tenant() tenant: TenantScope,
    @JsonBody(chooseChatModelSchema) body: ChooseChatModel,
  ): Promise<ChatSettings> {
    return this.settings.choose('chat', tenant, body);
  }

  @Delete('chat')
  @RequireScope('admin')
  removeChatModel(@Tenant() tenant: TenantScope): Promise<ChatSettings> {
    return this.settings.remove('chat', tenant);
  }

  @Post('chat/test')
  @HttpCode(200)
  @RequireScope('admin')
  testChatModel(
    @Tenant() tenant: TenantScope,
    @JsonBody(chooseChatModelSchema) body: ChooseChatModel,
  ): Promise<ModelTest> {
    return this.settings.test('chat', tenant, body);
  }

  @Get('chat/own')
  @RequireScope('admin')
  ownChatSettings(@Tenant() tenant: TenantScope): Promise<ChatSettings> {
    return this.settings.get('ownChat', tenant);
  }

  @Put('chat/own')
  @RequireScope('admin')
  chooseOwnChatModel(
    @Tenant() tenant: TenantScope,
    @JsonBody(chooseChatModelSchema) body: ChooseChatModel,
  ): Promise<ChatSettings> {
    return this.settings.choose('ownChat', tenant, body);
  }

  @Delete('chat/own')
  @RequireScope('admin')
  removeOwnChatModel(@Tenant() tenant: TenantScope): Promise<ChatSettings> {
    return this.settings.remove('ownChat', tenant);
  }

  @Post('chat/own/test')
  @HttpCode(200)
  @RequireScope('admin')
  testOwnChatModel(
    @Tenant() tenant: TenantScope,
    @JsonBody(chooseChatModelSchema) body: ChooseChatModel,
  ): Promise<ModelTest> {
    return this.settings.test('ownChat', tenant, body);
  }

  @Post('test')
  @HttpCode(200)
  @RequireScope('admin')
  test(@Tenant() tenant: TenantScope, @JsonBody(testModelSchema) body: TestModel): Promise<ModelTest> {
    return this.models.test(tenant, body);
  }
}
