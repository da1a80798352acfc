import { z } from 'zod';
import {
  contentTextSchema,
  descriptionSchema,
  filtersSchema,
  metadataSchema,
  nameSchema,
  querySchema,
  timestampsSchema,
  visibilitySchema,
  wholeNumberSchema,
} from './fields.js';

export const datastoreTypeSchema = z.enum(['qdrant']);

export const datastoreSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    description: z.string(),
    type: datastoreTypeSchema,
    visibility: visibilitySchema,
    timestamps: timestampsSchema,
  })
  .meta({ id: 'Datastore' });
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
  .meta({ id: 'ListedDatastore' });
export type ListedDatastore = z.infer<typeof listedDatastoreSchema>;

export const createDatastoreSchema = z
  .object({
    name: nameSchema,
    description: descriptionSchema.optional(),
    type: datastoreTypeSchema.optional().describe('Has no effect: there is one type.'),
    visibility: visibilitySchema
      .optional()
      .describe('Stored and returned. It has no effect: a datastore belongs to its organization alone.'),
  })
  .meta({ id: 'CreateDatastore' });
export type CreateDatastore = z.infer<typeof createDatastoreSchema>;

export const updateDatastoreSchema = createDatastoreSchema.partial().meta({ id: 'UpdateDatastore' });
export type UpdateDatastore = z.infer<typeof updateDatastoreSchema>;

export const datastoreQuerySchema = z
  .object({
    query: querySchema,
    topK: wholeNumberSchema(1, 100).nullish(),
    filters: filtersSchema,
  })
  .meta({ id: 'DatastoreQuery' });
export type DatastoreQuery = z.infer<typeof datastoreQuerySchema>;

export const datastoreQueryItemSchema = z
  .object({
    text: z.string(),
    score: z.number(),
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
  })
  .meta({ id: 'DatastoreQueryItem' });
export type DatastoreQueryItem = z.infer<typeof datastoreQueryItemSchema>;

const legScoreSchema = z.object({ rank: z.number().int(), score: z.number() }).meta({ id: 'LegScore' });
export type LegScore = z.infer<typeof legScoreSchema>;

export const explainedPassageSchema = datastoreQueryItemSchema
  .extend({
    words: legScoreSchema
      .nullable()
      .describe('Rank from 1 and BM25 score in the search by words. Null if not among the first 100.'),
    meaning: legScoreSchema
      .nullable()
      .describe(
        'Rank from 1 and cosine similarity in the search by meaning. Null if not among the first 100.',
      ),
    matched_terms: z.array(z.string()).describe('The terms of the query that the passage contains.'),
  })
  .meta({ id: 'ExplainedPassage' });
export type ExplainedPassage = z.infer<typeof explainedPassageSchema>;

export const searchExplanationSchema = z
  .object({
    terms: z
      .array(z.string())
      .describe('The words of the query as they are indexed: stemmed, without stop words.'),
    passages: z.array(explainedPassageSchema).describe('What the same query returns.'),
    words: z.array(explainedPassageSchema).describe('The best passages by words alone.'),
    meaning: z
      .array(explainedPassageSchema)
      .nullable()
      .describe('The best passages by meaning alone. Null without an embedding model.'),
  })
  .meta({ id: 'SearchExplanation' });
export type SearchExplanation = z.infer<typeof searchExplanationSchema>;

const textDocument = {
  text: contentTextSchema,
  name: nameSchema.optional(),
  metadata: metadataSchema,
};

/** Deprecated endpoint, section 4.9 of the API specification. */
export const updateTextSchema = z
  .object({ id: z.string().min(1), ...textDocument })
  .meta({ id: 'UpdateText' });
export type UpdateText = z.infer<typeof updateTextSchema>;

/**
 * Deprecated endpoint, section 4.10 of the API specification.
 * Creates one text datasource per document, or none.
 */
export const upsertTextsSchema = z
  .object({ documents: z.array(z.object(textDocument)).min(1).max(1_000) })
  .meta({ id: 'UpsertTexts' });
export type UpsertTexts = z.infer<typeof upsertTextsSchema>;
