import { z } from 'zod';
import { pageQuerySchema } from '../fields.js';

export const listChangesSchema = pageQuerySchema.extend({
  since: z.iso
    .datetime({ offset: true, error: 'must be an instant of ISO 8601 with Z or an offset' })
    .optional()
    .describe('The first instant. Default: 90 days ago. Older changes are not kept.'),
});
export type ListChanges = z.infer<typeof listChangesSchema>;

export const documentChangeSchema = z
  .object({
    id: z.string(),
    kind: z
      .enum(['added', 'changed', 'removed'])
      .describe('`changed`: the text has changed. A new name alone is not a change.'),
    datasourceId: z.string().describe('Of a removed document, the datasource may be gone.'),
    name: z.string().describe('As it was then.'),
    at: z.string(),
    sentences: z
      .object({
        added: z.array(z.string()),
        removed: z.array(z.string()),
        addedCount: z.number().int(),
        removedCount: z.number().int(),
      })
      .nullable()
      .describe(
        'In which the text differs from the former one: the first 20 of each kind, and how many there are. Sentences of more than 300 characters are truncated. Sentences that have only moved do not count. Null: the document was added or removed, or the former text could not be read.',
      ),
  })
  .meta({
    id: 'DocumentChange',
    description: 'When a document is removed, its earlier changes are deleted with their sentences.',
    examples: [
      {
        id: '0199c7a6-1d2e-7f48-b395-0a7c4e6d8b36',
        kind: 'changed',
        datasourceId: '0199c7a1-5b3e-7c20-9d41-8f6e2a7b1c03',
        name: 'Returns.pdf',
        at: '2026-03-04T11:05:00.000Z',
        sentences: {
          added: ['Goods can be returned within 30 days.'],
          removed: ['Goods can be returned within 14 days.'],
          addedCount: 1,
          removedCount: 1,
        },
      },
    ],
  });
export type DocumentChange = z.infer<typeof documentChangeSchema>;
