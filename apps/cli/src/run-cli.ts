import manifest from '../package.json' with { type: 'json' };
import { completionScript } from './completion.js';
import { didYouMean } from './did-you-mean.js';
import { describeError, EXIT_USAGE, loadErrorLanguage } from './describe-error.js';
import { print, printToStderr, stopOnClosedPipe } from './terminal/output.js';
import { styleForStderr } from './terminal/style.js';

const MIN_NODE = 24;

interface CommandModule {
  /** Resolves to the exit code. `options` are the names of its options. */
  run: ((args: string[]) => Promise<number>) & { options?: readonly string[] };
}

interface Command {
  summary: string;
  /** Loads the module on demand, so that a command does not load the dependencies of other commands. */
  load(): Promise<CommandModule>;
}

export type Commands = Readonly<Record<string, Command>>;

/** Runs the command that the arguments of the process name, and sets the exit code. */
export async function runCli(commands: Commands): Promise<void> {
  stopOnClosedPipe();
  if (Number(process.versions.node.split('.')[0]) < MIN_NODE) {
    printToStderr(
      `citewell: Node ${MIN_NODE} or newer is required. In the repository, use \`npm run citewell -- <command>\`, which runs the installed Node ${MIN_NODE}.`,
    );
    process.exit(EXIT_USAGE);
  }
  await loadErrorLanguage(process.env);
  process.exitCode = await run(commands, process.argv.slice(2));
}

async function run(commands: Commands, [name, ...args]: readonly string[]): Promise<number> {
  if (name === undefined || ['help', '--help', '-h'].includes(name)) {
    print(help(commands));
    return name === undefined ? EXIT_USAGE : 0;
  }
  if (['version', '--version', '-v'].includes(name)) {
    print(manifest.version);
    return 0;
  }
  const command =
    name === 'completion' ? completion(commands) : Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command) {
    printToStderr(
      `citewell: Unknown command "${name}".${didYouMean(name, [...Object.keys(commands), 'completion'])} See "citewell --help".`,
    );
    return EXIT_USAGE;
  }
  try {
    const module = await command.load();
    return await module.run(args);
  } catch (error) {
    const { message, exitCode } = describeError(error);
    printToStderr(`${styleForStderr('red', `citewell ${name}:`)} ${message}`);
    return exitCode;
  }
}

/** It needs all commands, so it is not one of them. */
function completion(commands: Commands): Command {
  const run = async ([shell]: string[]): Promise<number> => {
    print(await completionScript(shell, commands));
    return 0;
  };
  return { summary: '', load: async () => ({ run }) };
}

function help(commands: Commands): string {
  const width = Math.max(...Object.keys(commands).map((name) => name.length));
  const lines = Object.entries(commands).map(
    ([name, { summary }]) => `  citewell ${name.padEnd(width)}  ${summary}`,
  );
  return `Answers questions from your own documents, with sources that you can check.

${lines.join('\n')}

"citewell <command> --help" shows the options of a command, "citewell --version" the version.
"citewell completion bash | zsh | fish" prints a script with which your shell completes commands and options.

CITEWELL_URL      address of the service, default http://127.0.0.1:3000
CITEWELL_API_KEY  API key of the service`;
}
