export { ApiResponseError, ProductClient, type UploadedFile } from './product-client.js';
