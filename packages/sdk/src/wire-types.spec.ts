import { API_ERROR_STATUS as CONTRACT } from '@citewell/contracts/errors';
import type * as contracts from '@citewell/contracts/http';
import type { ErrorDetail as ContractDetail } from '@citewell/contracts/errors';
import { expect, it } from '@jest/globals';
import { API_ERROR_STATUS, type ErrorDetail } from './citewell-error.js';
import type * as sdk from './index.js';

/** Expands inheritance and intersections of a type, so that only its shape is compared. */
type Flat<T> = T extends readonly (infer Item)[]
  ? Flat<Item>[]
  : T extends object
    ? { [Key in keyof T]: Flat<T[Key]> }
    : T;

/**
 * True only if both types have the same fields, with the same types and the same optionality. Mutual
 * assignability is not sufficient: it ignores a field that is optional on one side only.
 */
type Same<A, B> =
  (<T>() => T extends Flat<A> ? 1 : 2) extends <T>() => T extends Flat<B> ? 1 : 2 ? true : false;

/** The input type of a schema, before defaults and transformations. */
type Input<
  Schema extends { readonly '~standard': { readonly types?: { readonly input: unknown } | undefined } },
> = NonNullable<Schema['~standard']['types']>['input'];

interface Responses {
  Agent: Same<sdk.Agent, contracts.Agent>;
  AgentAnswer: Same<sdk.AgentAnswer, contracts.AgentAnswer>;
  AnswerStart: Same<sdk.AnswerStart, contracts.AnswerStart>;
  AnswerState: Same<sdk.AnswerState, contracts.AnswerState>;
  AgentProfile: Same<sdk.AgentProfile, contracts.AgentProfile>;
  PublicAnswer: Same<sdk.PublicAnswer, contracts.PublicAnswer>;
  Source: Same<sdk.Source, contracts.Source>;
  Quote: Same<sdk.Quote, contracts.Quote>;
  FinishReason: Same<sdk.FinishReason, contracts.FinishReason>;
  Usage: Same<sdk.Usage, contracts.Usage>;
  Datastore: Same<sdk.Datastore, contracts.Datastore>;
  ListedDatastore: Same<sdk.ListedDatastore, contracts.ListedDatastore>;
  DatastoreProgress: Same<sdk.DatastoreProgress, contracts.DatastoreProgress>;
  DatastoreQueryItem: Same<sdk.DatastoreQueryItem, contracts.DatastoreQueryItem>;
  SearchExplanation: Same<sdk.SearchExplanation, contracts.SearchExplanation>;
  Datasource: Same<sdk.Datasource, contracts.Datasource>;
  DatasourceBatch: Same<sdk.DatasourceBatch, contracts.DatasourceBatch>;
  DatasourceText: Same<sdk.DatasourceText, contracts.DatasourceText>;
  Chunk: Same<sdk.Chunk, contracts.ChunkItem>;
  SitePreview: Same<sdk.SitePreview, contracts.SitePreview>;
  SiteUrl: Same<sdk.SiteUrl, contracts.SiteUrl>;
  Run: Same<sdk.Run, contracts.RunItem>;
  Progress: Same<sdk.Progress, contracts.Progress>;
  Message: Same<sdk.Message, contracts.Message>;
  Conversation: Same<sdk.Conversation, contracts.Conversation>;
  ConversationWithMessages: Same<sdk.ConversationWithMessages, contracts.ConversationWithMessages>;
  Evaluation: Same<sdk.Evaluation, contracts.Evaluation>;
  EvaluationWithResult: Same<sdk.EvaluationWithResult, contracts.EvaluationWithResult>;
  ApiKey: Same<sdk.ApiKey, contracts.ApiKey>;
  ApiKeyWithSecret: Same<sdk.ApiKeyWithSecret, contracts.ApiKeyWithSecret>;
  Organization: Same<sdk.Organization, contracts.Organization>;
  OrganizationWithKey: Same<sdk.OrganizationWithKey, contracts.OrganizationWithKey>;
  Session: Same<sdk.Session, contracts.Session>;
  HealthReport: Same<sdk.HealthReport, contracts.HealthReport>;
  Models: Same<sdk.Models, contracts.Models>;
  EmbeddingSettings: Same<sdk.EmbeddingSettings, contracts.EmbeddingSettings>;
  ChooseEmbeddingModel: Same<sdk.ChooseEmbeddingModel, contracts.ChooseEmbeddingModel>;
  ChatSettings: Same<sdk.ChatSettings, contracts.ChatSettings>;
  ChooseChatModel: Same<sdk.ChooseChatModel, contracts.ChooseChatModel>;
  ModelTest: Same<sdk.ModelTest, contracts.ModelTest>;
  MonthlyUsage: Same<sdk.MonthlyUsage, contracts.MonthlyUsage>;
  UsageReport: Same<sdk.UsageReport, contracts.UsageReport>;
  ErrorDetail: Same<ErrorDetail, ContractDetail>;
}

interface Requests {
  SignIn: Same<sdk.SignIn, Input<typeof contracts.signInSchema>>;
  CreateAgent: Same<sdk.CreateAgent, Input<typeof contracts.createAgentSchema>>;
  UpdateAgent: Same<sdk.UpdateAgent, Input<typeof contracts.updateAgentSchema>>;
  // The SDK sets these itself, by the choice of `agents.query`, `agents.stream` or `agents.streamResumable`.
  AgentQuery: Same<sdk.AgentQuery, Omit<Input<typeof contracts.agentQuerySchema>, 'streaming' | 'resumable'>>;
  CreateDatastore: Same<sdk.CreateDatastore, Input<typeof contracts.createDatastoreSchema>>;
  UpdateDatastore: Same<sdk.UpdateDatastore, Input<typeof contracts.updateDatastoreSchema>>;
  DatastoreQuery: Same<sdk.DatastoreQuery, Input<typeof contracts.datastoreQuerySchema>>;
  UpdateText: Same<sdk.UpdateText, Input<typeof contracts.updateTextSchema>>;
  UpsertTexts: Same<sdk.UpsertTexts, Input<typeof contracts.upsertTextsSchema>>;
  CreateDatasource: Same<sdk.CreateDatasource, Input<typeof contracts.createDatasourceSchema>>;
  CreateDatasourceBatch: Same<sdk.CreateDatasourceBatch, Input<typeof contracts.createDatasourceBatchSchema>>;
  SyncDatasource: Same<sdk.SyncDatasource, Input<typeof contracts.syncDatasourceSchema>>;
  PreviewSite: Same<sdk.PreviewSite, Input<typeof contracts.previewSiteSchema>>;
  UpdateDatasource: Same<sdk.UpdateDatasource, Input<typeof contracts.updateDatasourceSchema>>;
  Feedback: Same<sdk.Feedback, Input<typeof contracts.feedbackSchema>>;
  TestModel: Same<sdk.TestModel, Input<typeof contracts.testModelSchema>>;
  CreateEvaluation: Same<sdk.CreateEvaluation, Input<typeof contracts.createEvaluationSchema>>;
  CreateApiKey: Same<sdk.CreateApiKey, Input<typeof contracts.createApiKeySchema>>;
  CreateOrganization: Same<sdk.CreateOrganization, Input<typeof contracts.createOrganizationSchema>>;
}

interface Names {
  ModelName: Same<sdk.ModelName, contracts.ModelName>;
  DatasourceType: Same<sdk.DatasourceType, contracts.DatasourceType>;
  DatasourceStatus: Same<sdk.DatasourceStatus, contracts.DatasourceStatus>;
  Stage: Same<sdk.Stage, contracts.Stage>;
  RunState: Same<sdk.RunState, contracts.RunState>;
  EvaluationMeasure: Same<sdk.EvaluationMeasure, contracts.EvaluationMeasure>;
  EvaluationState: Same<sdk.EvaluationState, contracts.EvaluationState>;
  Scope: Same<sdk.Scope, contracts.Scope>;
}

/** The names of the pairs that differ. */
type Differing<Pairs> = { [Name in keyof Pairs]: Pairs[Name] extends true ? never : Name }[keyof Pairs];

// The type checker is the test. Its error names the type that differs.
const differing: [Differing<Responses & Requests & Names>] extends [never]
  ? 'none'
  : Differing<Responses & Requests & Names> = 'none';

it('the wire types equal the schemas of the server', () => {
  expect(differing).toBe('none');
});

it('the error codes equal the error codes of the server', () => {
  expect(API_ERROR_STATUS).toEqual(CONTRACT);
});
