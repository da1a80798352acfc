import { z } from 'zod';

export const DATASOURCE_STATUSES = [
  'unsynched',
  'running',
  'synched',
  'error',
  'usage_limit_reached',
] as const;
export const datasourceStatusSchema = z.enum(DATASOURCE_STATUSES);
export type DatasourceStatus = z.infer<typeof datasourceStatusSchema>;

export const STAGES = ['listing', 'discovering', 'fetching', 'parsing', 'indexing', 'embedding'] as const;
export const stageSchema = z.enum(STAGES);
/** The stage of a run. */
export type Stage = z.infer<typeof stageSchema>;

/** Progress of a group in pages of a web site, or files of an archive. `found` grows while links are followed. */
export const sitePagesSchema = z.object({
  found: z.number().int(),
  fetched: z.number().int(),
  indexed: z.number().int(),
  failed: z.number().int(),
});
export type SitePages = z.infer<typeof sitePagesSchema>;

export const progressSchema = z
  .object({
    stage: stageSchema,
    done: z.number().int(),
    total: z.number().int(),
    failed: z.number().int(),
    percent: z.number().min(0).max(100).describe('0 to 100, over all stages.'),
    etaSeconds: z.number().nullable(),
    pages: sitePagesSchema
      .optional()
      .describe('Only for a web site, and for a ZIP archive or source, whose files are counted.'),
  })
  .describe(
    '`done` and `total` count the unit of the stage: pages while parsing, characters of text while indexing. 0 means unknown.',
  );
export type Progress = z.infer<typeof progressSchema>;

export const datasourceErrorSchema = z.object({
  code: z.string(),
  message: z.string().describe('A message for the user: what happened, and what to do next.'),
  retryable: z.boolean(),
  languages: z
    .array(z.string())
    .optional()
    .describe('Language data that text recognition needs, as in `GET /models/recognition`.'),
});
export type DatasourceError = z.infer<typeof datasourceErrorSchema>;

/**
 * Why text of a file or page is not part of the stored text: running heads and page numbers; menus and other
 * page furniture; text that no reader sees; text that is marked as deleted.
 */
export const LEFT_OUT_REASONS = ['running', 'navigation', 'hidden', 'deleted'] as const;
export const leftOutReasonSchema = z.enum(LEFT_OUT_REASONS);
export type LeftOutReason = z.infer<typeof leftOutReasonSchema>;

export const datasourceStatsSchema = z.object({
  chunks: z.number().int(),
  characters: z.number().int(),
  bytes: z.number().int(),
  pages: z.number().int(),
  durationMs: z.number().int(),
  leftOut: z
    .partialRecord(leftOutReasonSchema, z.number().int())
    .describe(
      'Characters that are not part of the stored text, by reason: `running` heads and page numbers, `navigation` and ' +
        'other page furniture, `hidden` text that no reader sees, and `deleted` text. A reason without text is absent.',
    ),
});
export type DatasourceStats = z.infer<typeof datasourceStatsSchema>;
