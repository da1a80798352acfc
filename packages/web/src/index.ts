export { AddressPolicy } from './address-policy.js';
export type { ContentType } from './content-type.js';
export { parseFetchUrl } from './fetch-url.js';
export type { Resolver } from './guarded-connector.js';
export {
  type FetchOptions,
  type FetchResult,
  GuardedHttpClient,
  type GuardedHttpClientOptions,
  readBody,
} from './guarded-http.client.js';
export { WebFetchError, type WebFetchErrorCode, type WebFetchErrorKind } from './web-fetch.error.js';
