import { z } from 'zod';
import { recognitionFields } from '../content/datasource-content.schema.js';
import { datasourceTypeSchema } from '../content/datasources.schema.js';
import {
  customIdSchema,
  MAX_FILTER_IDS,
  MAX_NAME_LENGTH,
  numberSchema,
  querySchema,
  storedTextSchema,
  wholeNumberSchema,
} from '../fields.js';
import { copiesSchema } from './sources.schema.js';

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

export const datastoreQuerySchema = z
  .object({
    query: querySchema.describe('1 to 8,192 characters.'),
    topK: wholeNumberSchema(1, 100).nullish().describe('Number of passages, 1 to 100, default 5.'),
    minScore: numberSchema(0, 1)
      .nullish()
      .describe(
        'Passages with a lower score are left out. Default: 0. From 0.5 on, a passage is probably relevant.',
      ),
    filters: filtersSchema.nullish(),
  })
  .meta({
    id: 'DatastoreQuery',
    examples: [{ query: 'warranty of the pump', topK: 5, filters: { custom_ids: ['manuals/p200.pdf'] } }],
  });
export type DatastoreQuery = z.infer<typeof datastoreQuerySchema>;

const ITEM_EXAMPLE = {
  text: 'The warranty lasts two years from the date of purchase.',
  score: 0.87,
  source: 'Pump P200',
  datasource_id: '0199c7a2-8c6f-7e35-a074-6d1b9f3e5a24',
  datasource_name: 'Pump P200',
  chunk_id: '9b1f0c4e7a2d5e8f3c6b9a0d1e4f7c2b',
  custom_id: 'manuals/p200.pdf',
  page_number: 4,
  heading_path: ['Service', 'Warranty'],
  start: 5120,
  end: 5175,
};

export const datastoreQueryItemSchema = z
  .object({
    text: z.string(),
    score: z.number().describe('0 to 1. The list is in descending order of the score.'),
    source: z.string(),
    datasource_id: z.string(),
    datasource_name: z.string(),
    chunk_id: z.string(),
    custom_id: z.string().optional(),
    page_number: z.number().int().optional(),
    ...recognitionFields,
    heading_path: z.array(z.string()).optional(),
    start: z.number().int(),
    end: z.number().int(),
    metadata: z.record(z.string(), z.unknown()).optional(),
    also_in: copiesSchema.optional(),
  })
  .meta({
    id: 'DatastoreQueryItem',
    description: 'A passage that a query found. Offsets are as in `Source`.',
    examples: [ITEM_EXAMPLE],
  });
export type DatastoreQueryItem = z.infer<typeof datastoreQueryItemSchema>;

/** How many passages of the whole datastore have a rank in all searches together. */
export const RANKED_PASSAGES = 50;

export const legScoreSchema = z
  .object({
    rank: z.number().int().describe('From 1.'),
    score: z.number().describe('Relevance overall, BM25 for words, cosine similarity for meaning.'),
  })
  .meta({ id: 'LegScore' });
export type LegScore = z.infer<typeof legScoreSchema>;

const EXPLAINED_EXAMPLE = {
  ...ITEM_EXAMPLE,
  overall: { rank: 1, score: 0.87 },
  words: { rank: 1, score: 6.4 },
  meaning: { rank: 2, score: 0.71 },
  rerank_score: null,
  matched_terms: ['warranti'],
  missing_terms: ['pump'],
};

export const explainedPassageSchema = datastoreQueryItemSchema
  .extend({
    overall: legScoreSchema
      .nullable()
      .describe(
        `Rank from 1 and relevance among all passages of the datastore, whatever the filters: what an agent without filters compares with its minimum. Null if not among the first ${RANKED_PASSAGES}, or the first \`topK\` if that is more.`,
      ),
    words: legScoreSchema
      .nullable()
      .describe(
        'Rank from 1 and BM25 score in the search by words, among all passages of the datastore. Null if not among the first 100.',
      ),
    meaning: legScoreSchema
      .nullable()
      .describe(
        'Rank from 1 and cosine similarity in the search by meaning, among all passages of the datastore. Null if not among the first 100.',
      ),
    rerank_score: z
      .number()
      .nullable()
      .describe(
        'Score of the rerank model, 0..1, which decides the order. Null without a model, if it fails or is too slow, and outside of `passages`.',
      ),
    matched_terms: z
      .array(z.string())
      .describe('The terms of the query that the passage contains, or the names of its document.'),
    missing_terms: z.array(z.string()).describe('The terms of the query that neither of them contains.'),
  })
  .meta({
    id: 'ExplainedPassage',
    description: 'A passage, and its ranks among all passages of the datastore, whatever the filters.',
  });
export type ExplainedPassage = z.infer<typeof explainedPassageSchema>;

export const searchExplanationSchema = z
  .object({
    terms: z
      .array(z.string())
      .describe(
        'The words of the query that are searched, as they are indexed: stemmed, without function words.',
      ),
    passages: z.array(explainedPassageSchema).describe('What the same query returns.'),
    words: z.array(explainedPassageSchema).describe('The best passages by words alone, within the filters.'),
    meaning: z
      .array(explainedPassageSchema)
      .nullable()
      .describe('The best passages by meaning alone, within the filters. Null without an embedding model.'),
  })
  .meta({
    id: 'SearchExplanation',
    examples: [
      {
        terms: ['warranti', 'pump'],
        passages: [EXPLAINED_EXAMPLE],
        words: [EXPLAINED_EXAMPLE],
        meaning: [EXPLAINED_EXAMPLE],
      },
    ],
  });
export type SearchExplanation = z.infer<typeof searchExplanationSchema>;
