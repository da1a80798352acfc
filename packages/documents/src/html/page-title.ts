import { singleLine } from '../document/canonical-text.js';

export interface TitleSources {
  /** The `<title>` element. */
  readonly title: string | undefined;
  /** `og:title` or `twitter:title`. */
  readonly social: string | undefined;
  /** `og:site_name` or `application-name`. */
  readonly siteName: string | undefined;
  /** The first heading of level 1. */
  readonly heading: string | undefined;
  readonly url: string | undefined;
}

/** Separators between a page's title and the name of its site. */
const SEPARATOR = ' [|–—·•»«›‹:/-]+ | ?[|»«_｜－—] ?|: ';
const SEPARATORS = new RegExp(SEPARATOR, 'g');
const STARTS_WITH_SEPARATOR = new RegExp(`^(?:${SEPARATOR})`);
const ENDS_WITH_SEPARATOR = new RegExp(`(?:${SEPARATOR})$`);

/**
 * Returns the title of a page without the name of its site. The part to keep is identified by the heading,
 * the social media title, the site name or the host. If none identifies it, the whole `<title>` is returned.
 */
export function pageTitle(sources: TitleSources): string | undefined {
  const title = singleLine(sources.title ?? '');
  const heading = singleLine(sources.heading ?? '');
  const social = singleLine(sources.social ?? '');
  if (title === '') return social || heading || undefined;
  for (const known of [heading, social]) {
    if (known !== '' && known !== title && isPartOf(known, title)) return known;
  }
  const siteName = singleLine(sources.siteName ?? '');
  return withoutSite(title, siteName, hostWords(sources.url)) ?? title;
}

/** Whether a separator divides the title into the known part and the rest. */
function isPartOf(known: string, title: string): boolean {
  if (title.startsWith(known)) return STARTS_WITH_SEPARATOR.test(title.slice(known.length));
  return title.endsWith(known) && ENDS_WITH_SEPARATOR.test(title.slice(0, -known.length));
}

function withoutSite(title: string, siteName: string, host: string): string | undefined {
  const cuts = [...title.matchAll(SEPARATORS)];
  const isSite = (part: string): boolean => {
    const bare = squashed(part);
    return bare.length > 2 && (bare === squashed(siteName) || host.includes(bare));
  };
  const last = cuts.at(-1);
  if (last !== undefined && isSite(title.slice(last.index + last[0].length)))
    return title.slice(0, last.index);
  const first = cuts[0];
  if (first !== undefined && isSite(title.slice(0, first.index)))
    return title.slice(first.index + first[0].length);
  return undefined;
}

function hostWords(url: string | undefined): string {
  if (url === undefined || !URL.canParse(url)) return '';
  // In both orders: the site at `worker.graphile.org` is called "Graphile Worker".
  const labels = new URL(url).hostname.split('.').slice(0, -1);
  return `${labels.join('')} ${labels.toReversed().join('')}`;
}

function squashed(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}
