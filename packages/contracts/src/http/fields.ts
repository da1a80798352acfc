import { z } from 'zod';

/** Limits of the interface that more than one resource uses. Lengths are UTF-16 code units. */
export const MAX_QUERY_LENGTH = 8_192;
export const MAX_NAME_LENGTH = 255;
export const MAX_PROMPT_LENGTH = 32_768;
export const MAX_FILTER_IDS = 1_000;

/** An id as clients see it: opaque. Ours are UUIDv7; a string that is not one is simply unknown. */
export const idSchema = z.string().min(1).max(255);

/** Text that the database keeps: it has no character U+0000. */
export const storedTextSchema = z
  .string()
  .refine((text) => !text.includes('\0'), 'must not contain the character U+0000');

export const nameSchema = storedTextSchema.trim().min(1).max(MAX_NAME_LENGTH);

export const descriptionSchema = storedTextSchema.max(4_096);

/** An id that clients give to their datasources. */
export const customIdSchema = storedTextSchema.max(255);

export const querySchema = storedTextSchema
  .trim()
  .min(1, 'must not be empty')
  .max(MAX_QUERY_LENGTH, `must not be longer than ${MAX_QUERY_LENGTH} characters`);

/** An id that the client may make up. `""` and `null` count as omitted. */
export const clientIdSchema = storedTextSchema
  .max(255)
  .nullish()
  .transform((value) => (value ? value : undefined));

export const filtersSchema = z
  .object({
    custom_ids: z.array(customIdSchema).max(MAX_FILTER_IDS).nullish(),
    datasource_ids: z.array(z.string().max(255)).max(MAX_FILTER_IDS).nullish(),
  })
  .nullish();

export const visibilitySchema = z.enum(['public', 'private']);

/** `YYYY-MM-DD`, as the interface shows it. */
export const dateSchema = z.string().regex(/^\d{4}-\d{2}-\d{2}$/);

export const timestampsSchema = z.object({
  createdAt: z.string(),
  updatedAt: z.string(),
});

/** Containers within each other: far more than anyone means, and few enough for every reader of JSON. */
const MAX_METADATA_DEPTH = 32;

/** A JSON object of the client's own. */
export const metadataSchema = z
  .record(z.string(), z.unknown())
  .refine(
    (value) => isStorable(value),
    `must hold well-formed text without U+0000, and be nested at most ${MAX_METADATA_DEPTH} deep`,
  )
  .nullish();

/** Whether the database's JSON can hold it. */
function isStorable(value: unknown, depth = 0): boolean {
  if (typeof value === 'string') return value.isWellFormed() && !value.includes('\0');
  if (typeof value !== 'object' || value === null) return true;
  if (depth >= MAX_METADATA_DEPTH) return false;
  return Object.entries(value).every(([key, item]) => isStorable(key) && isStorable(item, depth + 1));
}

/** Paging of every list: `limit` 1..100, default 50; `cursor` as given by the `Link` header. */
export const pageQuerySchema = z.object({
  limit: z.coerce.number().int().min(1).max(100).default(50),
  cursor: z.guid('must be taken from a Link header').optional(),
});
export type PageQuery = z.infer<typeof pageQuerySchema>;
