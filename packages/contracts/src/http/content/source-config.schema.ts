import { z } from 'zod';
import { lineSchema } from '../fields.js';
import { patternsSchema, scheduleField, webUrlSchema } from './datasource-config.schema.js';
import { STORAGE_PROVIDERS } from './storage-providers.js';
import { requireKnownOptions, storageSourceFields } from './storage-source.schema.js';

/** Kinds of sources: where documents live that are kept in sync with a library. */
export const SOURCE_KINDS = ['folder'] as const;
export const sourceKindSchema = z.enum(SOURCE_KINDS);
export type SourceKind = z.infer<typeof sourceKindSchema>;

/** The fields that the sources of all kinds have. */
const commonFields = {
  include: patternsSchema
    .optional()
    .describe('Patterns on paths, such as `*.pdf` or `reports/**`. Default: all documents.'),
  exclude: patternsSchema.optional().describe('Patterns on paths. They take precedence over `include`.'),
  ...scheduleField,
};

const folderSourceConfigSchema = z.object({
  kind: z.literal('folder'),
  folder: lineSchema
    .min(1)
    .max(4_096)
    .refine((path) => /^(?:\/|[A-Za-z]:[\\/])/.test(path), 'must be an absolute path')
    .describe('Absolute path of a folder of the server, below one of those that the operator allows.'),
  ...commonFields,
});
export type FolderSourceConfig = z.infer<typeof folderSourceConfigSchema>;

const storageSourceConfigSchema = z
  .object({ kind: z.literal('storage'), ...storageSourceFields, ...commonFields })
  .superRefine(requireKnownOptions);
export type StorageSourceConfig = z.infer<typeof storageSourceConfigSchema>;

const feedSourceConfigSchema = z.object({
  kind: z.literal('feed'),
  url: webUrlSchema.describe('Address of an RSS, Atom or JSON feed.'),
  linkedPages: z
    .boolean()
    .optional()
    .describe('Whether the page that an entry links to replaces the entry if it says more. Default: true.'),
  maxPages: z
    .int()
    .min(1)
    .max(1_000)
    .optional()
    .describe('Pages of the feed that are read, if it has several. Default: 10.'),
  ...commonFields,
});
export type FeedSourceConfig = z.infer<typeof feedSourceConfigSchema>;

const mailboxSourceConfigSchema = z.object({
  kind: z.literal('mailbox'),
  host: lineSchema.min(1).max(253).describe('Name of the IMAP server, such as `imap.example.org`.'),
  port: z.int().min(1).max(65_535).optional().describe('Default: 993 with `tls`, else 143.'),
  security: z
    .enum(['tls', 'starttls', 'none'])
    .optional()
    .describe('How the connection is encrypted. Default `tls`. `none` is for private networks only.'),
  user: lineSchema.min(1).max(320).describe('Name of the account, often the e-mail address.'),
  folders: z
    .array(lineSchema.min(1).max(1_000))
    .max(100)
    .optional()
    .describe(
      'Folders of the mailbox; what is below them is included. Default: all except drafts, spam, trash, and the one that holds all mail.',
    ),
  since: z.iso.date().optional().describe('Only messages that arrived at this day or later.'),
  ...commonFields,
});
export type MailboxSourceConfig = z.infer<typeof mailboxSourceConfigSchema>;

const programSourceConfigSchema = z.object({
  kind: z.literal('program'),
  program: lineSchema.min(1).max(100).describe('Name of a program that the operator of the server allows.'),
  settings: z
    .string()
    .max(10_000)
    .optional()
    .describe('Settings of the program, in the form that it expects. Not for secrets.'),
  ...commonFields,
});
export type ProgramSourceConfig = z.infer<typeof programSourceConfigSchema>;

const repositorySourceConfigSchema = z.object({
  kind: z.literal('repository'),
  url: z
    .url({ protocol: /^https?$/ })
    .max(2_000)
    .describe('Address of a Git repository, as for `git clone`, without a user name.'),
  branch: lineSchema
    .max(255)
    .regex(/^[^-\s~^:?*[\\][^\s~^:?*[\\]*$/, 'must be the name of a branch')
    .optional()
    .describe('Default: the main branch of the repository.'),
  user: lineSchema
    .max(255)
    .optional()
    .describe('User name for the token. Default `git`, which most hosts accept with any token.'),
  link: z
    .string()
    .max(2_000)
    .regex(/^https?:\/\//, 'must be an http or https address')
    .optional()
    .describe(
      'Address of a file for readers, with `{commit}` and `{path}`. Not needed for well-known hosts.',
    ),
  ...commonFields,
});
export type RepositorySourceConfig = z.infer<typeof repositorySourceConfigSchema>;

/** Where the documents of a source are, and which of them are wanted. Without secrets. */
export const sourceConfigSchema = z.discriminatedUnion('kind', [folderSourceConfigSchema]);
export type SourceConfig = z.infer<typeof sourceConfigSchema>;

/** The names of all fields. */
export const SOURCE_CONFIG_KEYS: readonly string[] = Object.keys(folderSourceConfigSchema.shape);

/** The configuration of every connector. The API accepts those of {@link sourceConfigSchema}. */
export const connectorConfigSchema = z.discriminatedUnion('kind', [
  folderSourceConfigSchema,
  storageSourceConfigSchema,
  feedSourceConfigSchema,
  mailboxSourceConfigSchema,
  programSourceConfigSchema,
  repositorySourceConfigSchema,
]);
export type ConnectorConfig = z.infer<typeof connectorConfigSchema>;

/** A secret of a source. Its value is stored apart from the config, and never read back. */
export interface SourceSecret {
  readonly name: string;
  readonly title: string;
  readonly isRequired: boolean;
}

/** The secrets of each connector. Those of a storage depend on its provider, see `STORAGE_PROVIDERS`. */
export const SOURCE_SECRETS: Readonly<Record<ConnectorConfig['kind'], readonly SourceSecret[]>> = {
  folder: [],
  storage: storageSecrets(),
  feed: [],
  mailbox: [
    { name: 'password', title: 'Password', isRequired: false },
    { name: 'accessToken', title: 'Access token (OAuth 2.0) instead of a password', isRequired: false },
  ],
  program: [{ name: 'secret', title: 'Secret of the program', isRequired: false }],
  repository: [{ name: 'token', title: 'Access token or password', isRequired: false }],
};

/** The secrets of all providers. */
function storageSecrets(): SourceSecret[] {
  const titles = Object.assign(
    {},
    ...Object.values(STORAGE_PROVIDERS).map(({ secrets }) => secrets),
  ) as Record<string, string>;
  return Object.entries(titles).map(([name, title]) => ({ name, title, isRequired: false }));
}
