export { AddressPolicy } from './guard/address-policy.js';
export type { ContentType } from './guard/content-type.js';
export { parseFetchUrl } from './guard/fetch-url.js';
export {
  FilteringProxy,
  type FilteringProxyOptions,
  type FilteringProxyStats,
  type FilterRefusal,
  type FilterRefusalCode,
} from './guard/filtering-proxy.js';
export type { Resolver } from './guard/guarded-connector.js';
export {
  type FetchOptions,
  type FetchResult,
  GuardedHttpClient,
  type GuardedHttpClientOptions,
  readBody,
} from './guard/guarded-http.client.js';
export type { ProxyOptions } from './guard/proxy-rules.js';
export type { ResponseFacts } from './guard/response-facts.js';
export { WebFetchError, type WebFetchErrorCode, type WebFetchErrorKind } from './guard/web-fetch.error.js';
export { type Clock, systemClock } from './politeness/clock.js';
export {
  type AcquireOptions,
  HostGate,
  type HostGateOptions,
  type HostTurn,
} from './politeness/host-gate.js';
export type { HostFeedback, PaceLimits } from './politeness/host-pace.js';
export { withBreaks } from './politeness/with-breaks.js';
export { fetchRobots, type FetchRobotsOptions } from './robots/fetch-robots.js';
export { type RobotsAnswer, robotsFor, type RobotsOutcome } from './robots/robots-answer.js';
export { readRobotsDirectives, type RobotsDirectives } from './robots/robots-directives.js';
export { RobotsFile, RobotsRules } from './robots/robots-file.js';
export type { RobotsRule } from './robots/robots-rule.js';
export { looksLikeSitemapOrFeed } from './sitemaps/looks-like-sitemap.js';
export { readSitemap, type ReadSitemapOptions, type SitemapReading } from './sitemaps/read-sitemap.js';
export type { SitemapEntry } from './sitemaps/sitemap-entry.js';
export type {
  SitemapKind,
  SitemapProblem,
  SitemapProblemCode,
  SitemapSummary,
} from './sitemaps/sitemap-summary.js';
export { normalizeUrl } from './urls/normalize-url.js';
export { UrlPattern } from './urls/url-pattern.js';
export { type ScopeRefusal, UrlScope, type UrlScopeOptions } from './urls/url-scope.js';
export { ShapeBudget, type ShapeBudgetOptions, urlShape } from './urls/url-shape.js';
