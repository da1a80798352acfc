import type { z } from 'zod';
import { type Variable, VARIABLES } from './variables.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** What a table of variables becomes: every variable under its own name, parsed. */
export type Parsed<Table extends Readonly<Record<string, Variable>>> = {
  readonly [Name in keyof Table]: z.output<Table[Name]['schema']>;
};

/** The typed configuration. Made once in `main`, then injected. */
export type Config = Parsed<typeof VARIABLES>;

/** Thrown when variables are bad: the message names all of them, a line each, and never a value. */
export class ConfigError extends Error {
  constructor(readonly problems: readonly string[]) {
    super(
      `The configuration has ${problems.length === 1 ? 'a problem' : 'problems'}:\n${problems.map((line) => `  ${line}`).join('\n')}`,
    );
    this.name = 'ConfigError';
  }
}

/**
 * Reads the variables of a table. Empty ones count as unset, as compose files and shells make them.
 *
 * @param check looks for contradictions between variables that are good by themselves
 * @throws {@link ConfigError} naming every bad variable at once
 */
export function parseVariables<Table extends Readonly<Record<string, Variable>>>(
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
  // The loop above put a parsed value under every name of the table, or a problem into the list.
  const values = parsed as Parsed<Table>;
  if (problems.length === 0) problems.push(...check(values));
  if (problems.length > 0) throw new ConfigError(problems);
  return values;
}

/**
 * Reads the configuration from the environment.
 *
 * @throws {@link ConfigError} naming every bad variable at once
 */
export function loadConfig(env: Environment = process.env): Config {
  return parseVariables(VARIABLES, env, contradictions);
}

function contradictions(config: Config): string[] {
  const problems: string[] = [];
  if ((config.S3_ACCESS_KEY_ID === undefined) !== (config.S3_SECRET_ACCESS_KEY === undefined)) {
    problems.push('S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY: give both or neither');
  }
  if (config.S3_ENDPOINT !== undefined && config.S3_BUCKET === undefined)
    problems.push('S3_BUCKET: is needed with S3_ENDPOINT');
  if (config.QDRANT_API_KEY !== undefined && config.QDRANT_URL === undefined)
    problems.push('QDRANT_URL: is needed with QDRANT_API_KEY');
  if (config.EMBEDDING_DIMENSIONS !== undefined && config.EMBEDDING_MODEL === undefined) {
    problems.push('EMBEDDING_MODEL: is needed with EMBEDDING_DIMENSIONS');
  }
  return problems;
}

/** Which of the variables apps outside `standalone` cannot do without, as problems to report. */
export function missingForScaledApp(config: Config): string[] {
  const problems: string[] = [];
  if (config.DATABASE_URL === undefined)
    problems.push('DATABASE_URL: is needed by an app that runs on its own');
  if (config.QDRANT_URL === undefined) problems.push('QDRANT_URL: is needed by an app that runs on its own');
  return problems;
}

/** The configuration of an app that runs on its own: nothing is embedded there. @throws {@link ConfigError} */
export function loadScaledConfig(env?: Environment): Config {
  const config = loadConfig(env);
  const problems = missingForScaledApp(config);
  if (problems.length > 0) throw new ConfigError(problems);
  return config;
}
