import { z } from 'zod';
import { datasourceErrorSchema, progressSchema, stageSchema } from './datasource-status.schema.js';
import { pageContentSchema } from './page-range.schema.js';
import { pageQuerySchema, wholeNumberParameterSchema } from '../fields.js';

/** Of a passage whose text OCR has read. */
export const recognitionFields = {
  recognized: z
    .literal(true)
    .optional()
    .describe('The text is that of a scan or picture, as text recognition (OCR) has read it.'),
  confidence: z
    .number()
    .int()
    .optional()
    .describe(
      'Of recognized text: how sure the recognition is, 0 to 100. Below 70, expect about every second word to be wrong.',
    ),
  described: z
    .literal(true)
    .optional()
    .describe('The text is what a model says about a picture. The document does not contain it.'),
};

/** `start` and `end` are offsets into the canonical text, in UTF-16 code units. Default: the whole text. */
export const textQuerySchema = z.object({
  start: wholeNumberParameterSchema(0).optional(),
  end: wholeNumberParameterSchema(0).optional(),
  revision: wholeNumberParameterSchema(1).optional(),
});
export type TextQuery = z.infer<typeof textQuerySchema>;

export const datasourceTextSchema = z
  .object({ revision: z.number().int(), length: z.number().int(), text: z.string() })
  .meta({
    id: 'DatasourceText',
    description:
      'A part of the canonical text of a datasource. `length` is the length of the whole text, in UTF-16 code units.',
  });
export type DatasourceText = z.infer<typeof datasourceTextSchema>;

const boxFields = {
  left: z.number(),
  top: z.number(),
  width: z.number(),
  height: z.number(),
  confidence: z.number().int().describe('How sure the recognition is, 0 to 100.'),
};

export const documentPageSchema = z
  .object({
    page: z.number().int(),
    content: pageContentSchema,
    words: z
      .array(z.object({ start: z.number().int(), end: z.number().int(), ...boxFields }))
      .describe(
        'The words of the text, with their offsets in it. Words below a confidence of 70 are uncertain.',
      ),
    unreadable: z
      .array(z.object({ text: z.string(), ...boxFields }))
      .describe('Words that are not part of the text, because their confidence is below 30.'),
  })
  .meta({
    id: 'DocumentPage',
    description:
      'The words that text recognition (OCR) has found on a page, and where they are: shares of the width and the height of the page as it is shown, 0 to 1, from its top left corner. Both lists are empty for other pages.',
  });
export type DocumentPage = z.infer<typeof documentPageSchema>;

export const chunkSchema = z
  .object({
    chunk_id: z.string(),
    ordinal: z.number().int(),
    text: z.string(),
    start: z.number().int(),
    end: z.number().int(),
    page_number: z.number().int().optional(),
    ...recognitionFields,
    heading_path: z.array(z.string()).optional(),
  })
  .meta({
    id: 'Chunk',
    description: 'A span of the canonical text that is indexed and searched. Offsets are as in `Source`.',
  });
export type ChunkItem = z.infer<typeof chunkSchema>;

/** The cursor of a list of chunks is the ordinal of the last chunk of the previous page. */
export const listChunksSchema = pageQuerySchema.extend({
  cursor: wholeNumberParameterSchema(0).optional(),
});
export type ListChunks = z.infer<typeof listChunksSchema>;

export const RUN_STATES = [
  'pending',
  'queued',
  'active',
  'waiting',
  'succeeded',
  'failed',
  'cancelled',
] as const;
export const runStateSchema = z.enum(RUN_STATES);
export type RunState = z.infer<typeof runStateSchema>;

export const runSchema = z
  .object({
    id: z.string(),
    trigger: z.string(),
    state: runStateSchema,
    stage: stageSchema,
    revision: z.number().int().nullable(),
    failures: z.number().int(),
    crashes: z.number().int(),
    progress: progressSchema.nullable(),
    error: datasourceErrorSchema.nullable(),
    createdAt: z.string(),
    startedAt: z.string().nullable(),
    finishedAt: z.string().nullable(),
  })
  .meta({ id: 'Run', description: 'One attempt to bring a datasource up to date.' });
export type RunItem = z.infer<typeof runSchema>;
