import { z } from 'zod';
import { lineSchema } from '../fields.js';

/** Kinds of sources: where documents live that are kept in sync with a library. */
export const SOURCE_KINDS = ['folder'] as const;
export const sourceKindSchema = z.enum(SOURCE_KINDS);
export type SourceKind = z.infer<typeof sourceKindSchema>;

const MAX_PATTERNS = 100;
const MAX_WILDCARDS = 10;

const pathPatternSchema = lineSchema
  .min(1)
  .max(500)
  .refine(
    (pattern) => (pattern.match(/\*+/g)?.length ?? 0) <= MAX_WILDCARDS,
    `must have at most ${MAX_WILDCARDS} wildcards (* or **)`,
  );

const commonFields = {
  include: z
    .array(pathPatternSchema)
    .max(MAX_PATTERNS)
    .optional()
    .describe('Patterns on paths, such as `*.pdf` or `reports/**`. Default: all documents.'),
  exclude: z
    .array(pathPatternSchema)
    .max(MAX_PATTERNS)
    .optional()
    .describe('Patterns on paths. They take precedence over `include`.'),
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
