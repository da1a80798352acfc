import { z } from 'zod';

// What is read of the answers of Notion: https://developers.notion.com/reference, version 2025-09-03.

const parentSchema = z.looseObject({
  type: z.string(),
  page_id: z.string().optional(),
  database_id: z.string().optional(),
  data_source_id: z.string().optional(),
  block_id: z.string().optional(),
});
export type NotionParent = z.infer<typeof parentSchema>;

const richTextSchema = z.looseObject({
  type: z.string().optional(),
  plain_text: z.string(),
  href: z.string().nullish(),
  annotations: z.looseObject({ code: z.boolean().optional() }).optional(),
});
export const richTextsSchema = z.array(richTextSchema);
export type RichText = z.infer<typeof richTextSchema>;

const trashFields = {
  archived: z.boolean().optional(),
  is_archived: z.boolean().optional(),
  in_trash: z.boolean().optional(),
};

/** A value of a property of a page. What it has depends on its type. */
const propertySchema = z.looseObject({ type: z.string() });
export type NotionProperty = z.infer<typeof propertySchema>;

export const pageSchema = z.looseObject({
  object: z.literal('page'),
  id: z.string(),
  parent: parentSchema,
  last_edited_time: z.string(),
  properties: z.record(z.string(), propertySchema),
  url: z.string().nullish(),
  ...trashFields,
});
export type NotionPage = z.infer<typeof pageSchema>;

/** The rows of a database. */
const dataSourceSchema = z.looseObject({
  object: z.enum(['data_source', 'database']),
  id: z.string(),
  title: richTextsSchema,
  parent: parentSchema,
  database_parent: parentSchema.nullish(),
});

const listFields = { has_more: z.boolean(), next_cursor: z.string().nullish() };
export const searchSchema = z.looseObject({
  results: z.array(z.union([pageSchema, dataSourceSchema])),
  ...listFields,
});

const blockSchema = z.looseObject({
  id: z.string(),
  type: z.string(),
  has_children: z.boolean().optional(),
  ...trashFields,
});
export type NotionBlock = z.infer<typeof blockSchema>;
export const blocksSchema = z.looseObject({ results: z.array(blockSchema), ...listFields });
export const blockParentSchema = z.looseObject({ parent: parentSchema });

export const botSchema = z.looseObject({
  name: z.string().nullish(),
  bot: z.looseObject({ workspace_name: z.string().nullish() }).optional(),
});

export function isInTrash(one: Partial<Record<keyof typeof trashFields, boolean | undefined>>): boolean {
  return one.in_trash === true || one.archived === true || one.is_archived === true;
}
