import { linesOf } from '../datasources/addresses.js';

const DEFAULT_MAX_PAGES = 1_000;

/** The settings of a web page or site, as the fields of a form have them. */
export interface WebSettings {
  /** As in the API. Null: it is synced only by hand. */
  readonly schedule: string | null;
  // The other fields are those of sites.
  readonly maxPages: number | string;
  readonly sitemap: string;
  /** One pattern per line. */
  readonly include: string;
  readonly exclude: string;
}

/** The settings of a datasource with this `config`. An empty one has the default settings. */
export function settingsOf({
  schedule,
  maxPages,
  sitemap,
  include,
  exclude,
}: Readonly<Record<string, unknown>>): WebSettings {
  const lines = (patterns: unknown): string => (Array.isArray(patterns) ? patterns.join('\n') : '');
  return {
    schedule: typeof schedule === 'string' && schedule !== '' ? schedule : null,
    maxPages: typeof maxPages === 'number' ? maxPages : DEFAULT_MAX_PAGES,
    sitemap: typeof sitemap === 'string' ? sitemap : '',
    include: lines(include),
    exclude: lines(exclude),
  };
}

/** What the settings of a site are in the `config` of the API, without the schedule. */
export function siteConfigOf({ maxPages, sitemap, include, exclude }: WebSettings) {
  return {
    maxPages: Number(maxPages) || DEFAULT_MAX_PAGES,
    ...(sitemap.trim() === '' ? {} : { sitemap: sitemap.trim() }),
    include: linesOf(include),
    exclude: linesOf(exclude),
  };
}
