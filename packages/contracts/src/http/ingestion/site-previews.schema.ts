import { z } from 'zod';
import { siteConfigSchema } from '../content/datasource-config.schema.js';

export const previewSiteSchema = z.object({ config: siteConfigSchema }).meta({
  id: 'PreviewSite',
  description: 'At least one of `source_url` and `sitemap` is required.',
  examples: [{ config: { source_url: 'https://docs.example.com', exclude: ['**/drafts/**'] } }],
});
export type PreviewSite = z.infer<typeof previewSiteSchema>;

export const previewedPageSchema = z
  .object({
    url: z.string(),
    leftOut: z
      .enum(['EXCLUDED', 'NOT_INCLUDED', 'ROBOTS'])
      .nullable()
      .describe('Null if the page is fetched. Else: `exclude`, `include` or robots.txt leaves it out.'),
  })
  .meta({ id: 'PreviewedPage' });
export type PreviewedPage = z.infer<typeof previewedPageSchema>;

export const sitePreviewSchema = z
  .object({
    pages: z
      .array(previewedPageSchema)
      .describe(
        'In the order of discovery: the first ten pages that are fetched, and those left out among them.',
      ),
    isComplete: z.boolean().describe('False if the site is slow or pauses: it may have more pages.'),
    error: z.string().nullable().describe('A sentence, if the site cannot be read.'),
  })
  .meta({
    id: 'SitePreview',
    examples: [
      {
        pages: [
          { url: 'https://docs.example.com/', leftOut: null },
          { url: 'https://docs.example.com/drafts/next', leftOut: 'EXCLUDED' },
        ],
        isComplete: true,
        error: null,
      },
    ],
  });
export type SitePreview = z.infer<typeof sitePreviewSchema>;
