export { ApiResponseError, ProductClient, type UploadedFile } from './product-client.js';
export { type ProcessEnd, RunningProcess } from './running-process.js';
