import { z } from 'zod';
import { lineSchema } from '../fields.js';
import { patternsSchema, scheduleField } from './datasource-config.schema.js';

/** Kinds of sources: where documents live that are kept in sync with a library. */
export const SOURCE_KINDS = ['folder'] as const;
export const sourceKindSchema = z.enum(SOURCE_KINDS);
export type SourceKind = z.infer<typeof sourceKindSchema>;

/** The fields that the sources of all kinds have. */
const commonFields = {
  include: patternsSchema
    .optional()
    .describe('Patterns on paths, such as `*.pdf` or `reports/**`. Default: all documents.'),
  exclude: patternsSchema.optional().describe('Patterns on paths. They take precedence over `include`.'),
  ...scheduleField,
};

const folderSourceConfigSchema = z.object({
  kind: z.literal('folder'),
  folder: lineSchema
    .min(1)
    .max(4_096)
    .refine((path) => /^(?:\/|[A-Za-z]:[\\/])/.test(path), 'must be an absolute path')
    .describe('Absolute path of a folder of the server, below one of those that the operator allows.'),
  ...commonFields,
});
export type FolderSourceConfig = z.infer<typeof folderSourceConfigSchema>;

/** Where the documents of a source are, and which of them are wanted. Without secrets. */
export const sourceConfigSchema = z.discriminatedUnion('kind', [folderSourceConfigSchema]);
export type SourceConfig = z.infer<typeof sourceConfigSchema>;

/** The names of all fields. */
export const SOURCE_CONFIG_KEYS: readonly string[] = Object.keys(folderSourceConfigSchema.shape);
