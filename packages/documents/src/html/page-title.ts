import { singleLine } from '../document/canonical-text.js';

/** What a page says about its name. */
export interface TitleSources {
  /** Of the `<title>` element. */
  readonly title: string | undefined;
  /** `og:title`. */
  readonly shared: string | undefined;
  /** `og:site_name` or `application-name`. */
  readonly site: string | undefined;
  /** The first heading of level 1. */
  readonly heading: string | undefined;
  readonly url: string | undefined;
}

/** Between a page's title and its site's name. */
const SEPARATOR = /\s+[|–—·•»«›‹:/-]+\s+|\s*[|»«_｜－—]\s*|:\s+/;
const SEPARATORS = new RegExp(SEPARATOR, 'g');

/**
 * The title of the page without the name of its site, where something else on the page tells which part is which: its
 * heading, its title for sharing, the name of the site, or the host. In doubt the whole `<title>`.
 */
export function pageTitle(sources: TitleSources): string | undefined {
  const title = singleLine(sources.title ?? '');
  const heading = singleLine(sources.heading ?? '');
  const shared = singleLine(sources.shared ?? '');
  if (title === '') return shared || heading || undefined;
  for (const known of [heading, shared]) {
    if (known !== '' && known !== title && isPartOf(known, title)) return known;
  }
  const site = singleLine(sources.site ?? '');
  return withoutSite(title, site, hostWords(sources.url)) ?? title;
}

/** Whether a separator divides the title into the known part and the rest. */
function isPartOf(known: string, title: string): boolean {
  if (title.startsWith(known)) return new RegExp(`^(?:${SEPARATOR.source})`).test(title.slice(known.length));
  if (title.endsWith(known))
    return new RegExp(`(?:${SEPARATOR.source})$`).test(title.slice(0, -known.length));
  return false;
}

function withoutSite(title: string, site: string, host: string): string | undefined {
  const cuts = [...title.matchAll(SEPARATORS)];
  const isSite = (part: string): boolean => {
    const bare = squashed(part);
    return bare.length > 2 && (bare === squashed(site) || host.includes(bare));
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
  // `worker.graphile.org` is called "Graphile Worker": either order is found.
  const labels = new URL(url).hostname.split('.').slice(0, -1);
  return `${labels.join('')} ${labels.toReversed().join('')}`;
}

function squashed(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}
