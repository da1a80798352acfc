import { distance } from 'fastest-levenshtein';
import { z } from 'zod';
import { basePath, pathOf, url, type Variable, variable } from './variable.js';
import { offlineProblems } from './outgoing-hosts.js';
import { VARIABLES } from './variables.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** The parsed values of a table of variables, by variable name. */
type Parsed<Table extends Readonly<Record<string, Variable>>> = {
  readonly [Name in keyof Table]: z.output<Table[Name]['schema']>;
};

/** The typed configuration. `main` loads it once; everything else gets it injected. */
export type Config = Parsed<typeof VARIABLES>;

/** Thrown for invalid variables. The message has one line per variable and never contains a value. */
export class ConfigError extends Error {
  constructor(readonly problems: readonly string[]) {
    super(
      `The configuration has ${problems.length === 1 ? 'a problem' : 'problems'}:\n${problems.map((line) => `  ${line}`).join('\n')}`,
    );
    this.name = 'ConfigError';
  }
}

/**
 * Parses the variables of a table. An empty variable counts
 * as unset: compose files and shells create such variables.
 *
 * @param check finds contradictions between variables that
 * are valid by themselves; returns one problem per line
 * @throws {@link ConfigError} with every invalid variable
 */
function parseVariables<Table extends Readonly<Record<string, Variable>>>(
  table: Table,
  env: Environment,
  check: (values: Parsed<Table>) => readonly string[] = () => [],
): Parsed<Table> {
  const problems: string[] = [];
  const parsed: Record<string, unknown> = {};
  for (const [name, { schema }] of Object.entries(table)) {
    const result = schema.safeParse(env[name] === '' ? undefined : env[name]);
    if (result.success) parsed[name] = result.data;
    else problems.push(`${name}: ${result.error.issues[0]?.message ?? 'is not valid'}`);
  }
  // For every name of the table, the loop above stored a parsed value or added a problem.
  const values = parsed as Parsed<Table>;
  if (problems.length === 0) problems.push(...check(values));
  if (problems.length > 0) throw new ConfigError(problems);
  return values;
}

/**
 * Reads the configuration from the environment.
 *
 * @throws {@link ConfigError} with every invalid variable
 */
export function loadConfig(env: Environment = process.env): Config {
  const config = parseVariables(VARIABLES, env, contradictions);
  const { BASE_PATH, PUBLIC_URL } = config;
  if (PUBLIC_URL === undefined) return config;
  const { origin } = new URL(PUBLIC_URL);
  const path = BASE_PATH || publicPath(PUBLIC_URL);
  return { ...config, BASE_PATH: path, PUBLIC_URL: origin + path };
}

function publicPath(address: string): string {
  return pathOf(new URL(address));
}

/** Sentences about set variables that Citewell does not read, but whose name is close to one that it does. */
export function misspelledVariables(env: Environment = process.env): string[] {
  const known = Object.keys(VARIABLES);
  return Object.keys(env)
    .filter((name) => !known.includes(name))
    .flatMap((name) => {
      // The same beginning, so that FTP_PROXY is not reported.
      const meant = known.find(
        (variable) =>
          variable.startsWith(name.slice(0, 2)) &&
          distance(variable, name) <= Math.floor(variable.length / 5),
      );
      return meant === undefined ? [] : [`${name} is not a variable of Citewell. Did you mean ${meant}?`];
    });
}

/** `local`, or `local:` with a hub id, a directory or a URL. */
const LOCAL_MODEL = /^local(?:$|:)/;

function contradictions(config: Config): string[] {
  const problems: string[] = [];
  if ((config.S3_ACCESS_KEY_ID === undefined) !== (config.S3_SECRET_ACCESS_KEY === undefined)) {
    problems.push('S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY: set both or neither');
  }
  if (config.S3_ENDPOINT !== undefined && config.S3_BUCKET === undefined)
    problems.push('S3_BUCKET: is required with S3_ENDPOINT');
  if (config.QDRANT_API_KEY !== undefined && config.QDRANT_URL === undefined)
    problems.push('QDRANT_URL: is required with QDRANT_API_KEY');
  if ((config.SMTP_URL === undefined) !== (config.MAIL_FROM === undefined))
    problems.push('SMTP_URL, MAIL_FROM: set both or neither');
  // The address of a request may be one that an attacker has chosen.
  if (config.SMTP_URL !== undefined && config.PUBLIC_URL === undefined)
    problems.push('PUBLIC_URL: is required with SMTP_URL, for the links in mails');
  problems.push(...pathProblems(config), ...offlineProblems(config));
  const { EMBEDDING_MODEL: embedding, RERANK_MODEL: reranker } = config;
  const isOfServer =
    embedding !== undefined &&
    embedding !== 'builtin' &&
    embedding !== 'none' &&
    !LOCAL_MODEL.test(embedding);
  if (config.EMBEDDING_DIMENSIONS !== undefined && !isOfServer) {
    problems.push('EMBEDDING_DIMENSIONS: requires an EMBEDDING_MODEL of a server');
  }
  // The chat model may be chosen in the settings.
  const isRerankServer = reranker !== undefined && reranker !== 'chat' && !LOCAL_MODEL.test(reranker);
  if (isRerankServer && config.RERANK_BASE_URL === undefined)
    problems.push('RERANK_MODEL: requires RERANK_BASE_URL, except `chat` and `local`');
  return problems;
}

function pathProblems({ PUBLIC_URL, BASE_PATH }: Config): string[] {
  const path = PUBLIC_URL === undefined ? '' : publicPath(PUBLIC_URL);
  if (path === '') return [];
  const checked = basePath('/api').safeParse(path);
  if (!checked.success) return [`PUBLIC_URL: its path ${checked.error.issues[0]?.message ?? 'is not valid'}`];
  return BASE_PATH === '' || BASE_PATH === path
    ? []
    : ['BASE_PATH, PUBLIC_URL: name two paths. Set one of them, or the same path in both'];
}

/** One problem per missing variable that every app outside `standalone` requires. */
function missingForScaledApp(config: Config): string[] {
  const problems: string[] = [];
  if (config.DATABASE_URL === undefined)
    problems.push('DATABASE_URL: is required when this app runs in its own process');
  if (config.QDRANT_URL === undefined)
    problems.push('QDRANT_URL: is required when this app runs in its own process');
  return problems;
}

/**
 * The configuration of an app that runs in its own process, where nothing is embedded.
 *
 * @throws {@link ConfigError} with every invalid or missing variable
 */
export function loadScaledConfig(env?: Environment): Config {
  const config = loadConfig(env);
  const problems = missingForScaledApp(config);
  if (problems.length > 0) throw new ConfigError(problems);
  return config;
}

/**
 * The configuration of `standalone`. By default it logs warnings only, so that the welcome message stays in the terminal.
 *
 * @throws {@link ConfigError} with every invalid variable
 */
export function loadStandaloneConfig(env: Environment = process.env): Config {
  return loadConfig({ ...env, LOG_LEVEL: env['LOG_LEVEL'] || 'warn' });
}

/**
 * Variables of a client. It usually runs on another machine and has no other configuration of the service.
 */
const CLIENT_VARIABLES = {
  CITEWELL_URL: variable(
    url('http:', 'https:').default('http://127.0.0.1:3000'),
    'Address of the service, with or without /api.',
  ),
  CITEWELL_API_KEY: variable(
    z
      .string('is required: the API key that the service printed at its first start, or another API key')
      .regex(/^[\x21-\x7e]{1,512}$/, 'must be visible characters without spaces'),
    'API key that is sent with each request.',
  ),
} as const;

type ClientConfig = Parsed<typeof CLIENT_VARIABLES>;

/**
 * Reads the address and the API key of the service from the environment.
 *
 * @throws {@link ConfigError} with every invalid variable
 */
export function loadClientConfig(
  env: Readonly<Record<string, string | undefined>> = process.env,
): ClientConfig {
  return parseVariables(CLIENT_VARIABLES, env);
}

/**
 * The text of `.env.example`: each variable with its
 * description and its default or an example, commented out.
 */
export function renderEnvExample(): string {
  const entries = Object.entries(VARIABLES).map(([name, { schema, description, example }]) => {
    const fallback = schema.safeParse(undefined);
    // A variable with several values has no default, or a list.
    const { data = '' } = fallback;
    const value =
      (typeof data === 'object' ? Object.values(data).join(',') : String(data)) || (example ?? '');
    return `# ${description}\n#${name}=${value}\n`;
  });
  return `# Generated from packages/config/src/variables.ts. Every variable is optional for \`npm start\`.\n\n${entries.join('\n')}`;
}
