import { parseArgs, type ParseArgsConfig } from 'node:util';
import { print } from './terminal/output.js';
import { UsageError } from './usage-error.js';

type Options = NonNullable<ParseArgsConfig['options']>;
type ParsedOptions<Declared extends Options> = ReturnType<
  typeof parseArgs<{ options: Declared; allowPositionals: true; strict: true }>
>['values'];

interface CommandDescription<Declared extends Options> {
  /** The output of `--help`. */
  help: string;
  options: Declared;
  /** Allowed number of positional arguments. */
  positionals: readonly [minimum: number, maximum: number];
}

/**
 * Creates the `run` function of a command module. It parses
 * the arguments, prints the help or executes the command.
 *
 * @param execute resolves to the exit code
 * @returns a function that throws {@link UsageError} for invalid arguments
 */
export function defineCommand<const Declared extends Options>(
  { help, options, positionals: [minimum, maximum] }: CommandDescription<Declared>,
  execute: (values: ParsedOptions<Declared>, positionals: readonly string[]) => Promise<number>,
): (args: string[]) => Promise<number> {
  return async (args) => {
    // `--help` works together with any other arguments, also with invalid ones.
    const beforeTerminator = args.includes('--') ? args.slice(0, args.indexOf('--')) : args;
    if (beforeTerminator.some((arg) => arg === '--help' || arg === '-h')) {
      print(help);
      return 0;
    }
    const { values, positionals } = parse(args, options);
    if (positionals.length < minimum)
      throw new UsageError('An argument is missing. Use --help to see the syntax.');
    if (positionals.length > maximum)
      throw new UsageError(`Unexpected argument: ${positionals[maximum]}. Use --help to see the syntax.`);
    return execute(values, positionals);
  };
}

function parse<const Declared extends Options>(args: string[], options: Declared) {
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
