export { agentsOf, Citewell } from './citewell.js';
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
export type { AnswerEvent, ResumableAnswerEvent } from './answering/agents.resource.js';
export {
  conditionTexts,
  markSentences,
  SENTENCE_MARK,
  withAddedCitations,
  withoutMarkdown,
} from './answering/answer-text.js';
export type {
  ConversationFilter,
  ConversationOfAgent,
  ListConversations,
} from './answering/conversations.resource.js';
export { DatasourceFailedError } from './content/watch-until-synched.js';
export type { DatasourceFile } from './content/datasources.resource.js';
export type { ListDatasources, TextRange, UploadDatasource } from './content/datasources.resource.js';
export type { FileToUpload, UploadOptions } from './content/file-upload.js';
export type { WaitOptions } from './content/watch-until-synched.js';
export type { Page, PageParameters, Pages } from './http/pages.js';
export type { OnUploadProgress, UploadProgress } from './http/upload-progress.js';
export type { CitewellOptions, CreateOptions, Fetch, RequestOptions } from './http/transport.js';
export type { AgentQuery, VisitorQuery } from './answering/agents.resource.js';
export type * from '@citewell/contracts';
