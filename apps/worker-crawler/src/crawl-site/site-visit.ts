import type { DatasourceEntity, FrontierUrl, RunEntity, UrlOutcome } from '@citewell/database';
import { normalizeUrl, UrlScope } from '@citewell/web';
import type { ReserveLargeBody, SiteSession } from '../fetching/url-fetcher.js';
import type { NotFoundPages } from './not-found-pages.js';
import type { SiteRendering } from '../page/site-rendering.js';
import { type RenderMode, renderModeOf } from '../rendering/render.protocol.js';

/** What all URLs of a crawl are visited with. */
export interface SiteVisit {
  readonly run: RunEntity;
  readonly site: SiteConfig;
  /** Whether the site has another configuration than in its crawl before: then unchanged pages are read again. */
  readonly isReconfigured: boolean;
  readonly session?: SiteSession;
  readonly notFoundPages?: NotFoundPages;
  readonly rendering?: SiteRendering;
  readonly signal: AbortSignal;
}

/** A fetched URL that is not classified yet. Classifying may depend on others that were fetched at the same time. */
export interface VisitedUrl {
  readonly url: FrontierUrl;
  /** The hash of the page's text; null for anything else. */
  readonly textHash: string | null;
  /**
   * Classifies the URL and stores its body, if it has to be kept.
   *
   * @param textOwner the page that has the same text; null when there is none
   */
  conclude(textOwner: string | null): Promise<UrlOutcome>;
}

/** Visits the URLs of one kind. @throws HostBusyError, errors of engines, the signal's reason */
export interface UrlVisitor {
  visit(url: FrontierUrl, visit: SiteVisit, reserveLargeBody: ReserveLargeBody): Promise<VisitedUrl>;
}

const DEFAULT_MAX_PAGES = 1_000;

/** The configuration of a web site, as a crawl needs it. */
export interface SiteConfig {
  /** Where links are followed from if there is no sitemap. */
  readonly start: string | null;
  /** Name and port of the site's address. */
  readonly host: string;
  readonly sitemap: string | null;
  readonly maxPages: number;
  readonly scope: UrlScope;
  readonly render: RenderMode;
}

/** @throws TypeError for a configuration that the API does not accept */
export function siteConfigOf({ config }: Pick<DatasourceEntity, 'config'>): SiteConfig {
  const start = addressOf(config['source_url']);
  const sitemap = addressOf(config['sitemap']);
  const home = start ?? sitemap;
  if (home === null) throw new TypeError('the site has no address');
  const { host } = new URL(home);
  const maxDepth = numberOf(config['maxDepth']);
  return {
    start,
    host,
    sitemap,
    maxPages: numberOf(config['maxPages']) ?? DEFAULT_MAX_PAGES,
    scope: new UrlScope({
      start: home,
      hosts: aliasesOf(host),
      include: stringsOf(config['include']),
      exclude: stringsOf(config['exclude']),
      ...(maxDepth === undefined ? {} : { maxDepth }),
    }),
    render: renderModeOf(config['render']),
  };
}

/** Many sites answer under both names; one redirects to the other. An IP address has no alias. */
function aliasesOf(host: string): string[] {
  const alias = host.startsWith('www.') ? host.slice('www.'.length) : `www.${host}`;
  return URL.canParse(`https://${alias}`) ? [alias] : [];
}

function addressOf(value: unknown): string | null {
  return typeof value === 'string' ? normalizeUrl(value) : null;
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

function stringsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}
