import { z } from 'zod';

// What is read of the answers of Confluence; the rest is not kept. Cloud:
// https://developer.atlassian.com/cloud/confluence/rest/v2/ and v1. Data Center:
// https://developer.atlassian.com/server/confluence/rest/.

const linksSchema = z
  .object({
    /** Where people open Confluence. */
    base: z.string().optional(),
    next: z.string().optional(),
    webui: z.string().optional(),
    download: z.string().optional(),
  })
  .default({});
const idSchema = z.union([z.string(), z.number()]).transform(String);
const textSchema = z.string().nullish();

export const listSchema = z.object({ results: z.array(z.unknown()), _links: linksSchema });

export const spaceSchema = z.object({ id: idSchema, key: z.string(), status: textSchema });
export type ConfluenceSpace = z.infer<typeof spaceSchema>;

export const userSchema = z.object({
  accountId: textSchema,
  username: textSchema,
  userKey: textSchema,
  email: textSchema,
  displayName: textSchema,
});
export type ConfluenceUser = z.infer<typeof userSchema>;
const groupSchema = z.object({ id: idSchema.optional(), name: textSchema });
const readersSchema = z.object({
  user: z.object({ results: z.array(userSchema) }),
  group: z.object({ results: z.array(groupSchema) }),
});
export const restrictionSchema = z.object({ restrictions: readersSchema });

export const ownRestrictionsSchema = z.object({
  id: idSchema,
  restrictions: z.object({ read: restrictionSchema }),
});

/** A page, a blog post, or a folder, as v2 of Cloud has them. */
export const cloudContentSchema = z.object({
  id: idSchema,
  title: z.string(),
  status: textSchema,
  parentId: idSchema.nullish(),
  parentType: textSchema,
  version: z.object({ number: z.number(), createdAt: textSchema }).nullish(),
  body: z.object({ storage: z.object({ value: z.string() }).optional() }).optional(),
  _links: linksSchema,
});
export type CloudContent = z.infer<typeof cloudContentSchema>;

/** Content as v1 has it. */
export const contentSchema = z.object({
  id: idSchema,
  title: z.string(),
  status: textSchema,
  ancestors: z.array(z.object({ id: idSchema })).optional(),
  version: z.object({ number: z.number(), when: textSchema }).nullish(),
  restrictions: z.object({ read: restrictionSchema.optional() }).optional(),
  container: z.object({ id: idSchema }).optional(),
  extensions: z.object({ fileSize: z.number().nullish() }).optional(),
  body: z.object({ storage: z.object({ value: z.string() }).optional() }).optional(),
  _links: linksSchema,
});
export type Content = z.infer<typeof contentSchema>;

export const cloudAttachmentSchema = z.object({
  status: textSchema,
  fileSize: z.number().nullish(),
  pageId: idSchema.nullish(),
  blogPostId: idSchema.nullish(),
  version: z.object({ number: z.number() }),
});

export const cloudPermissionSchema = z.object({
  principal: z.object({ type: textSchema, id: textSchema }).nullish(),
  operation: z.object({ key: textSchema, targetType: textSchema }).nullish(),
});
export const permissionSchema = z.object({
  operation: z.object({ operationKey: textSchema, targetType: textSchema }),
  subject: z.object({ type: textSchema, name: textSchema, userKey: textSchema }).nullish(),
});

export const profileSchema = z.object({ email: textSchema });
