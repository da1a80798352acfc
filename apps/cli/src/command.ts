import { parseArgs, type ParseArgsConfig } from 'node:util';
import { print } from './terminal/output.js';
import { UsageError } from './usage-error.js';

type Options = NonNullable<ParseArgsConfig['options']>;
type ParsedOptions<Declared extends Options> = ReturnType<
  typeof parseArgs<{ options: Declared; allowPositionals: true; strict: true }>
>['values'];

interface CommandDescription<Declared extends Options> {
  /** What `--help` shows. */
  help: string;
  options: Declared;
  /** How many arguments it takes besides options. */
  positionals: readonly [minimum: number, maximum: number];
}

/**
 * Makes the `run` of a command module: reads the arguments, shows the help, then acts.
 *
 * @param act resolves to the exit code
 * @returns a function that throws {@link UsageError} on arguments that do not fit
 */
export function defineCommand<const Declared extends Options>(
  { help, options, positionals: [minimum, maximum] }: CommandDescription<Declared>,
  act: (values: ParsedOptions<Declared>, positionals: readonly string[]) => Promise<number>,
): (args: string[]) => Promise<number> {
  return async (args) => {
    // `--help` counts beside anything, also beside arguments that do not fit.
    const beforeTerminator = args.includes('--') ? args.slice(0, args.indexOf('--')) : args;
    if (beforeTerminator.some((arg) => arg === '--help' || arg === '-h')) {
      print(help);
      return 0;
    }
    const { values, positionals } = parse(args, options);
    if (positionals.length < minimum) throw new UsageError('An argument is missing.');
    if (positionals.length > maximum)
      throw new UsageError(`There is an argument too many: ${positionals[maximum]}.`);
    return act(values, positionals);
  };
}

function parse<const Declared extends Options>(args: string[], options: Declared) {
  try {
    return parseArgs({ args, options, allowPositionals: true, strict: true });
  } catch (error) {
    // Node's own sentences about unknown options and missing values are good ones; their advice is not.
    if (error instanceof TypeError)
      throw new UsageError(`${error.message.split('. ')[0]}.`.replace('..', '.'));
    throw error;
  }
}

/**
 * Reads a whole number given as an option.
 *
 * @throws {@link UsageError} when it is none, or not from `minimum` to `maximum`
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
