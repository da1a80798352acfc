import { z } from 'zod';
import { datasourceItemSchema, datasourceSchema } from './datasources.schema.js';
import { errorEnvelopeSchema } from '../errors.schema.js';
import { idSchema } from '../fields.js';

export const MAX_BATCH_ITEMS = 1_000;

export const createDatasourceBatchSchema = z
  .object({
    datastoreId: idSchema,
    items: z
      .array(datasourceItemSchema)
      .min(1)
      .max(MAX_BATCH_ITEMS)
      .describe('1 to 1,000, with at most 20 MB of JSON together.'),
  })
  .meta({
    id: 'CreateDatasourceBatch',
    examples: [
      {
        datastoreId: '0199c7a0-2f4d-7a11-8b52-3c9d5e7f0a12',
        items: [
          {
            type: 'text',
            name: 'Opening hours',
            custom_id: 'hours',
            upsert: true,
            text: 'Open from Monday to Friday.',
          },
          { type: 'web_page', config: { source_url: 'https://docs.example.com/install' } },
        ],
      },
    ],
  });
export type CreateDatasourceBatch = z.infer<typeof createDatasourceBatchSchema>;

const batchItemErrorSchema = errorEnvelopeSchema.omit({ requestId: true });

export const datasourceBatchSchema = z
  .object({
    items: z
      .array(
        z.union([
          datasourceSchema.pick({ id: true, status: true, upsertOutcome: true }),
          batchItemErrorSchema,
        ]),
      )
      .describe(
        'In the order of the request: the id and the status of a datasource, or the error of an item that was refused.',
      ),
  })
  .meta({
    id: 'DatasourceBatch',
    examples: [
      {
        items: [
          { id: '0199c7a2-8c6f-7e35-a074-6d1b9f3e5a24', status: 'unsynched', upsertOutcome: 'created' },
          {
            error: 'INVALID_REQUEST',
            message: 'config.source_url is required.',
            details: [{ path: 'config.source_url', message: 'is required' }],
          },
        ],
      },
    ],
  });
export type DatasourceBatch = z.infer<typeof datasourceBatchSchema>;
export type BatchItemResult = DatasourceBatch['items'][number];
