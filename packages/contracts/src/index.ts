/**
 * The types of the HTTP API as its clients see them: what a client sends before defaults, and what it gets. The SDK
 * exports them. They have no dependency at run time. `npm run pack` writes each `z.input` and `z.output` of this file
 * out as an interface, with the descriptions of its schema as comments, so the published types do not need zod either.
 */
import type { z } from 'zod';
import type * as schemas from './http/index.js';

export type { ApiErrorCode, ErrorDetail } from './errors/api-errors.js';

// Agents and answers
export type ModelName = z.output<typeof schemas.modelNameSchema>;
export type PromptType = z.output<typeof schemas.promptTypeSchema>;
export type OnUnsupported = z.output<typeof schemas.onUnsupportedSchema>;
export type Visibility = z.output<typeof schemas.visibilitySchema>;
export type Timestamps = z.output<typeof schemas.timestampsSchema>;
export type Agent = z.output<typeof schemas.agentSchema>;
export type CreateAgent = z.input<typeof schemas.createAgentSchema>;
export type UpdateAgent = z.input<typeof schemas.updateAgentSchema>;
export type Filters = z.input<typeof schemas.filtersSchema>;
export type AgentQuery = z.input<typeof schemas.agentQuerySchema>;
export type Quote = z.output<typeof schemas.quoteSchema>;
export type Source = z.output<typeof schemas.sourceSchema>;
export type FinishReason = z.output<typeof schemas.finishReasonSchema>;
export type AnswerSentence = z.output<typeof schemas.answerSentenceSchema>;
export type Usage = z.output<typeof schemas.usageSchema>;
export type AgentAnswer = z.output<typeof schemas.agentAnswerSchema>;
export type AnswerStart = z.output<typeof schemas.answerStartSchema>;
export type AnswerState = z.output<typeof schemas.answerStateSchema>;
export type AgentProfile = z.output<typeof schemas.agentProfileSchema>;
export type PublicSource = z.output<typeof schemas.publicSourceSchema>;
export type PublicAnswer = z.output<typeof schemas.publicAnswerSchema>;

// Conversations
export type MessageState = z.output<typeof schemas.messageStateSchema>;
export type Rating = z.output<typeof schemas.ratingSchema>;
export type Message = z.output<typeof schemas.messageSchema>;
export type Conversation = z.output<typeof schemas.conversationSchema>;
export type ConversationWithMessages = z.output<typeof schemas.conversationWithMessagesSchema>;
export type Feedback = z.input<typeof schemas.feedbackSchema>;

// Datastores
export type Datastore = z.output<typeof schemas.datastoreSchema>;
export type ListedDatastore = z.output<typeof schemas.listedDatastoreSchema>;
export type CreateDatastore = z.input<typeof schemas.createDatastoreSchema>;
export type UpdateDatastore = z.input<typeof schemas.updateDatastoreSchema>;
export type DatastoreProgress = z.output<typeof schemas.datastoreProgressSchema>;
export type DatastoreQuery = z.input<typeof schemas.datastoreQuerySchema>;
export type DatastoreQueryItem = z.output<typeof schemas.datastoreQueryItemSchema>;
export type LegScore = z.output<typeof schemas.legScoreSchema>;
export type ExplainedPassage = z.output<typeof schemas.explainedPassageSchema>;
export type SearchExplanation = z.output<typeof schemas.searchExplanationSchema>;
export type UpdateText = z.input<typeof schemas.updateTextSchema>;
export type UpsertTexts = z.input<typeof schemas.upsertTextsSchema>;

// Readers of datastores
export type SetReaders = z.input<typeof schemas.setReadersSchema>;
export type PossibleReaders = z.output<typeof schemas.possibleReadersSchema>;
export type Readers = z.output<typeof schemas.readersSchema>;

// Datasources
export type DatasourceType = z.output<typeof schemas.datasourceTypeSchema>;
export type DatasourceStatus = z.output<typeof schemas.datasourceStatusSchema>;
export type Stage = z.output<typeof schemas.stageSchema>;
export type Progress = z.output<typeof schemas.progressSchema>;
export type DatasourceError = z.output<typeof schemas.datasourceErrorSchema>;
export type LeftOutReason = z.output<typeof schemas.leftOutReasonSchema>;
export type DatasourceStats = z.output<typeof schemas.datasourceStatsSchema>;
export type Datasource = z.output<typeof schemas.datasourceSchema>;
export type DatasourceItem = z.input<typeof schemas.datasourceItemSchema>;
export type CreateDatasource = z.input<typeof schemas.createDatasourceSchema>;
export type CreateDatasourceBatch = z.input<typeof schemas.createDatasourceBatchSchema>;
export type DatasourceBatch = z.output<typeof schemas.datasourceBatchSchema>;
export type BatchItemResult = DatasourceBatch['items'][number];
export type UpdateDatasource = z.input<typeof schemas.updateDatasourceSchema>;
export type SyncDatasource = z.input<typeof schemas.syncDatasourceSchema>;
export type PreviewSite = z.input<typeof schemas.previewSiteSchema>;
export type PreviewedPage = z.output<typeof schemas.previewedPageSchema>;
export type SitePreview = z.output<typeof schemas.sitePreviewSchema>;
export type SourceConfig = z.input<typeof schemas.sourceConfigSchema>;
export type CheckSource = z.input<typeof schemas.checkSourceSchema>;
export type SourceCheck = z.output<typeof schemas.sourceCheckSchema>;
export type SourceKindInfo = z.output<typeof schemas.sourceKindInfoSchema>;
export type SourceDocument = z.output<typeof schemas.sourceDocumentSchema>;
export type UrlOutcome = z.output<typeof schemas.urlOutcomeSchema>;
export type SiteUrl = z.output<typeof schemas.siteUrlSchema>;
export type DocumentPage = z.output<typeof schemas.documentPageSchema>;
export type PageRange = z.output<typeof schemas.pageRangeSchema>;
export type DatasourceText = z.output<typeof schemas.datasourceTextSchema>;
export type Chunk = z.output<typeof schemas.chunkSchema>;
export type DocumentTable = z.output<typeof schemas.documentTableSchema>;
export type TableCondition = z.input<typeof schemas.tableConditionSchema>;
export type TableRowsQuery = z.input<typeof schemas.tableRowsQuerySchema>;
export type TableRows = z.output<typeof schemas.tableRowsSchema>;
export type RunState = z.output<typeof schemas.runStateSchema>;
export type Run = z.output<typeof schemas.runSchema>;

// Evaluations
export type EvaluationQuestion = z.input<typeof schemas.evaluationQuestionSchema>;
export type EvaluationConfiguration = z.input<typeof schemas.evaluationConfigurationSchema>;
export type CreateEvaluation = z.input<typeof schemas.createEvaluationSchema>;
export type EvaluationMeasure = z.output<typeof schemas.evaluationMeasureSchema>;
export type EvaluationState = z.output<typeof schemas.evaluationStateSchema>;
export type Evaluation = z.output<typeof schemas.evaluationSchema>;
export type Estimate = z.output<typeof schemas.estimateSchema>;
export type MinimumScorePoint = z.output<typeof schemas.minimumScorePointSchema>;
export type EvaluationResult = z.output<typeof schemas.sideResultSchema>;
export type EvaluationDifference = z.output<typeof schemas.differenceSchema>;
export type EvaluationOutcome = z.output<typeof schemas.evaluationOutcomeSchema>;
export type EvaluationWithResult = z.output<typeof schemas.evaluationWithResultSchema>;

// Shared conversations
export type Share = z.output<typeof schemas.shareSchema>;
export type SharedConversation = z.output<typeof schemas.sharedConversationSchema>;
export type UpdateConversation = z.input<typeof schemas.updateConversationSchema>;

// Feedback
export type FeedbackItem = z.output<typeof schemas.feedbackItemSchema>;
export type DocumentChange = z.output<typeof schemas.documentChangeSchema>;
export type Gap = z.output<typeof schemas.gapSchema>;
export type GapState = z.output<typeof schemas.gapStateSchema>;

// Administration
export type Scope = z.output<typeof schemas.scopeSchema>;
export type CreateApiKey = z.input<typeof schemas.createApiKeySchema>;
export type ApiKey = z.output<typeof schemas.apiKeySchema>;
export type ApiKeyWithSecret = z.output<typeof schemas.apiKeyWithSecretSchema>;
export type CreateOrganization = z.input<typeof schemas.createOrganizationSchema>;
export type Organization = z.output<typeof schemas.organizationSchema>;
export type OrganizationSettings = z.output<typeof schemas.organizationSettingsSchema>;
export type UpdateOrganization = z.input<typeof schemas.updateOrganizationSchema>;
export type ErasureReport = z.output<typeof schemas.erasureReportSchema>;
export type ErasedVisitor = z.output<typeof schemas.erasedVisitorSchema>;
export type OrganizationWithKey = z.output<typeof schemas.organizationWithKeySchema>;
export type SignIn = z.input<typeof schemas.signInSchema>;
export type Session = z.output<typeof schemas.sessionSchema>;
export type OwnOrganization = z.output<typeof schemas.ownOrganizationSchema>;
export type ChooseOrganization = z.input<typeof schemas.chooseOrganizationSchema>;
export type SignInOptions = z.output<typeof schemas.signInOptionsSchema>;
export type RequestPasswordReset = z.input<typeof schemas.requestPasswordResetSchema>;
export type PasswordResetRequested = z.output<typeof schemas.passwordResetRequestedSchema>;
export type SignedOut = z.output<typeof schemas.signedOutSchema>;
export type Passkey = z.output<typeof schemas.passkeySchema>;
export type PasskeyOptions = z.output<typeof schemas.passkeyOptionsSchema>;
export type RegisterPasskey = z.input<typeof schemas.registerPasskeySchema>;
export type CreatePasskey = z.input<typeof schemas.createPasskeySchema>;
export type OwnSession = z.output<typeof schemas.ownSessionSchema>;
export type HealthReport = z.output<typeof schemas.healthReportSchema>;
export type MonthlyUsage = z.output<typeof schemas.monthlyUsageSchema>;
export type UsageReport = z.output<typeof schemas.usageReportSchema>;
export type AuditEvent = z.output<typeof schemas.auditEventSchema>;
export type AuditFilter = z.input<typeof schemas.auditFilterSchema>;
export type AuditRetention = z.input<typeof schemas.auditRetentionSchema>;
export type UsageTotals = z.output<typeof schemas.usageTotalsSchema>;
export type UsageShare = z.output<typeof schemas.usageShareSchema>;
export type ModelPrices = z.input<typeof schemas.modelPricesSchema>;
export type ModelPricesState = z.output<typeof schemas.modelPricesStateSchema>;
export type Budgets = z.input<typeof schemas.budgetsSchema>;
export type BudgetState = z.output<typeof schemas.budgetStateSchema>;

// Webhooks
export type WebhookEvent = z.output<typeof schemas.webhookEventSchema>;
export type CreateWebhook = z.input<typeof schemas.createWebhookSchema>;
export type UpdateWebhook = z.input<typeof schemas.updateWebhookSchema>;
export type Webhook = z.output<typeof schemas.webhookSchema>;
export type WebhookWithSecret = z.output<typeof schemas.webhookWithSecretSchema>;
export type WebhookDelivery = z.output<typeof schemas.webhookDeliverySchema>;
export type ReplayWebhook = z.input<typeof schemas.replayWebhookSchema>;
export type ReplayedWebhook = z.output<typeof schemas.replayedWebhookSchema>;
export type WebhookPayload = z.output<typeof schemas.webhookPayloadSchema>;

// People
export type Role = z.output<typeof schemas.roleSchema>;
export type Person = z.output<typeof schemas.personSchema>;
export type PersonWithToken = z.output<typeof schemas.personWithTokenSchema>;
export type InvitePerson = z.input<typeof schemas.invitePersonSchema>;
export type CreatePersonLink = z.input<typeof schemas.createPersonLinkSchema>;
export type ChangePerson = z.input<typeof schemas.changePersonSchema>;
export type CreateToken = z.input<typeof schemas.createTokenSchema>;
export type Token = z.output<typeof schemas.tokenSchema>;
export type TokenWithSecret = z.output<typeof schemas.tokenWithSecretSchema>;
export type Profile = z.output<typeof schemas.profileSchema>;
export type ChangeProfile = z.input<typeof schemas.changeProfileSchema>;

// Groups
export type Group = z.output<typeof schemas.groupSchema>;
export type CreateGroup = z.input<typeof schemas.createGroupSchema>;
export type UpdateGroup = z.input<typeof schemas.updateGroupSchema>;
export type GroupMember = z.output<typeof schemas.groupMemberSchema>;
// Identity providers
export type GroupRole = IdentityProvider['groupRoles'][number];
export type IdentityProvider = z.output<typeof schemas.identityProviderSchema>;
export type CreateIdentityProvider = z.input<typeof schemas.createIdentityProviderSchema>;
export type UpdateIdentityProvider = z.input<typeof schemas.updateIdentityProviderSchema>;
export type IdentityProviderTest = z.output<typeof schemas.identityProviderTestSchema>;
export type FindSignInProviders = z.input<typeof schemas.findSignInProvidersSchema>;
export type SignInProviders = z.output<typeof schemas.signInProvidersSchema>;

// Models
export type ChatModel = z.output<typeof schemas.chatModelSchema>;
export type Models = z.output<typeof schemas.modelsSchema>;
export type EmbeddingSettings = z.output<typeof schemas.embeddingSettingsSchema>;
export type EmbeddingOffer = EmbeddingSettings['offers'][number];
export type ChooseEmbeddingModel = z.input<typeof schemas.chooseEmbeddingModelSchema>;
export type ChatSettings = z.output<typeof schemas.chatSettingsSchema>;
export type ChooseChatModel = z.input<typeof schemas.chooseChatModelSchema>;
export type ChooseEmbeddingServer = z.input<typeof schemas.chooseEmbeddingServerSchema>;
export type RerankSettings = z.output<typeof schemas.rerankSettingsSchema>;
export type ChooseRerankModel = z.input<typeof schemas.chooseRerankModelSchema>;
export type RecognitionSettings = z.output<typeof schemas.recognitionSettingsSchema>;
export type RecognitionLanguage = z.output<typeof schemas.recognitionLanguageSchema>;
export type TestModel = z.input<typeof schemas.testModelSchema>;
export type ModelTest = z.output<typeof schemas.modelTestSchema>;
