export { Cookies } from './cookies/cookies.js';
export { FilteringProxy } from './guard/filtering-proxy.js';
export {
  parseRetryAfter,
  transportError,
  WebFetchError,
  type WebFetchErrorCode,
  type WebFetchErrorKind,
} from './guard/fetch-errors.js';
export {
  type FetchOptions,
  type FetchResult,
  GuardedHttpClient,
  readBody,
} from './guard/guarded-http.client.js';
export { guardedFetch, permittedAddress, requirePermittedAddress } from './guard/guarded-fetch.js';
export type { ProxyOptions } from './guard/proxy-rules.js';
export { type HostFeedback, HostGate, type HostPermit } from './politeness/host-gate.js';
export { yieldBetween } from './politeness/yield-between.js';
export { fetchRobots, type RobotsAnswer, robotsFor } from './robots/fetch-robots.js';
export { readRobotsDirectives, RobotsFile, RobotsRules } from './robots/robots-file.js';
export { looksLikeSitemapOrFeed, readSitemap } from './sitemaps/read-sitemap.js';
export type { SitemapSummary } from './sitemaps/xml-sitemap.reader.js';
export { Glob } from './urls/glob.js';
export { hasRepeatedSegments, normalizeUrl } from './urls/normalize-url.js';
export { UrlScope } from './urls/url-scope.js';
