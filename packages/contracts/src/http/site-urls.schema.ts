import { z } from 'zod';
import { pageQuerySchema, wholeNumberParameterSchema } from './fields.js';

/** What a crawl found a URL to be. `waiting`: the crawl is in progress and has not fetched it yet. */
export const URL_OUTCOMES = [
  'page',
  'redirect',
  'canonical',
  'duplicate',
  'skipped',
  'failed',
  'sitemap',
  'feed',
  'waiting',
] as const;
const urlOutcomeSchema = z.enum(URL_OUTCOMES);

export const siteUrlSchema = z
  .object({
    url: z.string(),
    kind: z.enum(['page', 'sitemap']),
    outcome: urlOutcomeSchema,
    /** Why it was skipped or failed; of a sitemap, what was wrong with it. */
    reason: z.string().nullable(),
    /** The reason as a sentence. */
    message: z.string().nullable(),
    /** Where a redirect or canonical link leads, or the page with the same text. */
    target: z.string().nullable(),
    /** The datasource of the page. */
    datasourceId: z.string().nullable(),
  })
  .meta({ id: 'SiteUrl' });
export type SiteUrl = z.infer<typeof siteUrlSchema>;

/** The cursor of a list of URLs is the number of the last URL of the previous page. */
export const listSiteUrlsSchema = pageQuerySchema.extend({
  outcome: urlOutcomeSchema.optional(),
  cursor: wholeNumberParameterSchema(0).optional(),
});
export type ListSiteUrls = z.infer<typeof listSiteUrlsSchema>;
