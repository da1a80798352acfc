import { z } from 'zod';
import { datasourceTypeSchema } from './datasources.schema.js';
import { customIdSchema, MAX_FILTER_IDS, MAX_NAME_LENGTH, storedTextSchema } from './fields.js';

const MAX_METADATA_FIELDS = 20;
/** Of an unknown member: the client chooses it. */
const MAX_SHOWN_LENGTH = 64;

const valueSchema = z.union(
  [storedTextSchema, z.number(), z.boolean()],
  'must be a text, a number, true or false, or a list of them',
);
export type MetadataValue = z.infer<typeof valueSchema>;

const metadataFilterSchema = z
  .record(storedTextSchema, z.union([valueSchema, z.array(valueSchema).min(1).max(MAX_FILTER_IDS)]), {
    error: ({ code }) =>
      code === 'invalid_type' ? 'must be an object of fields and their values' : undefined,
  })
  .refine((fields) => Object.keys(fields).length > 0, 'must not be empty')
  .refine(
    (fields) => Object.keys(fields).length <= MAX_METADATA_FIELDS,
    `must have at most ${MAX_METADATA_FIELDS} fields`,
  );

const instantSchema = z.union(
  [z.iso.date(), z.iso.datetime({ offset: true })],
  'must be a date such as 2030-01-31, or a date and time such as 2030-01-31T12:00:00Z',
);

const conditions = {
  custom_ids: z.array(customIdSchema).max(MAX_FILTER_IDS).nullish(),
  datasource_ids: z.array(z.string().max(255)).max(MAX_FILTER_IDS).nullish(),
  names: z
    .array(storedTextSchema.max(MAX_NAME_LENGTH))
    .min(1)
    .max(MAX_FILTER_IDS)
    .nullish()
    .describe('Whole names of datasources.'),
  types: z.array(datasourceTypeSchema).min(1).max(datasourceTypeSchema.options.length).nullish(),
  created_after: instantSchema
    .nullish()
    .describe('Created at this instant or later. A date begins at 0:00 UTC.'),
  created_before: instantSchema.nullish().describe('Created before this instant.'),
  metadata: metadataFilterSchema
    .nullish()
    .describe(
      'Fields of the metadata with their value, or a list of values of which one fits. A field that is a list fits if one of its items does.',
    ),
};
const KNOWN = Object.keys(conditions).join(', ');

export const filtersSchema = z
  .strictObject(conditions, {
    error: (issue) => (issue.code === 'unrecognized_keys' ? unknownSentence(issue['keys']) : undefined),
  })
  .describe(
    'Limits the search to the datasources that fit all conditions. A page of a web site and a file of an archive also fit by ' +
      'what the site or the archive has, except by dates. Empty lists of `custom_ids` and `datasource_ids` mean no filter, and ' +
      'everything is searched. With `Prefer: handling=strict` they are refused: use that header if the lists come from permissions.',
  );
export type Filters = z.infer<typeof filtersSchema>;

/** An unknown condition is refused, never ignored: filters may come from permissions. */
function unknownSentence(keys: unknown): string {
  const names = (Array.isArray(keys) ? keys : [])
    .slice(0, 3)
    .map((key) => String(key).slice(0, MAX_SHOWN_LENGTH).toWellFormed());
  return `has no ${names.join(', ')}: its conditions are ${KNOWN}`;
}
