import { z } from 'zod';

/** Limits of the interface that more than one resource uses. Lengths are UTF-16 code units. */
export const MAX_QUERY_LENGTH = 8_192;
export const MAX_NAME_LENGTH = 255;
export const MAX_PROMPT_LENGTH = 32_768;
export const MAX_FILTER_IDS = 1_000;

/** An id as clients see it: opaque. Ours are UUIDv7; a string that is not one is simply unknown. */
export const idSchema = z.string().min(1).max(255);

export const nameSchema = z.string().trim().min(1).max(MAX_NAME_LENGTH);

export const querySchema = z
  .string()
  .trim()
  .min(1, 'must not be empty')
  .max(MAX_QUERY_LENGTH, `must not be longer than ${MAX_QUERY_LENGTH} characters`);

/** An id that the client may make up. `""` and `null` count as omitted. */
export const clientIdSchema = z
  .string()
  .max(255)
  .nullish()
  .transform((value) => (value ? value : undefined));

export const filtersSchema = z
  .object({
    custom_ids: z.array(z.string().max(255)).max(MAX_FILTER_IDS).nullish(),
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

export const metadataSchema = z.record(z.string(), z.unknown()).nullish();

/** Paging of every list: `limit` 1..100, default 50; `cursor` as given by the `Link` header. */
export const pageQuerySchema = z.object({
  limit: z.coerce.number().int().min(1).max(100).default(50),
  cursor: z.string().max(512).optional(),
});
export type PageQuery = z.infer<typeof pageQuerySchema>;
