import type { POINTING } from '@citewell/database';
import type { PageFacts } from '@citewell/documents/web-page';
import { normalizeUrl, readRobotsDirectives } from '@citewell/web';

/** A page that refreshes to another one and says less than this only points there. */
const STUB_CHARACTERS = 250;
/** Later than this, a refresh is for people who have read the page. */
const STUB_DELAY_SECONDS = 10;

/** What a fetched page is to its site. */
export type PageVerdict =
  /** @param target what it would stand for, if that were of this site */
  | { readonly kind: 'page'; readonly target?: string }
  /** @param target where it leads all the same, as of `elsewhere` */
  | { readonly kind: 'left-out'; readonly reason: 'NOINDEX' | 'EMPTY'; readonly target?: string }
  /** It stands for another page. @param target normalised, of this site */
  | { readonly kind: 'elsewhere'; readonly reason: (typeof POINTING)[number]; readonly target: string };

export interface JudgedPage {
  readonly url: string;
  readonly facts: PageFacts;
  /** Of `X-Robots-Tag`. */
  readonly robotsTags: readonly string[];
  /** Of a `Link` header. */
  readonly canonicalUrl: string | null;
  /** UTF-16 units of its main text. */
  readonly characters: number;
}

/**
 * Decides whether a page becomes a datasource. `noindex` is obeyed; a stub that only redirects is none; a page that
 * names another one of the site as canonical stands for that. A canonical URL on another host is ignored (with and
 * without `www.` are one), and so are two mistakes that whole sites make: the home page named by every other page, and a
 * page named by the scheme that it did not come by.
 */
export function judgePage(
  page: JudgedPage,
  isOfSite: (url: string) => boolean,
  userAgent: string,
): PageVerdict {
  const { url, characters } = page;
  const refreshed = refreshTargetOf(page);
  const isStub = refreshed !== null && isOfSite(refreshed);
  // Stubs that generators write ask not to be indexed themselves.
  if (isNoindex(page, userAgent))
    return { kind: 'left-out', reason: 'NOINDEX', ...(isStub ? { target: refreshed } : {}) };
  if (isStub) return { kind: 'elsewhere', reason: 'REFRESH', target: refreshed };
  const canonical = canonicalOf(page);
  const named = canonical === url ? null : canonical;
  if (named !== null && isOfSite(named)) return { kind: 'elsewhere', reason: 'CANONICAL', target: named };
  if (characters === 0) return { kind: 'left-out', reason: 'EMPTY' };
  const target = refreshed ?? named;
  return { kind: 'page', ...(target === null ? {} : { target }) };
}

/** Whether the page, or its server, asks not to be indexed. */
export function isNoindex(
  { facts, robotsTags }: Partial<Pick<JudgedPage, 'facts'>> & Pick<JudgedPage, 'robotsTags'>,
  userAgent: string,
): boolean {
  return (facts?.robots.noindex ?? false) || readRobotsDirectives(robotsTags, userAgent).noindex;
}

/** Where a page leads that says nothing itself, normalised; null where it stays. */
export function refreshTargetOf({
  url,
  facts: { refresh },
  characters,
}: Pick<JudgedPage, 'url' | 'facts' | 'characters'>): string | null {
  if (!refresh || refresh.delaySeconds > STUB_DELAY_SECONDS || characters >= STUB_CHARACTERS) return null;
  const target = normalizeUrl(refresh.url);
  return target === url ? null : target;
}

/** Whether the page's links may be followed. */
export function mayFollow(
  { facts, robotsTags }: Pick<JudgedPage, 'facts' | 'robotsTags'>,
  userAgent: string,
): boolean {
  return !facts.robots.nofollow && !isNofollow(robotsTags, userAgent);
}

/** Whether headers ask not to follow the page's links. */
export function isNofollow(robotsTags: JudgedPage['robotsTags'], userAgent: string): boolean {
  return readRobotsDirectives(robotsTags, userAgent).nofollow;
}

function canonicalOf({ url, facts, canonicalUrl }: JudgedPage): string | null {
  const named = facts.canonicalUrl ?? canonicalUrl;
  const canonical = named === null ? null : normalizeUrl(named);
  if (canonical === null) return null;
  const [from, to] = [new URL(url), new URL(canonical)];
  if (withoutWww(to.host) !== withoutWww(from.host) || (to.pathname === '/' && from.pathname !== '/'))
    return null;
  to.protocol = from.protocol;
  return to.href;
}

/** Sites answer under both, and are brought in by the one that they name. */
function withoutWww(host: string): string {
  return host.replace(/^www\./, '');
}
