import { z } from 'zod';

/** Limits of the API that more than one resource uses. Lengths are in UTF-16 code units. */
export const MAX_QUERY_LENGTH = 8_192;
export const MAX_NAME_LENGTH = 255;
export const MAX_PROMPT_LENGTH = 32_768;
export const MAX_FILTER_IDS = 1_000;

/** An id, opaque to clients. The server creates UUIDv7; any other string is an unknown id. */
export const idSchema = z.string().min(1).max(255);

/**
 * Text that is stored and returned unchanged. Rejected: the character U+0000, which Postgres cannot store,
 * and lone surrogates, which UTF-8 cannot encode.
 */
export const storedTextSchema = z
  .string()
  .refine((text) => !text.includes('\0'), 'must not contain the character U+0000')
  .refine((text) => text.isWellFormed(), 'must not contain lone surrogates');

/** C0, DEL and C1 (Unicode category Cc): line breaks, tabs, escapes. */
const CONTROL = /\p{Cc}/u;
const CONTROLS = /\p{Cc}+/gu;

/** Stored text on one line. Surrounding white space is removed; a control character is an error. */
export const lineSchema = storedTextSchema
  .trim()
  .refine((text) => !CONTROL.test(text), 'must not contain line breaks or other control characters');

/** A display name. */
export const nameSchema = lineSchema.min(1).max(MAX_NAME_LENGTH);

/**
 * The name of an uploaded file, as the browser sent it. Invalid characters are replaced, not rejected,
 * because the sender often cannot change the name. `""` when no characters remain.
 */
export const fileNameSchema = z
  .string()
  .overwrite((name) => name.toWellFormed().replace(CONTROLS, ' ').trim())
  .max(MAX_NAME_LENGTH);

/** Text to index. It must contain more than white space. */
export const contentTextSchema = storedTextSchema.refine((text) => text.trim() !== '', 'must not be empty');

/** A whole number in a JSON body. The error names both bounds. */
export const wholeNumberSchema = (min: number, max: number) =>
  z
    .number(errorUnlessMissing(`must be a whole number from ${min} to ${max}`))
    .int()
    .min(min)
    .max(max);

/** A number in a JSON body. The error names both bounds. */
export const numberSchema = (min: number, max: number) =>
  z
    .number(errorUnlessMissing(`must be a number from ${min} to ${max}`))
    .min(min)
    .max(max);

/** A whole number in a query string. `max` defaults to the largest safe integer. */
export const wholeNumberParameterSchema = (min: number, max?: number) => {
  const range = max === undefined ? `of ${min} or more` : `from ${min} to ${max}`;
  const schema = z.coerce.number(`must be a whole number ${range}`).int().min(min);
  return max === undefined ? schema : schema.max(max);
};

/** A missing value keeps the default error of the schema, so that the API reports the field as missing. */
function errorUnlessMissing(message: string) {
  return { error: ({ input }: { input?: unknown }) => (input === undefined ? undefined : message) };
}

export const descriptionSchema = storedTextSchema.max(4_096);

/** An id that a client chooses for its datasource. */
export const customIdSchema = storedTextSchema.max(255);

/** A question. The limit also counts the text that is analyzed: `㌖` becomes six characters there. */
export const querySchema = storedTextSchema
  .trim()
  .min(1)
  .max(MAX_QUERY_LENGTH)
  .refine(
    // A longer text is refused already.
    (text) => text.length > MAX_QUERY_LENGTH || compatibilityLength(text) <= MAX_QUERY_LENGTH,
    `must have at most ${MAX_QUERY_LENGTH} characters when those such as ㌖ (six) and ﷺ (18) are spelt out`,
  );

/** Length of the compatibility forms (NFKC) of all characters. Each is normalized alone, which takes linear time. */
function compatibilityLength(text: string): number {
  let length = 0;
  for (const character of text) length += character.normalize('NFKC').length;
  return length;
}

/** An id that the client may choose. `""` and `null` count as omitted. */
export const clientIdSchema = storedTextSchema
  .max(255)
  .nullish()
  .transform((value) => (value ? value : undefined));

export const visibilitySchema = z.enum(['public', 'private']);

/** A date as `YYYY-MM-DD`. */
export const dateSchema = z.string().regex(/^\d{4}-\d{2}-\d{2}$/);

export const timestampsSchema = z
  .object({
    createdAt: z.string(),
    updatedAt: z.string(),
  })
  .describe('ISO 8601 instants in UTC.');

/** Maximum nesting of objects and arrays. Every JSON reader supports this depth. */
const MAX_METADATA_DEPTH = 32;
/** In characters of JSON. Every list, search result and stored source has the metadata of its datasources. */
export const MAX_METADATA_LENGTH = 4_096;

/** A JSON object that the client defines. */
export const metadataSchema = z
  .record(z.string(), z.unknown())
  .refine((value) => isStorable(value), {
    error: `must not contain lone surrogates or the character U+0000, or more than ${MAX_METADATA_DEPTH} nested levels`,
    // Thousands of levels cannot be written as JSON.
    abort: true,
  })
  .refine(
    (value) => JSON.stringify(value).length <= MAX_METADATA_LENGTH,
    `must have at most ${MAX_METADATA_LENGTH} characters of JSON`,
  )
  .nullish();

/** {@link metadataSchema} as a field of a form. */
export const metadataFieldSchema = z
  .string()
  .optional()
  .transform((text, context) => {
    if (!text) return undefined;
    try {
      return JSON.parse(text) as unknown;
    } catch {
      context.addIssue({ code: 'custom', message: 'must be a JSON object' });
      return z.NEVER;
    }
  })
  .pipe(metadataSchema)
  .describe('A JSON object, as the `metadata` of a text.');

/** Whether Postgres can store the value as `jsonb`. */
function isStorable(value: unknown, depth = 0): boolean {
  if (typeof value === 'string') return value.isWellFormed() && !value.includes('\0');
  if (typeof value !== 'object' || value === null) return true;
  if (depth >= MAX_METADATA_DEPTH) return false;
  return Object.entries(value).every(([key, item]) => isStorable(key) && isStorable(item, depth + 1));
}

/**
 * Pagination of every list. `limit`: 1 to 100, default 50.
 * `cursor`: from the `Link` header of the previous page.
 */
export const pageQuerySchema = z.object({
  limit: wholeNumberParameterSchema(1, 100).default(50),
  cursor: z.guid('must be a cursor from a Link header').optional(),
});
export type PageQuery = z.infer<typeof pageQuerySchema>;
