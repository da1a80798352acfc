export { Citewell } from './citewell.js';
export {
  AccessDeniedError,
  type ApiErrorCode,
  CitewellError,
  type ClientErrorCode,
  ConflictError,
  type ErrorCode,
  type ErrorDetail,
  InvalidRequestError,
  NetworkError,
  NotFoundError,
  RateLimitError,
  TimeoutError,
  UsageLimitError,
} from './citewell-error.js';
export type { AnswerEvent, ResumableAnswerEvent } from './agents/answer-reader.js';
export { withoutMarkdown } from './agents/without-markdown.js';
export type {
  ConversationFilter,
  ConversationOfAgent,
  ListConversations,
} from './conversations/conversations.resource.js';
export { DatasourceFailedError } from './datasources/datasource-failed-error.js';
export type { DatasourceFile } from './datasources/datasource-file.js';
export type { ListDatasources, TextRange, UploadDatasource } from './datasources/datasources.resource.js';
export type { FileToUpload, UploadOptions } from './datasources/file-upload.js';
export type { WaitOptions } from './datasources/watch-until-synched.js';
export type { Page, PageParameters, Pages } from './http/pages.js';
export type { OnUploadProgress, UploadProgress } from './http/upload-progress.js';
export type { CitewellOptions, CreateOptions, Fetch, RequestOptions } from './http/transport.js';
export type * from './administration/administration.types.js';
export type * from './agents/agents.types.js';
export type * from './conversations/conversations.types.js';
export type * from './datasources/datasources.types.js';
export type * from './datastores/datastores.types.js';
export type * from './evaluations/evaluations.types.js';
export type * from './shared.types.js';
