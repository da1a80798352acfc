import { parseArgs, type ParseArgsConfig } from 'node:util';
import { distance } from 'fastest-levenshtein';
import { print } from './terminal/output.js';
import { UsageError } from './describe-error.js';

type Options = NonNullable<ParseArgsConfig['options']>;
type ParsedOptions<Declared extends Options> = ReturnType<
  typeof parseArgs<{ options: Declared; allowPositionals: true; strict: true }>
>['values'];

interface CommandDescription<Declared extends Options> {
  /** The syntax of the command: the first line of the help. */
  usage: string;
  /** The rest of the help. */
  help: string;
  options: Declared;
  /** The arguments that are not options. At most one is required; its name is as in the usage. */
  positionals: { required?: string; maximum: number };
}

/**
 * Creates the `run` function of a command module. It parses
 * the arguments, prints the help or executes the command.
 *
 * @param execute resolves to the exit code. `context` contains further arguments of the `run` function, for tests
 * @returns a function that throws {@link UsageError} for invalid arguments, with the names of its options
 */
export function defineCommand<const Declared extends Options, Context extends unknown[]>(
  { usage, help, options, positionals: { required, maximum } }: CommandDescription<Declared>,
  execute: (
    values: ParsedOptions<Declared>,
    positionals: readonly string[],
    ...context: Context
  ) => Promise<number>,
): ((args: string[], ...context: Context) => Promise<number>) & { options: string[] } {
  const run = async (args: string[], ...context: Context): Promise<number> => {
    // `--help` works together with any other arguments, also with invalid ones.
    const beforeTerminator = args.includes('--') ? args.slice(0, args.indexOf('--')) : args;
    if (beforeTerminator.some((arg) => arg === '--help' || arg === '-h')) {
      print(`Usage: ${usage}\n\n${help}`);
      return 0;
    }
    const { values, positionals } = parse(args, options);
    if (required !== undefined && positionals.length === 0)
      throw new UsageError(`${required} is missing.\nUsage: ${usage}`);
    if (positionals.length > maximum)
      throw new UsageError(`Unexpected argument: ${positionals[maximum]}.\nUsage: ${usage}`);
    return execute(values, positionals, ...context);
  };
  return Object.assign(run, { options: Object.keys(options) });
}

function parse<const Declared extends Options>(args: string[], options: Declared) {
  assertKnown(args, options);
  try {
    return parseArgs({ args, options, allowPositionals: true, strict: true });
  } catch (error) {
    // Only the first sentence of Node's message is shown: the
    // advice that follows does not fit these commands.
    if (error instanceof TypeError)
      throw new UsageError(`${error.message.split('. ')[0]}.`.replace('..', '.'));
    throw error;
  }
}

/** @throws {@link UsageError} for the first unknown option */
function assertKnown(args: string[], options: Options): void {
  const { tokens } = parseArgs({ args, options, allowPositionals: true, strict: false, tokens: true });
  for (const token of tokens)
    if (token.kind === 'option' && !Object.hasOwn(options, token.name)) {
      const names = Object.keys(options).map((name) => `--${name}`);
      throw new UsageError(
        `Unknown option ${token.rawName}.${didYouMean(token.rawName, names)} Use --help to see all options.`,
      );
    }
}

/**
 * Parses the value of an option as a whole number.
 *
 * @returns undefined if the option is absent
 * @throws {@link UsageError} if the value is not a whole number from `minimum` to `maximum`
 */
export function wholeNumber(
  name: string,
  value: string | undefined,
  [minimum, maximum]: readonly [number, number],
): number | undefined {
  if (value === undefined) return undefined;
  const number = Number(value);
  if (!/^\d+$/.test(value) || number < minimum || number > maximum)
    throw new UsageError(`--${name} must be a whole number from ${minimum} to ${maximum}.`);
  return number;
}

/** The sentence "Did you mean …?" with a space before it; empty if none of the names is similar. */
export function didYouMean(written: string, names: readonly string[]): string {
  const maxEdits = Math.ceil(written.length / 3);
  const [nearest] = names
    .map((name) => ({ name, edits: distance(name, written) }))
    .filter(({ edits }) => edits <= maxEdits)
    .toSorted((a, b) => a.edits - b.edits);
  return nearest ? ` Did you mean ${nearest.name}?` : '';
}
