import { z } from 'zod';
import { nameSchema, storedTextSchema } from '../fields.js';
import { personSchema } from './people.schema.js';

const GROUP_EXAMPLE = {
  id: '0199c7a4-5d10-7b3c-9e21-8a7b6c5d4e3f',
  name: 'Engineering',
  externalId: null,
  memberCount: 12,
  createdAt: '2026-03-02T08:15:00.000Z',
};

export const groupSchema = z
  .object({
    id: z.string(),
    name: z.string().describe('Unique in the organization, without regard to case.'),
    externalId: z
      .string()
      .nullable()
      .describe('The id at the identity provider that manages the group. Null: the group is managed here.'),
    memberCount: z.number().int(),
    createdAt: z.string(),
  })
  .meta({
    id: 'Group',
    description: 'People of an organization who may read the same libraries.',
    examples: [GROUP_EXAMPLE],
  });
export type Group = z.infer<typeof groupSchema>;

const externalIdSchema = storedTextSchema.min(1).max(255).nullish();

export const createGroupSchema = z
  .object({ name: nameSchema, externalId: externalIdSchema })
  .meta({ id: 'CreateGroup', examples: [{ name: 'Engineering' }] });
export type CreateGroup = z.infer<typeof createGroupSchema>;

export const updateGroupSchema = z
  .object({ name: nameSchema.optional(), externalId: externalIdSchema })
  .meta({ id: 'UpdateGroup', examples: [{ name: 'Engineering and research' }] });
export type UpdateGroup = z.infer<typeof updateGroupSchema>;

export const groupMemberSchema = personSchema.pick({ id: true, name: true, email: true, role: true }).meta({
  id: 'GroupMember',
  description: 'A person in a group.',
  examples: [
    { id: '0199c7a4-1b0c-7d2e-8f3a-5c6d7e8f9a0b', name: 'Grace', email: 'grace@example.com', role: 'member' },
  ],
});
export type GroupMember = z.infer<typeof groupMemberSchema>;
