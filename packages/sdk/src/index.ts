export { Citewell } from './citewell.js';
export {
  type ApiErrorCode,
  CitewellError,
  type ClientErrorCode,
  type ErrorCode,
  type ErrorDetail,
} from './citewell-error.js';
export type { AnswerEvent } from './agents/answer-reader.js';
export type { ConversationOfAgent, ListConversations } from './conversations/conversations.resource.js';
export { DatasourceFailedError } from './datasources/datasource-failed-error.js';
export type { DatasourceFile } from './datasources/datasource-file.js';
export type { ListDatasources, TextRange, UploadDatasource } from './datasources/datasources.resource.js';
export type { FileToUpload } from './datasources/file-upload.js';
export type { WaitOptions } from './datasources/synch-watch.js';
export type { Page, PageParameters, Pages } from './http/pages.js';
export type { CitewellOptions, CreateOptions, Fetch, RequestOptions } from './http/transport.js';
export type * from './wire.types.js';
