import { z } from 'zod';
import {
  requireKnownSecrets,
  sourceConfigSchema,
  sourceKindSchema,
  sourceSecretsSchema,
} from '../content/source-config.schema.js';
import { idSchema, pageQuerySchema, storedTextSchema } from '../fields.js';

export const checkSourceSchema = z
  .object({
    config: sourceConfigSchema,
    secrets: sourceSecretsSchema.optional(),
    datasourceId: idSchema
      .optional()
      .describe(
        'A source with the same address and account: secrets that are not given are those that it has stored.',
      ),
  })
  .superRefine(requireKnownSecrets)
  .meta({
    id: 'CheckSource',
    examples: [{ config: { kind: 'folder', folder: '/srv/documents', exclude: ['drafts/**'] } }],
  });
export type CheckSource = z.infer<typeof checkSourceSchema>;

const namesSchema = z.record(z.string(), z.string());

export const sourceKindInfoSchema = z
  .object({
    kind: sourceKindSchema,
    problem: z
      .string()
      .nullable()
      .describe('Why sources of this kind cannot be connected here, and what to do; null if they can.'),
    schema: z.record(z.string(), z.unknown()).describe('The JSON Schema of `config`.'),
    secrets: namesSchema.describe('The secrets, with their titles. Empty for `storage`: see `providers`.'),
    providers: z
      .record(
        z.string(),
        z.object({
          title: z.string(),
          options: namesSchema,
          secrets: namesSchema,
          required: z
            .array(z.array(z.string()))
            .describe('Options and secrets that are needed. Of each group, one is enough.'),
        }),
      )
      .optional()
      .describe('Only of `storage`: the storages, with their `options` and secrets.'),
    programs: z
      .array(z.string())
      .optional()
      .describe('Only of `program`: the programs that the operator allows.'),
  })
  .meta({
    id: 'SourceKindInfo',
    description: 'A kind of source, and what its configuration has.',
    examples: [
      {
        kind: 'repository',
        problem: null,
        schema: { type: 'object', properties: { url: { type: 'string' } }, required: ['url'] },
        secrets: { token: 'Access token or password' },
      },
    ],
  });
export type SourceKindInfo = z.infer<typeof sourceKindInfoSchema>;

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
      .describe(
        'The first ten documents that `include` and `exclude` let in, without those whose readers the source names.',
      ),
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
