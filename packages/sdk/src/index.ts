export { Citewell } from './citewell.js';
export {
  AccessDeniedError,
  CitewellError,
  type ClientErrorCode,
  ConflictError,
  type ErrorCode,
  InvalidRequestError,
  NetworkError,
  NotFoundError,
  RateLimitError,
  TimeoutError,
  UsageLimitError,
} from './citewell-error.js';
export type { AnswerEvent, ResumableAnswerEvent } from './agents/answer-reader.js';
export { markSentences, SENTENCE_MARK, withAddedCitations } from './agents/mark-sentences.js';
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
export type { AgentQuery, VisitorQuery } from './agents/agent-query.js';
export type * from '@citewell/contracts';
