import { z } from 'zod';
import { pageQuerySchema, wholeNumberParameterSchema } from '../fields.js';

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
export const urlOutcomeSchema = z.enum(URL_OUTCOMES);

export const siteUrlSchema = z
  .object({
    url: z.string(),
    kind: z.enum(['page', 'sitemap']),
    outcome: urlOutcomeSchema,
    reason: z
      .string()
      .nullable()
      .describe('Why it was skipped or failed; of a sitemap, what was wrong with it.'),
    message: z.string().nullable().describe('The reason as a sentence.'),
    target: z
      .string()
      .nullable()
      .describe('Where a redirect or canonical link leads, or the page with the same text.'),
    datasourceId: z.string().nullable().describe('The datasource of the page.'),
  })
  .meta({ id: 'SiteUrl', description: 'A URL that the latest crawl of a web site found.' });
export type SiteUrl = z.infer<typeof siteUrlSchema>;

/** The cursor of a list of URLs is the number of the last URL of the previous page. */
export const listSiteUrlsSchema = pageQuerySchema.extend({
  outcome: urlOutcomeSchema.optional(),
  cursor: wholeNumberParameterSchema(0).optional(),
});
export type ListSiteUrls = z.infer<typeof listSiteUrlsSchema>;
