import { z } from 'zod';
import { lineSchema, storedTextSchema } from '../fields.js';
import { patternsSchema, scheduleField, webUrlSchema } from './datasource-config.schema.js';
import { STORAGE_PROVIDERS } from './storage-providers.js';
import { requireKnownOptions, storageSourceFields } from './storage-source.schema.js';

/** Kinds of sources: where documents live that are kept in sync with a library. */
export const SOURCE_KINDS = [
  'folder',
  'storage',
  'feed',
  'mailbox',
  'repository',
  'confluence',
  'notion',
  'program',
] as const;
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
  linkedPages: z.boolean().optional().meta({
    description: 'Whether the page that an entry links to replaces the entry if it says more. Default: true.',
    default: true,
  }),
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
  settings: storedTextSchema
    .max(10_000)
    .optional()
    .describe('Settings of the program, in the form that it expects. Not for secrets.'),
  ...commonFields,
});
export type ProgramSourceConfig = z.infer<typeof programSourceConfigSchema>;

const repositorySourceConfigSchema = z.object({
  kind: z.literal('repository'),
  url: webUrlSchema.describe('Address of a Git repository, as for `git clone`, without a user name.'),
  branch: lineSchema
    .max(255)
    .regex(/^[^-\s~^:?*[\\][^\s~^:?*[\\]*$/, 'must be the name of a branch')
    .optional()
    .describe('Default: the main branch of the repository.'),
  user: lineSchema
    .max(255)
    .optional()
    .describe('User name for the token. Default `git`, which most hosts accept with any token.'),
  link: lineSchema
    .max(2_000)
    .regex(/^https?:\/\//, 'must be an http or https address')
    .optional()
    .describe(
      'Address of a file for readers, with `{commit}` and `{path}`. Not needed for well-known hosts.',
    ),
  ...commonFields,
});
export type RepositorySourceConfig = z.infer<typeof repositorySourceConfigSchema>;

const confluenceSourceConfigSchema = z.object({
  kind: z.literal('confluence'),
  url: webUrlSchema.describe(
    'Address of Confluence, such as `https://example.atlassian.net/wiki`, or that of a Data Center.',
  ),
  user: lineSchema
    .min(1)
    .max(320)
    .optional()
    .describe('E-mail address of the account of an API token. None for a personal access token.'),
  spaces: z
    .array(lineSchema.max(255).regex(/^[\w.~-]+$/, 'must be the key of a space'))
    .min(1)
    .max(100)
    .optional()
    .describe('Keys of spaces. Default: all that the account may read.'),
  permissions: z.boolean().optional().meta({
    description:
      'Whether only those who may read a page in Confluence read it. Without it, all read it who may read the library. Default: true.',
    default: true,
  }),
  ...commonFields,
});
export type ConfluenceSourceConfig = z.infer<typeof confluenceSourceConfigSchema>;

const notionSourceConfigSchema = z.object({ kind: z.literal('notion'), ...commonFields });

const KINDS = {
  folder: folderSourceConfigSchema,
  storage: storageSourceConfigSchema,
  feed: feedSourceConfigSchema,
  mailbox: mailboxSourceConfigSchema,
  repository: repositorySourceConfigSchema,
  confluence: confluenceSourceConfigSchema,
  notion: notionSourceConfigSchema,
  program: programSourceConfigSchema,
} as const satisfies Record<SourceKind, z.ZodObject>;

/** Where the documents of a source are, and which of them are wanted. Without secrets. */
export const sourceConfigSchema = z.discriminatedUnion('kind', [
  KINDS.folder,
  KINDS.storage,
  KINDS.feed,
  KINDS.mailbox,
  KINDS.repository,
  KINDS.confluence,
  KINDS.notion,
  KINDS.program,
]);
export type SourceConfig = z.infer<typeof sourceConfigSchema>;

/** The configuration of one kind as JSON Schema. */
export function sourceConfigJsonSchema(kind: SourceKind): Record<string, unknown> {
  return z.toJSONSchema(KINDS[kind], { io: 'input' });
}

/** The names of all fields. */
export const SOURCE_CONFIG_KEYS: readonly string[] = [
  ...new Set(Object.values(KINDS).flatMap(({ shape }) => Object.keys(shape))),
];

/**
 * The fields of sources in an update. A field that is null is removed. The result is checked by {@link sourceConfigSchema}.
 * `kind`, `folder`, `provider` and `program` cannot be changed: another place is another source.
 */
export const changedSourceFields = changeableFields();

function changeableFields() {
  const { shape: storage } = storageSourceConfigSchema;
  const { shape: mailbox } = mailboxSourceConfigSchema;
  const { shape: repository } = repositorySourceConfigSchema;
  const { shape: confluence } = confluenceSourceConfigSchema;
  return {
    url: repository.url.nullish(),
    linkedPages: feedSourceConfigSchema.shape.linkedPages.nullable(),
    options: storage.options.nullable(),
    path: storage.path.nullable(),
    host: mailbox.host.nullish(),
    port: mailbox.port.nullable(),
    security: mailbox.security.nullable(),
    user: mailbox.user.nullish(),
    folders: mailbox.folders.nullable(),
    since: mailbox.since.nullable(),
    settings: programSourceConfigSchema.shape.settings.nullable(),
    branch: repository.branch.nullable(),
    link: repository.link.nullable(),
    spaces: confluence.spaces.nullable(),
    permissions: confluence.permissions.nullable(),
  };
}

/**
 * The secrets of each kind: name and title. Their values are stored apart from the config, and never read back. Those of a
 * storage depend on its provider, see `STORAGE_PROVIDERS`.
 */
export const SOURCE_SECRETS: Readonly<Record<SourceKind, Readonly<Record<string, string>>>> = {
  folder: {},
  storage: {},
  feed: {},
  mailbox: { password: 'Password', accessToken: 'Access token (OAuth 2.0) instead of a password' },
  repository: { token: 'Access token or password' },
  confluence: { token: 'API token, or personal access token' },
  notion: { token: 'Token of the integration' },
  program: { secret: 'Secret of the program' },
};

/** The names of the secrets that a source with this configuration can have. */
export function sourceSecretNames(config: SourceConfig): readonly string[] {
  const { secrets } =
    config.kind === 'storage' ? STORAGE_PROVIDERS[config.provider] : { secrets: SOURCE_SECRETS[config.kind] };
  return Object.keys(secrets);
}

/** Fields that do not tell where secrets are sent, and as whom. */
const OTHER_FIELDS: ReadonlySet<string> = new Set([
  'include',
  'exclude',
  'schedule',
  'paused',
  'path',
  'folders',
  'since',
  'branch',
  'link',
  'spaces',
  'linkedPages',
  'maxPages',
]);

/**
 * Where the secrets of a source are sent, and as whom, as a text. A secret is for one connection: with another one, it has to
 * be given again, so that nobody can have it sent to a host of their own, or open with it what the source shows to some
 * people only (`permissions: false`).
 */
export function sourceConnection(config: Readonly<Record<string, unknown>>): string {
  const sorted = (value: unknown): unknown =>
    typeof value === 'object' && value !== null ? Object.entries(value).toSorted() : value;
  return JSON.stringify(
    Object.entries(config)
      .filter(([name, value]) => !OTHER_FIELDS.has(name) && (name !== 'permissions' || value === false))
      .map(([name, value]) => [name, sorted(value)])
      .toSorted(),
  );
}

const MAX_SECRETS = 10;
const secretSchema = storedTextSchema.min(1).max(20_000);
const atMost = (values: object): boolean => Object.keys(values).length <= MAX_SECRETS;
const TOO_MANY = `must have at most ${MAX_SECRETS} entries`;

/** Secrets by name. */
export const sourceSecretsSchema = z
  .record(z.string(), secretSchema)
  .refine(atMost, TOO_MANY)
  .describe(
    'Passwords and tokens, by name. They are stored encrypted, and never returned. `GET /sources/kinds` has their names.',
  );

/** Secrets by name. Those that are null are removed, and those that are absent stay. */
export const changedSecretsSchema = z.record(z.string(), secretSchema.nullable()).refine(atMost, TOO_MANY);

/** Refuses secrets that a source with this configuration does not have. */
export function requireKnownSecrets(
  { config, secrets = {} }: { config: SourceConfig; secrets?: Readonly<Record<string, unknown>> | undefined },
  context: z.RefinementCtx,
): void {
  const known = sourceSecretNames(config);
  const message =
    known.length === 0
      ? 'does not exist: this source has no secrets'
      : `is unknown. Names are: ${known.join(', ')}`;
  for (const name of Object.keys(secrets))
    if (!known.includes(name)) context.addIssue({ code: 'custom', path: ['secrets', name], message });
}
