import type { Config } from '@citewell/config';
import { CONFIG } from '@citewell/infrastructure';
import { Metrics } from '@citewell/observability';
import { Module } from '@nestjs/common';
import { AgentsController } from './agents/agents.controller.js';
import { AgentsService } from './agents/agents.service.js';
import { AnswerLimits } from './answers/answer-limits.service.js';
import { AnswerPreparationService } from './answers/answer-preparation.service.js';
import { AnswerResponder } from './answers/answer-responder.service.js';
import { AnswersController } from './answers/answers.controller.js';
import { AnswersService } from './answers/answers.service.js';
import { GroundedWriter } from './answers/grounded-writer.service.js';
import { ResumableAnswersController } from './answers/resumable-answers.controller.js';
import { ResumableAnswers } from './answers/resumable-answers.service.js';
import { Visits } from './answers/visits.service.js';
import { ChatModels } from './answers/chat-models.js';
import { Grounding } from './answers/grounding.service.js';
import { ConversationExportService } from './conversations/conversation-export.service.js';
import { ConversationsController } from './conversations/conversations.controller.js';
import { ConversationsService } from './conversations/conversations.service.js';
import { ChunksController } from './datasources/chunks.controller.js';
import { SiteUrlsController } from './datasources/site-urls.controller.js';
import { ChunksService } from './datasources/chunks.service.js';
import { ContentReceiver } from './datasources/content-receiver.js';
import { DatasourceContentService } from './datasources/datasource-content.service.js';
import { DatasourceCreationService } from './datasources/datasource-creation.service.js';
import { DatasourceWriter } from './datasources/datasource-writer.service.js';
import { DatasourceEventsController } from './datasources/datasource-events.controller.js';
import { DatasourcesController } from './datasources/datasources.controller.js';
import { DatasourceWatcher } from './datasources/datasource-watcher.js';
import { DatasourcesService } from './datasources/datasources.service.js';
import { DeprecatedController } from './datasources/deprecated.controller.js';
import { TextsService } from './datasources/texts.service.js';
import { DatastoresController } from './datastores/datastores.controller.js';
import { DatastoresService } from './datastores/datastores.service.js';
import { DISPATCHER_PROVIDERS } from './dispatcher/dispatcher.providers.js';
import { EvaluationAsker } from './evaluations/evaluation-asker.service.js';
import { EvaluationRunner } from './evaluations/evaluation-runner.service.js';
import { EvaluationsController } from './evaluations/evaluations.controller.js';
import { EvaluationsService } from './evaluations/evaluations.service.js';
import { Authenticator } from './http/authenticator.js';
import { IdempotencyService } from './http/idempotency.service.js';
import { RateLimiter, UploadRateLimiter, VisitorRateLimiter } from './http/rate-limiter.js';
import { McpController } from './mcp/mcp.controller.js';
import { McpTools } from './mcp/mcp-tools.service.js';
import { ChatCompletionsController } from './openai-compatibility/chat-completions.controller.js';
import { ModelsController } from './openai-compatibility/models.controller.js';
import { VectorStoresController } from './openai-compatibility/vector-stores.controller.js';
import { ChatSetting } from './models/chat-setting.js';
import { ChatSettingsService } from './models/chat-settings.service.js';
import { EmbeddingSettingsService } from './models/embedding-settings.service.js';
import { ModelSettingsController } from './models/model-settings.controller.js';
import { ModelsService } from './models/models.service.js';
import { OpenApiController } from './openapi/openapi.controller.js';
import { HealthReportController } from './operations/health-report.controller.js';
import { HealthReportService } from './operations/health-report.service.js';
import { OperationsController } from './operations/operations.controller.js';
import { ReadinessService } from './operations/readiness.service.js';
import { ApiKeysController } from './organizations/api-keys.controller.js';
import { ApiKeysService } from './organizations/api-keys.service.js';
import { OrganizationRemover } from './organizations/organization-remover.service.js';
import { OrganizationsController } from './organizations/organizations.controller.js';
import { OrganizationsService } from './organizations/organizations.service.js';
import { UsageController } from './organizations/usage.controller.js';
import { ChunkReader } from './search/chunk-reader.service.js';
import { IndexRecovery } from './search/index-recovery.service.js';
import { Introductions } from './search/introductions.service.js';
import { TextAbove } from './search/text-above.service.js';
import { openRerankModel, RERANK_MODEL } from './search/open-rerank-model.js';
import { QuestionEmbedder } from './search/question-embedder.service.js';
import { RerankingRetriever } from './search/reranking-retriever.service.js';
import { Retriever } from './search/retriever.service.js';
import { SearchExplainer } from './search/search-explainer.service.js';
import { SessionsController } from './sessions/sessions.controller.js';
import { SessionsService } from './sessions/sessions.service.js';
import { SignInCodes } from './sessions/sign-in-codes.js';
import { SignInLimiter } from './sessions/sign-in-limiter.js';
import { SitePreviewsController } from './site-previews/site-previews.controller.js';
import { SitePreviewsService } from './site-previews/site-previews.service.js';
import { PublicAgents } from './widget/public-agents.service.js';
import { WidgetController } from './widget/widget.controller.js';

/** The HTTP interface and the dispatcher. The root module must import `InfrastructureModule` too. */
@Module({
  controllers: [
    AgentsController,
    AnswersController,
    ApiKeysController,
    ChatCompletionsController,
    ChunksController,
    SiteUrlsController,
    ConversationsController,
    DatasourceEventsController,
    DatasourcesController,
    DatastoresController,
    DeprecatedController,
    EvaluationsController,
    McpController,
    ModelSettingsController,
    HealthReportController,
    ModelsController,
    OpenApiController,
    OperationsController,
    OrganizationsController,
    ResumableAnswersController,
    SessionsController,
    VectorStoresController,
    SitePreviewsController,
    UsageController,
    WidgetController,
  ],
  providers: [
    AgentsService,
    AnswerLimits,
    AnswerPreparationService,
    AnswerResponder,
    AnswersService,
    GroundedWriter,
    ApiKeysService,
    Authenticator,
    ChatModels,
    ChatSetting,
    ChatSettingsService,
    ChunksService,
    ContentReceiver,
    ConversationExportService,
    ConversationsService,
    DatasourceContentService,
    DatasourceCreationService,
    DatasourceWatcher,
    DatasourceWriter,
    DatasourcesService,
    DatastoresService,
    EvaluationAsker,
    EvaluationRunner,
    EvaluationsService,
    Grounding,
    HealthReportService,
    IdempotencyService,
    McpTools,
    EmbeddingSettingsService,
    ModelsService,
    OrganizationRemover,
    OrganizationsService,
    PublicAgents,
    ChunkReader,
    IndexRecovery,
    Introductions,
    TextAbove,
    ReadinessService,
    QuestionEmbedder,
    RerankingRetriever,
    ResumableAnswers,
    Retriever,
    SearchExplainer,
    SessionsService,
    SignInCodes,
    { provide: SignInLimiter, useFactory: () => new SignInLimiter() },
    SitePreviewsService,
    TextsService,
    Visits,
    {
      provide: RateLimiter,
      useFactory: (config: Config) => new RateLimiter(config.RATE_LIMIT_PER_MINUTE),
      inject: [CONFIG],
    },
    {
      provide: VisitorRateLimiter,
      useFactory: (config: Config) => new VisitorRateLimiter(config.VISITOR_RATE_LIMIT_PER_MINUTE),
      inject: [CONFIG],
    },
    {
      provide: UploadRateLimiter,
      useFactory: (config: Config) => new UploadRateLimiter(config.UPLOAD_BYTES_PER_MINUTE),
      inject: [CONFIG],
    },
    { provide: RERANK_MODEL, useFactory: openRerankModel, inject: [CONFIG, ChatModels, Metrics] },
    ...DISPATCHER_PROVIDERS,
  ],
})
export class ApiModule {}
