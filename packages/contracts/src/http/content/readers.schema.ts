import { z } from 'zod';
import { idSchema, storedTextSchema } from '../fields.js';

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
