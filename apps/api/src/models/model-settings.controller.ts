import {
  type ChatSettings,
  chatSettingsSchema,
  type ChooseChatModel,
  chooseChatModelSchema,
  type ChooseEmbeddingModel,
  chooseEmbeddingModelSchema,
  type ChooseEmbeddingServer,
  chooseEmbeddingServerSchema,
  type ChooseRerankModel,
  chooseRerankModelSchema,
  type EmbeddingSettings,
  embeddingSettingsSchema,
  type Models,
  modelsSchema,
  type ModelTest,
  modelTestSchema,
  type RerankSettings,
  rerankSettingsSchema,
  type TestModel,
  testModelSchema,
} from '@citewell/contracts/schemas';
import type { TenantScope } from '@citewell/database';
import { Controller, Delete, Get, HttpCode, Inject, Post, Put } from '@nestjs/common';
import { RequireScope, Tenant } from '../http/caller.js';
import { Operation } from '../http/operation.js';
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

  @Operation('Read the configured models', modelsSchema)
  @Get()
  @RequireScope('admin')
  list(@Tenant() tenant: TenantScope): Promise<Models> {
    return this.models.list(tenant);
  }

  @Operation('Read the choice of the embedding model, and its progress', embeddingSettingsSchema, {
    description:
      'All organizations share the embedding model. Only keys of the first organization may read and change the choice.',
  })
  @Get('embedding')
  @RequireScope('admin')
  embeddingSettings(@Tenant() tenant: TenantScope): Promise<EmbeddingSettings> {
    return this.settings.getEmbedding(tenant);
  }

  @Operation('Choose the embedding model', embeddingSettingsSchema, {
    description:
      'Answers at once. The server then downloads and loads the model, and embeds the documents in the background. Each document is found by its earlier vectors until then. The choice `builtin` undoes it. Fails with `CONFLICT` if the variable EMBEDDING_MODEL is set.',
  })
  @Put('embedding')
  @RequireScope('admin')
  chooseEmbeddingModel(
    @Tenant() tenant: TenantScope,
    @JsonBody(chooseEmbeddingModelSchema) body: ChooseEmbeddingModel,
  ): Promise<EmbeddingSettings> {
    return this.settings.chooseLocalEmbedding(tenant, body);
  }

  @Operation('Choose an embedding model of a server', embeddingSettingsSchema, {
    description:
      'As `PUT /models/embedding`, with provider, address and key as for the chat model. The model is tested first: one that fails is refused. Another address or key of the same model embeds nothing again.',
  })
  @Put('embedding/server')
  @RequireScope('admin')
  chooseEmbeddingServer(
    @Tenant() tenant: TenantScope,
    @JsonBody(chooseEmbeddingServerSchema) body: ChooseEmbeddingServer,
  ): Promise<EmbeddingSettings> {
    return this.settings.chooseEmbeddingServer(tenant, body);
  }

  @Operation('Test an embedding model of a server before it is chosen', modelTestSchema, {
    description:
      'Embeds a short text, and stores nothing. A model that fails is not an error of this request: `ok` is false, and `message` says why.',
  })
  @Post('embedding/test')
  @HttpCode(200)
  @RequireScope('admin')
  testEmbeddingServer(
    @Tenant() tenant: TenantScope,
    @JsonBody(chooseEmbeddingServerSchema) body: ChooseEmbeddingServer,
  ): Promise<ModelTest> {
    return this.settings.test('embedding', tenant, body);
  }

  @Operation('Read the choice of the rerank model', rerankSettingsSchema, {
    description:
      'Only keys of the first organization may read and change the choice. Variables of the server win, and are shown.',
  })
  @Get('rerank')
  @RequireScope('admin')
  rerankSettings(@Tenant() tenant: TenantScope): Promise<RerankSettings> {
    return this.settings.get('rerank', tenant);
  }

  @Operation('Choose the rerank model', rerankSettingsSchema, {
    description:
      'All processes use it within five seconds. The model is tested first, if it is one of a server: one that fails is refused. Key and address are as for the chat model. Fails with `CONFLICT` if a variable of the server decides.',
  })
  @Put('rerank')
  @RequireScope('admin')
  chooseRerankModel(
    @Tenant() tenant: TenantScope,
    @JsonBody(chooseRerankModelSchema) body: ChooseRerankModel,
  ): Promise<RerankSettings> {
    return this.settings.choose('rerank', tenant, body);
  }

  @Operation('Remove the choice of the rerank model, and its key', rerankSettingsSchema, {
    description:
      'Passages keep the order of the search again. Fails with `CONFLICT` if the variable RERANK_MODEL is set.',
  })
  @Delete('rerank')
  @RequireScope('admin')
  removeRerankModel(@Tenant() tenant: TenantScope): Promise<RerankSettings> {
    return this.settings.remove('rerank', tenant);
  }

  @Operation('Test a rerank model before it is chosen', modelTestSchema, {
    description:
      'Scores two short passages, and stores nothing. A model that fails is not an error of this request: `ok` is false, and `message` says why.',
  })
  @Post('rerank/test')
  @HttpCode(200)
  @RequireScope('admin')
  testRerankModel(
    @Tenant() tenant: TenantScope,
    @JsonBody(chooseRerankModelSchema) body: ChooseRerankModel,
  ): Promise<ModelTest> {
    return this.settings.test('rerank', tenant, body);
  }

  @Operation('Read the choice of the model that describes pictures', chatSettingsSchema, {
    description:
      'Without a choice, pictures are not described. Only keys of the first organization may read and change the choice.',
  })
  @Get('pictures')
  @RequireScope('admin')
  pictureSettings(@Tenant() tenant: TenantScope): Promise<ChatSettings> {
    return this.settings.get('pictures', tenant);
  }

  @Operation('Choose the model that describes pictures', chatSettingsSchema, {
    description:
      'New pictures, and pictures in new documents, are sent to this model of a chat provider, each once. It is tested with a picture first: one that takes no pictures is refused. Key and address are as for the chat model.',
  })
  @Put('pictures')
  @RequireScope('admin')
  choosePictureModel(
    @Tenant() tenant: TenantScope,
    @JsonBody(chooseChatModelSchema) body: ChooseChatModel,
  ): Promise<ChatSettings> {
    return this.settings.choose('pictures', tenant, body);
  }

  @Operation('Stop describing pictures, and remove the key of the model', chatSettingsSchema, {
    description: 'Descriptions of documents that were read before stay.',
  })
  @Delete('pictures')
  @RequireScope('admin')
  removePictureModel(@Tenant() tenant: TenantScope): Promise<ChatSettings> {
    return this.settings.remove('pictures', tenant);
  }

  @Operation('Test a model that describes pictures before it is chosen', modelTestSchema, {
    description:
      'Sends a small picture, and stores nothing. A model that fails is not an error of this request: `ok` is false, and `message` says why.',
  })
  @Post('pictures/test')
  @HttpCode(200)
  @RequireScope('admin')
  testPictureModel(
    @Tenant() tenant: TenantScope,
    @JsonBody(chooseChatModelSchema) body: ChooseChatModel,
  ): Promise<ModelTest> {
    return this.settings.test('pictures', tenant, body);
  }

  @Operation('Read the choice of the chat model', chatSettingsSchema, {
    description:
      'Only keys of the first organization may read and change the choice. Variables of the server win, and are shown.',
  })
  @Get('chat')
  @RequireScope('admin')
  chatSettings(@Tenant() tenant: TenantScope): Promise<ChatSettings> {
    return this.settings.get('chat', tenant);
  }

  @Operation('Choose the chat model', chatSettingsSchema, {
    description:
      'The model is tested first, as by `POST /models/chat/test`, for 15 seconds at most. One that fails is not stored: the error `INVALID_REQUEST` names the field that most likely is wrong, and has the sentence of the provider. All processes use a stored model within five seconds. A key is stored encrypted, and never returned. The address may lead to the Internet and to the networks of the variable MODEL_NETWORKS. Fails with `CONFLICT` if a variable of the server decides.',
  })
  @Put('chat')
  @RequireScope('admin')
  chooseChatModel(
    @Tenant() tenant: TenantScope,
    @JsonBody(chooseChatModelSchema) body: ChooseChatModel,
  ): Promise<ChatSettings> {
    return this.settings.choose('chat', tenant, body);
  }

  @Operation('Remove the choice of the chat model, and its key', chatSettingsSchema, {
    description: 'Answers consist of quotes again. Fails with `CONFLICT` if the variable CHAT_MODEL is set.',
  })
  @Delete('chat')
  @RequireScope('admin')
  removeChatModel(@Tenant() tenant: TenantScope): Promise<ChatSettings> {
    return this.settings.remove('chat', tenant);
  }

  @Operation('Test a chat model before it is chosen', modelTestSchema, {
    description:
      'Sends one short request, and stores nothing. A key that is left out is the stored one, if provider and address are those of the stored choice. A model that fails is not an error of this request: `ok` is false, and `message` says why.',
  })
  @Post('chat/test')
  @HttpCode(200)
  @RequireScope('admin')
  testChatModel(
    @Tenant() tenant: TenantScope,
    @JsonBody(chooseChatModelSchema) body: ChooseChatModel,
  ): Promise<ModelTest> {
    return this.settings.test('chat', tenant, body);
  }

  @Operation('Read the own chat model of the organization', chatSettingsSchema, {
    description:
      'Needs the variable ORGANIZATION_MODELS of the server. Without an own model, `chosenBy` is `default`, and the model of the server answers.',
  })
  @Get('chat/own')
  @RequireScope('admin')
  ownChatSettings(@Tenant() tenant: TenantScope): Promise<ChatSettings> {
    return this.settings.get('ownChat', tenant);
  }

  @Operation('Choose an own chat model for the organization', chatSettingsSchema, {
    description:
      'The model is tested first, as by `PUT /models/chat`. It answers all questions of the organization from then on, except those for a model name that the operator offers a model for, such as `gpt_4` with MODEL_GPT_4. If it fails, answers consist of quotes, or fail with `OWN_MODEL_FAILED`: the model of the server is never asked instead. Variables of the server with keys and addresses are not used. The address may lead to the Internet and to the networks of the variable MODEL_NETWORKS for the first organization, or ORGANIZATION_MODEL_NETWORKS for others.',
  })
  @Put('chat/own')
  @RequireScope('admin')
  chooseOwnChatModel(
    @Tenant() tenant: TenantScope,
    @JsonBody(chooseChatModelSchema) body: ChooseChatModel,
  ): Promise<ChatSettings> {
    return this.settings.choose('ownChat', tenant, body);
  }

  @Operation('Remove the own chat model of the organization, and its key', chatSettingsSchema, {
    description: 'The model of the server answers again.',
  })
  @Delete('chat/own')
  @RequireScope('admin')
  removeOwnChatModel(@Tenant() tenant: TenantScope): Promise<ChatSettings> {
    return this.settings.remove('ownChat', tenant);
  }

  @Operation('Test an own chat model before it is chosen', modelTestSchema, {
    description: 'As `POST /models/chat/test`.',
  })
  @Post('chat/own/test')
  @HttpCode(200)
  @RequireScope('admin')
  testOwnChatModel(
    @Tenant() tenant: TenantScope,
    @JsonBody(chooseChatModelSchema) body: ChooseChatModel,
  ): Promise<ModelTest> {
    return this.settings.test('ownChat', tenant, body);
  }

  @Operation('Test a model', modelTestSchema, {
    description:
      'Who may choose a model may test it: the first organization the models of the server, and each organization its own chat model. The test counts as a question without an agent. Sends one short request to the model and waits at most 15 seconds. A model that fails is not an error of this request: `ok` is false, and `message` says why.',
  })
  @Post('test')
  @HttpCode(200)
  @RequireScope('admin')
  test(@Tenant() tenant: TenantScope, @JsonBody(testModelSchema) body: TestModel): Promise<ModelTest> {
    return this.models.test(tenant, body);
  }
}
