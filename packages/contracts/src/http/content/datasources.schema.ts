import { z } from 'zod';
import {
  ADDRESS_MISSING,
  changedConfigSchema,
  encodingSchema,
  hasAddress,
  pageConfigFields,
  siteConfigFields,
} from './datasource-config.schema.js';
import { pageRangeSchema } from './page-range.schema.js';
import {
  changedSecretsSchema,
  changedSourceFields,
  requireKnownSecrets,
  SOURCE_CONFIG_KEYS,
  sourceConfigSchema,
  sourceSecretsSchema,
} from './source-config.schema.js';
import {
  datasourceErrorSchema,
  datasourceStatsSchema,
  datasourceStatusSchema,
  progressSchema,
} from './datasource-status.schema.js';
import {
  contentTextSchema,
  customIdSchema,
  dateSchema,
  fileNameSchema,
  idSchema,
  MAX_NAME_LENGTH,
  metadataFieldSchema,
  metadataSchema,
  nameSchema,
  pageQuerySchema,
  storedTextSchema,
  timestampsSchema,
} from '../fields.js';

export const DATASOURCE_TYPES = ['file', 'web_page', 'web_site', 'text', 'source'] as const;
export const datasourceTypeSchema = z.enum(DATASOURCE_TYPES);
export type DatasourceType = z.infer<typeof datasourceTypeSchema>;

/** MIME type of an archive: a datasource of type `file` whose files are datasources of their own. */
export const ARCHIVE_TYPE = 'application/zip';

/** Programs whose exports are recognized in a ZIP archive. */
export const EXPORT_KINDS = ['confluence', 'notion', 'obsidian', 'slack', 'takeout'] as const;
export type ExportKind = (typeof EXPORT_KINDS)[number];

/** The keys of `config` that each type accepts. */
export const DATASOURCE_CONFIG_KEYS: Readonly<Record<DatasourceType, readonly string[]>> = {
  file: ['encoding'],
  text: [],
  web_page: Object.keys(pageConfigFields),
  web_site: Object.keys(siteConfigFields),
  source: SOURCE_CONFIG_KEYS,
};

const NAMED_EXAMPLE = { datastoreId: '0199c7a0-2f4d-7a11-8b52-3c9d5e7f0a12', name: 'Documentation' };
const SITE_EXAMPLE = { source_url: 'https://docs.example.com', schedule: '@daily', maxPages: 500 };

export const datasourceSchema = z
  .object({
    id: z.string(),
    type: datasourceTypeSchema,
    name: z.string(),
    title: z
      .string()
      .nullable()
      .describe('The title that the document itself has, such as that of a web page; null if it has none.'),
    status: datasourceStatusSchema,
    groupId: z
      .string()
      .nullable()
      .describe(
        'For a page of a web site, or a file of a ZIP archive or source: the id of the site, archive or source.',
      ),
    createdAt: dateSchema.describe('`YYYY-MM-DD`. The exact instants are in `timestamps`.'),
    updatedAt: dateSchema,
    lastSynch: dateSchema.nullable(),
    config: z.record(z.string(), z.unknown()),
    secrets: z
      .array(z.string())
      .optional()
      .describe(
        'Only of a source: the names of the secrets that are stored. Their values are never returned.',
      ),
    datastoreId: z.string(),
    customId: z.string().nullable(),
    mimeType: z.string().nullable().describe('The media type of a file or page; null while it is unknown.'),
    sha256: z
      .string()
      .nullable()
      .describe(
        'The SHA-256 of the bytes of a file or text, as hexadecimal digits: equal bytes need no upload. Null for ' +
          'everything that is fetched from the web.',
      ),
    exportOf: z
      .enum(EXPORT_KINDS)
      .optional()
      .describe(
        'Only of a ZIP archive that is an export of another program: which one. Its files have the names and places of ' +
          'that program, and their `metadata` has `path` and, for documents that they link to, `links`.',
      ),
    progress: progressSchema.nullable().describe('Null when no run is in progress.'),
    semantic: z
      .object({ done: z.number().int(), total: z.number().int() })
      .nullable()
      .describe(
        'Vectors of the embedding model that are still being computed: chunks of a document, pages of a web site, or ' +
          'files of an archive. Until then, the built-in vectors are searched. Null if nothing is outstanding.',
      ),
    error: datasourceErrorSchema.nullable(),
    stats: datasourceStatsSchema,
    pages: z
      .array(pageRangeSchema)
      .optional()
      .describe(
        'What each page of the document brings to its text, at most 1,000 ranges. Only in the response of ' +
          '`GET /datasources/{id}`, and of formats with pages.',
      ),
    revision: z.number().int().describe('The serving revision. 0 before the first revision.'),
    metadata: z.record(z.string(), z.unknown()).optional(),
    upsertOutcome: z
      .enum(['created', 'replaced', 'unchanged'])
      .optional()
      .describe(
        'What an upsert did. Only in its response. A web page or web site that exists is `replaced`.',
      ),
    timestamps: timestampsSchema.extend({ lastSynch: z.string().nullable() }),
  })
  .meta({
    id: 'Datasource',
    examples: [
      {
        id: '0199c7a2-8c6f-7e35-a074-6d1b9f3e5a24',
        type: 'web_site',
        ...NAMED_EXAMPLE,
        title: null,
        status: 'unsynched',
        groupId: null,
        createdAt: '2026-03-02',
        updatedAt: '2026-03-02',
        lastSynch: null,
        config: SITE_EXAMPLE,
        customId: 'docs',
        mimeType: null,
        sha256: null,
        progress: null,
        semantic: null,
        error: null,
        stats: { chunks: 0, characters: 0, bytes: 0, pages: 0, durationMs: 0, leftOut: {} },
        revision: 0,
        timestamps: {
          createdAt: '2026-03-02T08:15:00.000Z',
          updatedAt: '2026-03-02T08:15:00.000Z',
          lastSynch: null,
        },
      },
    ],
  });
export type Datasource = z.infer<typeof datasourceSchema>;

const itemFields = {
  name: nameSchema.optional(),
  custom_id: customIdSchema.nullish(),
  metadata: metadataSchema,
  upsert: z
    .boolean()
    .nullish()
    .describe('Replaces the datasource of this datastore that has the same `custom_id`, if there is one.'),
};
const customIdInConfig = { custom_id: customIdSchema.nullish() };
const CUSTOM_ID_REQUIRED = { path: ['custom_id'], message: 'is required with upsert' };

const pageItemSchema = z.object({
  type: z.literal('web_page'),
  ...itemFields,
  config: z.object({ ...pageConfigFields, ...customIdInConfig }),
});
const siteItemSchema = z.object({
  type: z.literal('web_site'),
  ...itemFields,
  config: z.object({ ...siteConfigFields, ...customIdInConfig }).refine(hasAddress, ADDRESS_MISSING),
});
const sourceItemSchema = z
  .object({
    type: z.literal('source'),
    ...itemFields,
    config: sourceConfigSchema,
    secrets: sourceSecretsSchema.optional(),
  })
  .superRefine(requireKnownSecrets);
const textItemSchema = z.object({
  type: z.literal('text'),
  ...itemFields,
  text: contentTextSchema,
  config: z.object(customIdInConfig).nullish(),
});

/** The custom id inside `config`; undefined where there is none. */
export function customIdIn(config: object | null | undefined): string | undefined {
  const customId = config && 'custom_id' in config ? config.custom_id : undefined;
  return typeof customId === 'string' ? customId : undefined;
}

const hasCustomId = (item: {
  upsert?: boolean | null | undefined;
  custom_id?: string | null | undefined;
  config?: object | null | undefined;
}): boolean => !item.upsert || Boolean(item.custom_id || customIdIn(item.config));

const UNKNOWN_TYPE = {
  error: ({ code }: { code?: string | undefined }) =>
    code === 'invalid_union'
      ? 'must be web_page, web_site, text or source. Send a file as multipart/form-data'
      : undefined,
};
const PAGE_EXAMPLE = { source_url: 'https://docs.example.com/install' };
const TEXT_EXAMPLE = 'The workshop is open from Monday to Friday, 8 to 17.';

/** Form B of section 4.7 of the API specification, without the datastore, and extended by the type `text`. */
export const datasourceItemSchema = z
  .discriminatedUnion(
    'type',
    [pageItemSchema, siteItemSchema, textItemSchema, sourceItemSchema],
    UNKNOWN_TYPE,
  )
  .refine(hasCustomId, CUSTOM_ID_REQUIRED)
  .meta({ id: 'DatasourceItem' });
export type DatasourceItem = z.infer<typeof datasourceItemSchema>;

const inDatastore = { datastoreId: idSchema };

/** Files are sent as multipart. */
export const createDatasourceSchema = z
  .discriminatedUnion(
    'type',
    [
      pageItemSchema.extend(inDatastore),
      siteItemSchema.extend(inDatastore),
      textItemSchema.extend(inDatastore),
      sourceItemSchema.safeExtend(inDatastore),
    ],
    UNKNOWN_TYPE,
  )
  .refine(hasCustomId, CUSTOM_ID_REQUIRED)
  .meta({
    id: 'CreateDatasource',
    examples: [
      { type: 'web_site', ...NAMED_EXAMPLE, custom_id: 'docs', config: SITE_EXAMPLE },
      { type: 'web_page', ...NAMED_EXAMPLE, config: PAGE_EXAMPLE },
      { type: 'text', ...NAMED_EXAMPLE, text: TEXT_EXAMPLE },
      {
        type: 'source',
        ...NAMED_EXAMPLE,
        config: { kind: 'mailbox', host: 'imap.example.org', user: 'manuals@example.org' },
        secrets: { password: 'correct horse battery staple' },
      },
    ],
  });
export type CreateDatasource = z.infer<typeof createDatasourceSchema>;

/**
 * The text parts of a multipart upload. An empty string
 * counts as omitted, because HTML forms send empty strings.
 */
const formField = z
  .string()
  .max(1_024)
  .optional()
  .transform((value) => (value ? value : undefined));
export const uploadFieldsSchema = z
  .object({
    metadata: metadataFieldSchema,
    type: formField.pipe(z.literal('file').optional()),
    datastoreId: formField,
    fileName: formField.pipe(fileNameSchema.optional()),
    custom_id: formField.pipe(customIdSchema.optional()),
    encoding: formField.pipe(encodingSchema.optional()),
    upsert: formField
      .pipe(z.enum(['true', 'false'], 'must be true or false').optional())
      .describe(
        '`true` replaces the datasource of this datastore that has the same `custom_id`, if there is one.',
      ),
    duplicates: formField
      .pipe(z.enum(['allow', 'refuse'], 'must be allow or refuse').optional())
      .describe(
        '`refuse`: a file is not created if the datastore has one with the same name or the same bytes. The `details` of ' +
          'the error (409) have the `reason` `SAME_NAME` or `SAME_CONTENT`, and `values.datasourceId`.',
      ),
  })
  .refine(({ upsert, custom_id }) => upsert !== 'true' || custom_id !== undefined, CUSTOM_ID_REQUIRED);
export type UploadFields = z.infer<typeof uploadFieldsSchema>;

export const updateDatasourceSchema = z
  .object({
    name: nameSchema.optional(),
    customId: customIdSchema.nullable().optional(),
    config: changedConfigSchema
      .extend(changedSourceFields)
      .optional()
      .describe('A field that is null is removed.'),
    secrets: changedSecretsSchema
      .optional()
      .describe(
        'Only of a source: secrets that replace stored ones and start a sync. One that is null is removed. If the ' +
          'configuration leads to another address or account, all secrets have to be given.',
      ),
  })
  .meta({ id: 'UpdateDatasource', examples: [{ config: { schedule: '@weekly', maxPages: null } }] });
export type UpdateDatasource = z.infer<typeof updateDatasourceSchema>;

export const syncDatasourceSchema = z
  .object({
    removeMissing: z
      .boolean()
      .optional()
      .describe(
        'Of a web site or source: removes pages or documents that were not found or are gone, however many they are. Default false.',
      ),
  })
  .meta({
    id: 'SyncDatasource',
    description: 'How a datasource is synched.',
    examples: [{ removeMissing: false }],
  });
export type SyncDatasource = z.infer<typeof syncDatasourceSchema>;

export const listDatasourcesSchema = pageQuerySchema.extend({
  datastoreId: idSchema.optional(),
  groupId: idSchema.optional(),
  status: datasourceStatusSchema.optional(),
  name: storedTextSchema
    .min(1)
    .max(MAX_NAME_LENGTH)
    .optional()
    .describe('A part of the name or, of a web page, of its title. Capital and small letters are the same.'),
});
export type ListDatasources = z.infer<typeof listDatasourcesSchema>;
