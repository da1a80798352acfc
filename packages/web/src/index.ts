export { Cookies } from './cookies/cookies.js';
export { FilteringProxy } from './guard/filtering-proxy.js';
export { transportError } from './guard/fetch-errors.js';
export {
  type FetchOptions,
  type FetchResult,
  GuardedHttpClient,
  readBody,
} from './guard/guarded-http.client.js';
export { guardedFetch, requirePermittedAddress } from './guard/guarded-fetch.js';
export type { ProxyOptions } from './guard/proxy-rules.js';
export { WebFetchError, type WebFetchErrorCode, type WebFetchErrorKind } from './guard/web-fetch.error.js';
export { HostGate, type HostPermit } from './politeness/host-gate.js';
export type { HostFeedback } from './politeness/host-pace.js';
export { yieldBetween } from './politeness/yield-between.js';
export { fetchRobots } from './robots/fetch-robots.js';
export { type RobotsAnswer, robotsFor } from './robots/robots-answer.js';
export { readRobotsDirectives } from './robots/robots-directives.js';
export { RobotsFile, RobotsRules } from './robots/robots-file.js';
export { looksLikeSitemapOrFeed } from './sitemaps/looks-like-sitemap.js';
export { readSitemap } from './sitemaps/read-sitemap.js';
export type { SitemapSummary } from './sitemaps/sitemap-summary.js';
export { hasRepeatedSegments } from './urls/has-repeated-segments.js';
export { normalizeUrl } from './urls/normalize-url.js';
export { UrlScope } from './urls/url-scope.js';
