import { z } from 'zod';
import { lineSchema, wholeNumberSchema } from '../fields.js';
import { TEXT_ENCODINGS, textEncodingOf } from './text-encodings.js';

/**
 * In characters of the encoded URL. The URLs of a site are
 * keys of a database index, which limits their length.
 */
export const MAX_URL_LENGTH = 2_048;
export const webUrlSchema = lineSchema
  .max(MAX_URL_LENGTH)
  .refine((value) => {
    const url = URL.parse(value);
    return (
      url !== null &&
      ['http:', 'https:'].includes(url.protocol) &&
      url.hostname !== '' &&
      url.username === '' &&
      url.password === ''
    );
  }, 'must be an absolute http or https URL without user name and password')
  .refine(
    (value) => (URL.parse(value)?.href.length ?? 0) <= MAX_URL_LENGTH,
    `must not be longer than ${MAX_URL_LENGTH} characters in its encoded form`,
  );

/** A cron expression with five fields, or a name such as `@daily`. The API checks its syntax when it computes the next run. */
const scheduleSchema = lineSchema.min(1).max(100);
export const RENDER_MODES = ['auto', 'always', 'never'] as const;
const renderSchema = z.enum(RENDER_MODES);
/** Maximum number of pages that are indexed. Default 1,000. */
const maxPagesSchema = wholeNumberSchema(1, 100_000);
/** Maximum number of links from the start page to a page. Default: no limit. */
const maxDepthSchema = wholeNumberSchema(0, 100);
/** Per pattern. Matching takes longer with every wildcard. */
const MAX_WILDCARDS = 10;
const patternSchema = lineSchema
  .min(1)
  .max(500)
  .refine(
    (pattern) => (pattern.match(/\*+/g)?.length ?? 0) <= MAX_WILDCARDS,
    `must have at most ${MAX_WILDCARDS} wildcards (* or **)`,
  );
/** Glob patterns on URLs or paths. */
export const patternsSchema = z.array(patternSchema).max(100);

/** The encoding of a file of text: decides in place of its detection. Stored by its canonical name. */
export const encodingSchema = z
  .string()
  .max(40)
  .transform((name, context) => {
    const encoding = textEncodingOf(name);
    if (encoding !== undefined) return encoding;
    context.addIssue({ code: 'custom', message: `must be one of ${TEXT_ENCODINGS.join(', ')}` });
    return z.NEVER;
  })
  .describe(
    `The encoding of a file of text, such as CSV, in place of the detected one: ${TEXT_ENCODINGS.join(', ')}, or a usual other name of these.`,
  );

export const scheduleField = {
  schedule: scheduleSchema
    .or(z.literal(''))
    .nullish()
    .describe(
      'Schedule of automatic syncs: a cron expression with five fields, or a name such as `@daily`, in UTC. Empty or null: none.',
    ),
  paused: z
    .boolean()
    .nullish()
    .describe(
      'Whether the schedule rests. `true` ends a sync in progress; after `false`, a sync starts. The documents keep answering. Default: false.',
    ),
};
const webFields = {
  render: renderSchema
    .optional()
    .describe('Whether the page is rendered in a browser. `auto`: only if it has no text without one.'),
  ...scheduleField,
};
export const pageConfigFields = { source_url: webUrlSchema, ...webFields };
export const siteConfigFields = {
  source_url: webUrlSchema.optional(),
  sitemap: webUrlSchema.optional(),
  ...webFields,
  maxPages: maxPagesSchema.optional().describe('Maximum number of pages that are indexed. Default 1,000.'),
  maxDepth: maxDepthSchema
    .optional()
    .describe('Maximum number of links from the start page to a page. Default: no limit.'),
  include: patternsSchema.optional().describe('Glob patterns on URLs.'),
  exclude: patternsSchema.optional(),
};

/** The `config` of a datasource. Unknown keys are dropped. */
export const datasourceConfigSchema = z.object(siteConfigFields);
export type DatasourceConfig = z.infer<typeof datasourceConfigSchema>;

export const hasAddress = ({ source_url, sitemap }: { source_url?: unknown; sitemap?: unknown }): boolean =>
  source_url !== undefined || sitemap !== undefined;
export const ADDRESS_MISSING = { message: 'is required unless sitemap is given', path: ['source_url'] };

/** The `config` of a web site. */
export const siteConfigSchema = z.object(siteConfigFields).refine(hasAddress, ADDRESS_MISSING);

/** The `config` of an update. A field that is null is removed. */
export const changedConfigSchema = z.object({
  ...siteConfigFields,
  source_url: webUrlSchema.nullish(),
  sitemap: webUrlSchema.nullish(),
  render: renderSchema.nullish(),
  maxPages: maxPagesSchema.nullish(),
  maxDepth: maxDepthSchema.nullish(),
  include: patternsSchema.nullish(),
  exclude: patternsSchema.nullish(),
  encoding: encodingSchema.nullish(),
});
