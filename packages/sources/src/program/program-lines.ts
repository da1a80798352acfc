import { z } from 'zod';

/** Lines that programs of sources write. docs/sources-program.md describes them. */

const pathSchema = z.string().min(1).max(4_096).regex(/^[^/]/, 'must not begin with /');
const nameSchema = z.string().min(1).max(1_024);
const namesSchema = z.array(nameSchema).max(10_000);
const identifiedSchema = z.object({ id: z.string().min(1).max(1_024), path: pathSchema });

export const documentSchema = identifiedSchema.extend({
  version: z.string().min(1).max(1_024),
  bytes: z.int().min(0).nullish(),
  modifiedAt: z.iso.datetime({ offset: true }).nullish(),
  url: z
    .url({ protocol: /^https?$/ })
    .max(4_096)
    .optional(),
  access: z
    .union([z.literal('library'), z.object({ people: namesSchema, groups: namesSchema })])
    .default('library'),
});

export const skippedSchema = identifiedSchema.extend({
  reason: z.string().min(1),
  isFolder: z.boolean().optional(),
  access: z.unknown().optional(),
});
const groupSchema = z.object({ name: nameSchema, people: z.array(nameSchema) });
/** A document that is described wrongly, and can be told apart from others all the same. */
export const identifiedDocumentSchema = identifiedSchema.extend({ access: z.unknown().optional() });

const errorSchema = z.object({
  error: z.enum(['unavailable', 'limited', 'denied', 'gone', 'changed', 'unreadable']),
  message: z.string().min(1),
  retryAfterMs: z.int().min(0).optional(),
});
export type ErrorLine = z.infer<typeof errorSchema>;

export const checkLineSchema = z.union([
  errorSchema,
  z.object({ done: z.literal(true), message: z.string().min(1) }),
]);

export const inventoryLineSchema = z.union([
  errorSchema,
  z.object({ document: z.looseObject({}) }),
  z.object({ skipped: skippedSchema }),
  z.object({ group: groupSchema }),
  z.object({ done: z.literal(true), cursor: z.string().min(1).nullable() }),
]);

export const versionLineSchema = z.union([
  errorSchema,
  z.object({ version: z.string().min(1).max(1_024), mediaType: z.string().max(255).nullish() }),
]);
export const contentLineSchema = z.union([
  errorSchema,
  z.object({ content: z.base64() }),
  z.object({ done: z.literal(true) }),
]);
