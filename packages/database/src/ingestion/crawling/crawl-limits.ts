/** URLs in a frontier for each page that a site may have: redirects and duplicates are not pages. */
export const URLS_PER_PAGE = 10;
/** URLs of one path with several query parameters. Beyond this number they are combinations of filters. */
export const MAX_QUERY_VARIANTS = 500;

/** What the user reads about a limit that cut discovery off. */
export const TRUNCATED = {
  urls: (limit: number) => `More than ${limit} addresses were found. Raise maxPages to crawl more of them.`,
  /** @param url one of those that were refused */
  queryVariants: (url: string) =>
    `More than ${MAX_QUERY_VARIANTS} addresses differ from ${url} only in their query. Give a sitemap, or exclude them.`,
};
