import type { DatasourceEntity } from '@citewell/database';
import { normalizeUrl, UrlScope } from '@citewell/web';
import { type RenderMode, renderModeOf } from '../rendering/render-mode.js';
import { sha256 } from './sha256.js';

const DEFAULT_MAX_PAGES = 1_000;
/** URLs that are looked at for each page that may be brought in: redirects and duplicates are none. */
const URLS_PER_PAGE = 10;
const LEAST_URLS = 10_000;

/** What a web site is configured to, as a crawl needs it. */
export interface SiteConfig {
  /** Where links are followed from when there is no sitemap. */
  readonly start: string | null;
  /** Name and port of the address that the site is known by. */
  readonly host: string;
  readonly sitemap: string | null;
  readonly maxPages: number;
  /** URLs in all, pages or not. */
  readonly maxUrls: number;
  readonly scope: UrlScope;
  readonly render: RenderMode;
  /** Tells what belongs to the site from what it was configured to be before. */
  readonly fingerprint: string;
}

/** @throws TypeError for what no API has let in */
export function siteConfigOf({ config }: Pick<DatasourceEntity, 'config'>): SiteConfig {
  const start = addressOf(config['source_url']);
  const sitemap = addressOf(config['sitemap']);
  const home = start ?? sitemap;
  if (home === null) throw new TypeError('the site has no address');
  const maxPages = numberOf(config['maxPages']) ?? DEFAULT_MAX_PAGES;
  const maxDepth = numberOf(config['maxDepth']);
  const { host } = new URL(home);
  const patterns = { include: stringsOf(config['include']), exclude: stringsOf(config['exclude']) };
  const limits = maxDepth === undefined ? {} : { maxDepth };
  return {
    start,
    host,
    sitemap,
    maxPages,
    maxUrls: Math.max(LEAST_URLS, maxPages * URLS_PER_PAGE),
    scope: new UrlScope({
      start: home,
      hosts: twinOf(host),
      ...patterns,
      ...limits,
    }),
    render: renderModeOf(config['render']),
    fingerprint: sha256(JSON.stringify({ start, sitemap, ...patterns, ...limits })),
  };
}

/** Many sites answer under both; one redirects to the other. An address has none. */
function twinOf(host: string): string[] {
  const twin = host.startsWith('www.') ? host.slice('www.'.length) : `www.${host}`;
  return URL.canParse(`https://${twin}`) ? [twin] : [];
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
