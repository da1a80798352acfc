import { z } from 'zod';

export const organizationSettingsSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    ownersReadConversations: z
      .boolean()
      .describe(
        'Whether owners, and keys with the scope `admin`, read the conversations of people. People are told of it.',
      ),
    ownersReadConversationsSince: z
      .string()
      .nullable()
      .describe('Only conversations that began at this moment or later are read. Null: none are.'),
  })
  .meta({
    id: 'OrganizationSettings',
    description: 'The settings of the own organization.',
    examples: [
      {
        id: '0199c79f-6a1b-7d6a-9f17-5b8e2c4d0f59',
        name: 'Pumps Ltd',
        ownersReadConversations: true,
        ownersReadConversationsSince: '2026-03-02T08:00:00.000Z',
      },
    ],
  });
export type OrganizationSettings = z.infer<typeof organizationSettingsSchema>;

export const updateOrganizationSchema = z
  .object({ ownersReadConversations: z.boolean() })
  .meta({ id: 'UpdateOrganization', examples: [{ ownersReadConversations: true }] });
export type UpdateOrganization = z.infer<typeof updateOrganizationSchema>;
