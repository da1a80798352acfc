import { z } from 'zod';
import { sourceConfigSchema } from '../content/source-config.schema.js';
import { pageQuerySchema, storedTextSchema } from '../fields.js';

export const checkSourceSchema = z.object({ config: sourceConfigSchema }).meta({
  id: 'CheckSource',
  examples: [{ config: { kind: 'folder', folder: '/srv/documents', exclude: ['drafts/**'] } }],
});
export type CheckSource = z.infer<typeof checkSourceSchema>;

const listedDocumentSchema = z.object({
  path: z.string(),
  bytes: z.number().int().nullable().describe('Null if the source does not tell the size.'),
  modifiedAt: z.string().nullable(),
});

export const sourceCheckSchema = z
  .object({
    message: z.string().describe('What was found, as a sentence.'),
    documents: z
      .array(listedDocumentSchema)
      .describe('The first ten documents that `include` and `exclude` let in.'),
    found: z.number().int().describe('Documents that `include` and `exclude` let in.'),
    leftOut: z.number().int().describe('Documents that they leave out.'),
    isComplete: z.boolean().describe('False if the source has more documents than were counted.'),
  })
  .meta({
    id: 'SourceCheck',
    examples: [
      {
        message: 'The folder has 2 files and 1 folder.',
        documents: [{ path: 'fees.pdf', bytes: 48_211, modifiedAt: '2026-03-02T08:15:00.000Z' }],
        found: 12,
        leftOut: 3,
        isComplete: true,
      },
    ],
  });
export type SourceCheck = z.infer<typeof sourceCheckSchema>;

export const sourceDocumentSchema = z
  .object({
    path: z.string(),
    ...listedDocumentSchema.omit({ path: true }).shape,
    url: z.string().nullable().describe('Where people open the document, if it has an address.'),
    reason: z.string().nullable().describe('Why it is not in the library, or not up to date.'),
    datasourceId: z.string().nullable().describe('The datasource of the document.'),
  })
  .meta({ id: 'SourceDocument', description: 'A document that the latest sync of a source has listed.' });
export type SourceDocument = z.infer<typeof sourceDocumentSchema>;

/** The cursor is the path of the last document of the previous page. */
export const listSourceDocumentsSchema = pageQuerySchema.extend({
  cursor: storedTextSchema.max(4_096).optional(),
  skipped: z
    .enum(['true', 'false'], 'must be true or false')
    .optional()
    .describe('`true`: only documents with a reason.'),
});
export type ListSourceDocuments = z.infer<typeof listSourceDocumentsSchema>;
