import { z } from 'zod';

/** Limits of the interface that more than one resource uses. Lengths are UTF-16 code units. */
export const MAX_QUERY_LENGTH = 8_192;
export const MAX_NAME_LENGTH = 255;
export const MAX_PROMPT_LENGTH = 32_768;
export const MAX_FILTER_IDS = 1_000;

/** An id as clients see it: opaque. Ours are UUIDv7; a string that is not one is simply unknown. */
export const idSchema = z.string().min(1).max(255);

/**
 * Text that is kept and given back as it came: it has no character U+0000, which Postgres does not store, and no half
 * of a surrogate pair, which UTF-8 cannot say and which would come back as another character.
 */
export const storedTextSchema = z
  .string()
  .refine((text) => !text.includes('\0'), 'must not contain the character U+0000')
  .refine((text) => text.isWellFormed(), 'must not contain half a surrogate pair');

/** C0, DEL and C1 (Unicode's category Cc): line breaks, tabs, escapes. None belongs on a line that a person reads. */
const CONTROL = /\p{Cc}/u;
const CONTROLS = /\p{Cc}+/gu;

/** Stored text on one line. White space around it is dropped; a control character within it is refused. */
export const lineSchema = storedTextSchema
  .trim()
  .refine((text) => !CONTROL.test(text), 'must not contain line breaks or other control characters');

/** What a person calls something. */
export const nameSchema = lineSchema.min(1).max(MAX_NAME_LENGTH);

/**
 * The name of an uploaded file: whatever a file system allowed and a browser sent. Where a name in JSON is refused for
 * its characters, this one is mended, since its sender did not choose it; `""` when nothing is left.
 */
export const fileNameSchema = z
  .string()
  .overwrite((name) => name.toWellFormed().replace(CONTROLS, ' ').trim())
  .max(MAX_NAME_LENGTH);

/** Text that is brought in: it has something to read in it. */
export const contentTextSchema = storedTextSchema.refine((text) => text.trim() !== '', 'must not be empty');

/** A whole number of a JSON body. Its error names both bounds, whichever was passed. */
export const wholeNumberSchema = (min: number, max: number) =>
  z
    .number(unlessMissing(`must be a whole number from ${min} to ${max}`))
    .int()
    .min(min)
    .max(max);

/** A number of a JSON body. Its error names both bounds, whichever was passed. */
export const numberSchema = (min: number, max: number) =>
  z
    .number(unlessMissing(`must be a number from ${min} to ${max}`))
    .min(min)
    .max(max);

/** A whole number of a query string; without `max`, as large as numbers are exact. */
export const wholeNumberParameterSchema = (min: number, max?: number) => {
  const range = max === undefined ? `of ${min} or more` : `from ${min} to ${max}`;
  const schema = z.coerce.number(`must be a whole number ${range}`).int().min(min);
  return max === undefined ? schema : schema.max(max);
};

/** What is missing is said to be missing, by whoever parses. */
function unlessMissing(message: string) {
  return { error: ({ input }: { input?: unknown }) => (input === undefined ? undefined : message) };
}

export const descriptionSchema = storedTextSchema.max(4_096);

/** An id that clients give to their datasources. */
export const customIdSchema = storedTextSchema.max(255);

export const querySchema = storedTextSchema.trim().min(1).max(MAX_QUERY_LENGTH);

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
  limit: wholeNumberParameterSchema(1, 100).default(50),
  cursor: z.guid('must be taken from a Link header').optional(),
});
export type PageQuery = z.infer<typeof pageQuerySchema>;
