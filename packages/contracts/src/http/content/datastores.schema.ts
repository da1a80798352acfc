import { z } from 'zod';
import {
  contentTextSchema,
  descriptionSchema,
  idSchema,
  metadataSchema,
  nameSchema,
  storedTextSchema,
  timestampsSchema,
  visibilitySchema,
} from '../fields.js';

const MAX_READERS = 1_000;
const GROUP_ID = '0199c7a4-5d10-7b3c-9e21-8a7b6c5d4e3f';
const PERSON = { id: '0199c7a4-1b0c-7d2e-8f3a-5c6d7e8f9a0b', name: 'Grace', email: 'grace@example.com' };

const readerIdsSchema = z.array(idSchema).max(MAX_READERS).default([]);

export const setReadersSchema = z
  .object({
    everyone: z.boolean().describe('Whether everyone of the organization may read it.'),
    people: readerIdsSchema.describe('Ids of people. Owners need not be listed.'),
    groups: readerIdsSchema.describe('Ids of groups.'),
  })
  .refine(({ everyone, people, groups }) => !everyone || people.length + groups.length === 0, {
    path: ['everyone'],
    message: 'must be false if people or groups are chosen',
  })
  .meta({
    id: 'SetReaders',
    description: 'Owners read everything of their organization, and API keys without a person do, too.',
    examples: [{ everyone: false, people: [PERSON.id], groups: [GROUP_ID] }],
  });
export type SetReaders = z.infer<typeof setReadersSchema>;

export const possibleReadersSchema = z
  .object({
    people: z.array(z.object({ id: z.string(), name: z.string().nullable(), email: z.string().nullable() })),
    groups: z.array(z.object({ id: z.string(), name: z.string() })),
  })
  .meta({
    id: 'PossibleReaders',
    examples: [{ people: [PERSON], groups: [{ id: GROUP_ID, name: 'Engineering' }] }],
  });
export type PossibleReaders = z.infer<typeof possibleReadersSchema>;

export const readersSchema = possibleReadersSchema
  .extend({ everyone: z.boolean().describe('Whether everyone of the organization may read it.') })
  .meta({
    id: 'Readers',
    description: 'Who may read a datastore, besides owners.',
    examples: [{ everyone: false, people: [PERSON], groups: [{ id: GROUP_ID, name: 'Engineering' }] }],
  });
export type Readers = z.infer<typeof readersSchema>;

export const searchReadersSchema = z.object({
  search: storedTextSchema
    .max(255)
    .default('')
    .describe('A part of a name or an e-mail, without regard to case. Default: all.'),
});
export type SearchReaders = z.infer<typeof searchReadersSchema>;

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
