import { hash } from 'node:crypto';
import { datasourceErrorOf } from '@citewell/contracts/errors';
import { type DatasourceError, MAX_URL_LENGTH } from '@citewell/contracts/schemas';
import type { FrontierUrl } from '@citewell/database';
import { documentHash } from '@citewell/ingestion';
import { normalizeUrl, readRobotsDirectives, type UrlScope, type WebFetchError } from '@citewell/web';
import { finalFailureOf, retryAt } from '../fetching/url-fetcher.js';
import { HTML } from '../page-reader/page-type.js';
import type { RenderMode } from '../rendering/render.protocol.js';
import type { HtmlPage, PageResponse } from './page-loader.js';

/** Redirects between a discovered URL and a page. */
export const MAX_HOPS = 10;
/** A page that refreshes to another one and has less text is a redirect. */
const MAX_REFRESH_CHARACTERS = 250;
/** A refresh after a longer delay is for people who have read the page. */
const MAX_REFRESH_SECONDS = 10;

/** Of a page that was not rendered. */
export const SHELL_SENTENCE =
  'Without a browser, the page shows only a menu or a loading screen. Set render to auto, and ask the operator to install Chromium.';

/** What a URL of a site turned out to be. */
export type PageClass =
  /** A page with new or changed content. */
  | { readonly kind: 'page'; readonly textHash: string }
  | { readonly kind: 'unchanged' }
  /** By its server or by meta refresh. @param target normalized; null when it is outside of the site */
  | { readonly kind: 'redirect'; readonly target: string | null }
  /** It names another page of the site by `rel=canonical`. */
  | { readonly kind: 'canonical'; readonly target: string; readonly textHash: string }
  /** @param target the page with the same text */
  | { readonly kind: 'duplicate'; readonly target: string; readonly textHash: string }
  | { readonly kind: 'skipped'; readonly reason: SkipReason }
  | { readonly kind: 'retry'; readonly notBefore: Date }
  | { readonly kind: 'failed'; readonly error: DatasourceError };

export type SkipReason =
  | 'EXCLUDED'
  | 'NOINDEX'
  | 'ROBOTS'
  | 'EMPTY'
  | 'GONE'
  | 'UNSUPPORTED'
  | 'NOT_A_PAGE'
  | 'NOT_FOUND_PAGE'
  | 'NOT_RENDERED'
  | 'REPEATED';

/** What is known of a URL when its response is classified. */
export interface PageFacts {
  readonly url: FrontierUrl;
  /** The URL of another page with the text of the response; see {@link textHashOf}. */
  readonly textOwner: string | null;
  /** Why the response is no page although its status is 200. Default: it is one. */
  readonly noPage?: 'NOT_FOUND_PAGE' | 'REPEATED' | null;
}

/** What belongs to the site, and how it is crawled. */
export interface SiteRules {
  readonly scope: UrlScope;
  readonly render: RenderMode;
  readonly userAgent: string;
}

/** Decides what a URL is to its site. Makes no request and reads no state but its arguments. */
export function classifyPage(response: PageResponse, facts: PageFacts, site: SiteRules): PageClass {
  const { url } = facts;
  switch (response.kind) {
    case 'unchanged':
      if (isNoindex(response, site.userAgent)) return { kind: 'skipped', reason: 'NOINDEX' };
      return site.scope.isExcluded(url.url) ? { kind: 'skipped', reason: 'EXCLUDED' } : { kind: 'unchanged' };
    case 'redirect':
      return classifyRedirect(url, response.target, site.scope);
    case 'forbidden':
      if (url.origin === 'seed') return { kind: 'failed', error: datasourceErrorOf('ROBOTS_DISALLOWED') };
      return { kind: 'skipped', reason: 'ROBOTS' };
    case 'error':
      return classifyError(url, response.error);
    case 'sitemap':
      return { kind: 'skipped', reason: 'NOT_A_PAGE' };
    case 'not-rendered':
      return { kind: 'skipped', reason: 'NOT_RENDERED' };
    case 'file':
      if (response.contentType === null) return { kind: 'skipped', reason: 'UNSUPPORTED' };
      if (isNoindex(response.answer, site.userAgent)) return { kind: 'skipped', reason: 'NOINDEX' };
      return classifyContent(facts, fileHash(hash('sha256', response.bytes)), site);
    case 'html':
      return classifyHtml(response, facts, site);
  }
}

/** The hash by which pages with the same text are found; null when there is no text. */
export function textHashOf(response: PageResponse): string | null {
  if (response.kind === 'html')
    return response.page.document && documentHash(response.page.document.textHash);
  if (response.kind === 'file' && response.contentType !== null)
    return fileHash(hash('sha256', response.bytes));
  return null;
}

function classifyHtml(response: HtmlPage, facts: PageFacts, site: SiteRules): PageClass {
  const { page, answer } = response;
  const { url } = facts.url;
  if (facts.noPage) return { kind: 'skipped', reason: facts.noPage };
  const textHash = textHashOf(response);
  const isOfSite = (target: string | null): target is string =>
    target !== null && target !== url && belongsToSite(facts.url, target, site.scope);
  const refreshed = refreshTargetOf(url, page);
  // Before `noindex`: the redirect pages of site generators ask not to be indexed themselves.
  if (isOfSite(refreshed)) return { kind: 'redirect', target: refreshed };
  if (isNoindex({ ...answer, facts: page.facts }, site.userAgent))
    return { kind: 'skipped', reason: 'NOINDEX' };
  const canonical = canonicalOf(url, page.facts.canonicalUrl ?? answer.canonicalUrl);
  if (isOfSite(canonical))
    return textHash === null || site.scope.isExcluded(url)
      ? { kind: 'redirect', target: canonical }
      : { kind: 'canonical', target: canonical, textHash };
  if (textHash !== null && page.facts.isShell)
    return site.render === 'never'
      ? { kind: 'skipped', reason: 'EMPTY' }
      : { kind: 'failed', error: datasourceErrorOf('RENDER_UNAVAILABLE', SHELL_SENTENCE) };
  if (textHash !== null) return classifyContent(facts, textHash, site);
  if (page.facts.needsRendering !== null && site.render !== 'never')
    return { kind: 'failed', error: datasourceErrorOf('RENDER_UNAVAILABLE') };
  return { kind: 'skipped', reason: 'EMPTY' };
}

function classifyContent({ url, textOwner }: PageFacts, textHash: string, { scope }: SiteRules): PageClass {
  // A start that the patterns exclude is read for its links.
  if (scope.isExcluded(url.url)) return { kind: 'skipped', reason: 'EXCLUDED' };
  if (textHash === servedHashOf(url)) return { kind: 'unchanged' };
  if (textOwner !== null) return { kind: 'duplicate', target: textOwner, textHash };
  return { kind: 'page', textHash };
}

function classifyRedirect(url: FrontierUrl, target: string | null, scope: UrlScope): PageClass {
  const refused = (sentence: string): PageClass => ({
    kind: 'failed',
    error: datasourceErrorOf('PAGE_REFUSED', sentence),
  });
  if (target === url.url) return refused('The address redirects to itself.');
  if (url.hops >= MAX_HOPS) return refused(`The address is reached by more than ${MAX_HOPS} redirects.`);
  if (target !== null && belongsToSite(url, target, scope)) return { kind: 'redirect', target };
  if (url.origin !== 'seed') return { kind: 'redirect', target: null };
  if (target === null) return refused('The address redirects to something that is not a web address.');
  if (target.length > MAX_URL_LENGTH)
    return refused(`The address redirects to one of more than ${MAX_URL_LENGTH} characters.`);
  return refused(`The address redirects to ${new URL(target).host}. Add the site under that address.`);
}

/** A broken link is a defect of the page that has it. A listed URL should exist. */
function classifyError(url: FrontierUrl, error: WebFetchError): PageClass {
  const notBefore = retryAt(error, url.attempts);
  if (notBefore !== null) return { kind: 'retry', notBefore };
  const { code, sentence } = finalFailureOf(error);
  if (code === 'PAGE_GONE' && (url.origin === 'link' || url.origin === 'reference'))
    return { kind: 'skipped', reason: 'GONE' };
  return { kind: 'failed', error: datasourceErrorOf(code, sentence) };
}

/** The target of a seed's redirect is crawled whatever the patterns say. Longer URLs are not stored. */
function belongsToSite({ origin, depth }: FrontierUrl, target: string, scope: UrlScope): boolean {
  if (target.length > MAX_URL_LENGTH) return false;
  return origin === 'seed' ? scope.isOnHost(target) : scope.refusalOf(target, depth) === null;
}

/** Whether a page, or its server, asks not to be indexed. */
export function isNoindex(
  {
    robotsTags,
    facts,
  }: { readonly robotsTags: readonly string[]; readonly facts?: HtmlPage['page']['facts'] },
  userAgent: string,
): boolean {
  return (facts?.robots.noindex ?? false) || readRobotsDirectives(robotsTags, userAgent).noindex;
}

/** The target of the meta refresh of a page with hardly any text, normalized. Null without one. */
export function refreshTargetOf(url: string, { facts, document }: HtmlPage['page']): string | null {
  const { refresh } = facts;
  if (!refresh || refresh.delaySeconds > MAX_REFRESH_SECONDS) return null;
  if ((document?.characters ?? 0) >= MAX_REFRESH_CHARACTERS) return null;
  const target = normalizeUrl(refresh.url);
  return target === url ? null : target;
}

/**
 * The canonical URL of a page. Ignored are those on another host, and two mistakes that whole sites make: naming the
 * home page on every page, and naming the scheme that the page was not fetched by.
 */
function canonicalOf(url: string, named: string | null): string | null {
  const canonical = named === null ? null : normalizeUrl(named);
  if (canonical === null) return null;
  const [from, to] = [new URL(url), new URL(canonical)];
  if (to.host !== from.host || (to.pathname === '/' && from.pathname !== '/')) return null;
  to.protocol = from.protocol;
  return to.href;
}

function fileHash(bodySha256: string): string {
  return `file-${bodySha256}`;
}

/** As {@link textHashOf}, of the content that answers. */
export function servedHashOf({ serving }: FrontierUrl): string | null {
  if (serving === null || serving.contentType === HTML) return serving?.textHash ?? null;
  return serving.sha256 === null ? null : fileHash(serving.sha256);
}
