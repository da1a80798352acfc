import { z } from 'zod';
import {
  contentTextSchema,
  descriptionSchema,
  metadataSchema,
  nameSchema,
  numberSchema,
  querySchema,
  timestampsSchema,
  visibilitySchema,
  wholeNumberSchema,
} from './fields.js';
import { filtersSchema } from './filters.schema.js';
import { setReadersSchema } from './readers.schema.js';
import { copiesSchema } from './sources.schema.js';

export const datastoreTypeSchema = z.enum(['qdrant']);

const CREATE_EXAMPLE = { name: 'Manuals', description: 'Manuals of all pumps.' };

export const datastoreSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    description: z.string(),
    type: datastoreTypeSchema,
    visibility: visibilitySchema,
    readers: z
      .enum(['everyone', 'chosen'])
      .describe(
        'Who may read it: everyone of the organization, or its owners with chosen people and groups.',
      ),
    timestamps: timestampsSchema,
  })
  .meta({
    id: 'Datastore',
    examples: [
      {
        id: '0199c7a0-2f4d-7a11-8b52-3c9d5e7f0a12',
        ...CREATE_EXAMPLE,
        type: 'qdrant',
        visibility: 'private',
        readers: 'everyone',
        timestamps: { createdAt: '2026-03-02T08:15:00.000Z', updatedAt: '2026-03-02T08:15:00.000Z' },
      },
    ],
  });
export type Datastore = z.infer<typeof datastoreSchema>;

export const listedDatastoreSchema = datastoreSchema
  .extend({
    documents: z
      .object({
        total: z
          .number()
          .int()
          .describe('A web site or an archive counts as its pages or files, and as one more if it failed.'),
        inProgress: z.number().int(),
        failed: z.number().int(),
      })
      .describe('How many datasources the datastore has.'),
  })
  .meta({ id: 'ListedDatastore', description: 'A datastore of a list, with the number of its datasources.' });
export type ListedDatastore = z.infer<typeof listedDatastoreSchema>;

export const datastoreProgressSchema = z
  .object({
    total: z
      .number()
      .int()
      .describe('All datasources. A web site or an archive counts, and so does each of its pages or files.'),
    statuses: z.object({
      unsynched: z.number().int(),
      running: z.number().int(),
      synched: z.number().int(),
      error: z.number().int(),
      usage_limit_reached: z.number().int(),
    }),
    documentsPerMinute: z
      .number()
      .nullable()
      .describe('How many were synched per minute in the last five minutes. Null if fewer than two were.'),
    etaSeconds: z
      .number()
      .int()
      .nullable()
      .describe('Estimated time until nothing is in progress, at this speed. Null if the speed is unknown.'),
  })
  .meta({
    id: 'DatastoreProgress',
    description: 'How much of a datastore is indexed.',
    examples: [
      {
        total: 1000,
        statuses: { unsynched: 594, running: 4, synched: 400, error: 2, usage_limit_reached: 0 },
        documentsPerMinute: 1560,
        etaSeconds: 23,
      },
    ],
  });
export type DatastoreProgress = z.infer<typeof datastoreProgressSchema>;

const fieldsSchema = z.object({
  name: nameSchema,
  description: descriptionSchema.optional(),
  type: datastoreTypeSchema.optional().describe('Has no effect: there is one type.'),
  visibility: visibilitySchema
    .optional()
    .describe('Stored and returned. It has no effect: a datastore belongs to its organization alone.'),
});

export const createDatastoreSchema = fieldsSchema
  .extend({
    readers: setReadersSchema
      .optional()
      .describe('Who may read it, from the first moment on. Default: everyone of the organization.'),
  })
  .meta({ id: 'CreateDatastore', examples: [CREATE_EXAMPLE] });
export type CreateDatastore = z.infer<typeof createDatastoreSchema>;

export const updateDatastoreSchema = fieldsSchema.partial().meta({
  id: 'UpdateDatastore',
  description: 'An absent field keeps its value.',
  examples: [{ description: 'Manuals of pumps and valves.' }],
});
export type UpdateDatastore = z.infer<typeof updateDatastoreSchema>;

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

const textDocument = {
  text: contentTextSchema,
  name: nameSchema.optional(),
  metadata: metadataSchema,
};

const TEXT_EXAMPLE = {
  text: 'The workshop is open from Monday to Friday, 8 to 17.',
  name: 'Opening hours',
  metadata: { department: 'service' },
};

export const updateTextSchema = z.object({ id: z.string().min(1), ...textDocument }).meta({
  id: 'UpdateText',
  description: 'Deprecated endpoint, section 4.9 of the API specification.',
  examples: [{ id: '0199c7a2-8c6f-7e35-a074-6d1b9f3e5a24', ...TEXT_EXAMPLE }],
});
export type UpdateText = z.infer<typeof updateTextSchema>;

export const upsertTextsSchema = z
  .object({ documents: z.array(z.object(textDocument)).min(1).max(1_000) })
  .meta({
    id: 'UpsertTexts',
    description:
      'Deprecated endpoint, section 4.10 of the API specification. Creates one text datasource per document, or none.',
    examples: [{ documents: [TEXT_EXAMPLE] }],
  });
export type UpsertTexts = z.infer<typeof upsertTextsSchema>;
