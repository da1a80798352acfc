import { z } from 'zod';

// What is read of the answers of Confluence. Cloud: https://developer.atlassian.com/cloud/confluence/rest/v2/ and v1;
// Data Center: https://developer.atlassian.com/server/confluence/rest/.

const linksSchema = z
  .looseObject({ next: z.string().optional(), webui: z.string().optional(), download: z.string().optional() })
  .default({});
const idSchema = z.union([z.string(), z.number()]).transform(String);
const textSchema = z.string().nullish();

export const listSchema = z.looseObject({ results: z.array(z.unknown()), _links: linksSchema });

export const spaceSchema = z.looseObject({ id: idSchema, key: z.string(), status: textSchema });
export type ConfluenceSpace = z.infer<typeof spaceSchema>;

export const userSchema = z.looseObject({
  accountId: textSchema,
  username: textSchema,
  userKey: textSchema,
  email: textSchema,
  displayName: textSchema,
});
export type ConfluenceUser = z.infer<typeof userSchema>;
const groupSchema = z.looseObject({ id: idSchema.optional(), name: textSchema });
const readersSchema = z.looseObject({
  user: z.looseObject({ results: z.array(userSchema) }),
  group: z.looseObject({ results: z.array(groupSchema) }),
});
export const restrictionSchema = z.looseObject({ restrictions: readersSchema });

export const ownRestrictionsSchema = z.looseObject({
  id: idSchema,
  restrictions: z.looseObject({ read: restrictionSchema }),
});

/** A page, a blog post, or a folder, as v2 of Cloud has them. */
export const cloudContentSchema = z.looseObject({
  id: idSchema,
  title: z.string(),
  status: textSchema,
  parentId: idSchema.nullish(),
  parentType: textSchema,
  version: z.looseObject({ number: z.number(), createdAt: textSchema }).nullish(),
  body: z.looseObject({ storage: z.looseObject({ value: z.string() }).optional() }).optional(),
  _links: linksSchema,
});
export type CloudContent = z.infer<typeof cloudContentSchema>;

/** Content as v1 has it. */
export const contentSchema = z.looseObject({
  id: idSchema,
  title: z.string(),
  status: textSchema,
  type: textSchema,
  ancestors: z.array(z.looseObject({ id: idSchema })).optional(),
  version: z.looseObject({ number: z.number(), when: textSchema }).nullish(),
  restrictions: z.looseObject({ read: restrictionSchema.optional() }).optional(),
  container: z.looseObject({ id: idSchema }).optional(),
  extensions: z.looseObject({ mediaType: textSchema, fileSize: z.number().nullish() }).optional(),
  body: z.looseObject({ storage: z.looseObject({ value: z.string() }).optional() }).optional(),
  _links: linksSchema,
});
export type Content = z.infer<typeof contentSchema>;

export const cloudAttachmentSchema = z.looseObject({
  status: textSchema,
  pageId: idSchema.nullish(),
  blogPostId: idSchema.nullish(),
  version: z.looseObject({ number: z.number() }),
});

export const cloudPermissionSchema = z.looseObject({
  principal: z.looseObject({ type: textSchema, id: textSchema }).nullish(),
  operation: z.looseObject({ key: textSchema, targetType: textSchema }).nullish(),
});
export const permissionSchema = z.looseObject({
  operation: z.looseObject({ operationKey: textSchema, targetType: textSchema }),
  subject: z.looseObject({ type: textSchema, name: textSchema, userKey: textSchema }).nullish(),
});

export const profileSchema = z.looseObject({
  email: textSchema,
  displayName: textSchema,
  fullName: textSchema,
});
