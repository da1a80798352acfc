import manifest from '../package.json' with { type: 'json' };
import { didYouMean } from './define-command.js';
import { describeError, EXIT_USAGE, loadErrorLanguage, UsageError } from './describe-error.js';
import { print, printToStderr, stopOnClosedPipe, styleForStderr } from './terminal/output.js';

const COMPLETION_SCRIPTS = new Map([
  ['bash', bash],
  ['zsh', zsh],
  ['fish', fish],
]);

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

/** A command with its options, such as `--json`. */
interface CompletedCommand {
  name: string;
  summary: string;
  options: string[];
}

/**
 * A script with which a shell completes the names of commands and options. Other words are completed as file names.
 *
 * @throws {@link UsageError} for another shell than bash, zsh and fish
 */
async function completionScript(shell: string | undefined, commands: Commands): Promise<string> {
  const write = COMPLETION_SCRIPTS.get(shell ?? '');
  if (!write) throw new UsageError('Usage: citewell completion bash | zsh | fish');
  const completed = Object.entries(commands).map(async ([name, { summary, load }]) => {
    const { options = [] } = (await load()).run;
    return { name, summary, options: [...options, 'help'].map((option) => `--${option}`) };
  });
  return write(await Promise.all(completed));
}

function bash(commands: readonly CompletedCommand[]): string {
  const cases = commands.map(({ name, options }) => `    ${name}) words="${options.join(' ')}" ;;`);
  return `# Add to ~/.bashrc: source <(citewell completion bash)
_citewell() {
  local word="\${COMP_WORDS[COMP_CWORD]}" words=""
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${commands.map(({ name }) => name).join(' ')}" -- "$word"))
    return
  fi
  case "\${COMP_WORDS[1]}" in
${cases.join('\n')}
  esac
  case "$word" in
    -*) COMPREPLY=($(compgen -W "$words" -- "$word")) ;;
    *) COMPREPLY=() ;;
  esac
}
complete -o default -F _citewell citewell`;
}

/** zsh runs completions of bash. */
function zsh(commands: readonly CompletedCommand[]): string {
  return `# Add to ~/.zshrc, after compinit: source <(citewell completion zsh)
autoload -U +X bashcompinit && bashcompinit
${bash(commands).replace(/^#.*\n/, '')}`;
}

function fish(commands: readonly CompletedCommand[]): string {
  const lines = commands.flatMap(({ name, summary, options }) => [
    `complete -c citewell -n __fish_use_subcommand -f -a ${name} -d '${summary}'`,
    ...options.map(
      (option) => `complete -c citewell -n '__fish_seen_subcommand_from ${name}' -l ${option.slice(2)}`,
    ),
  ]);
  return ['# citewell completion fish > ~/.config/fish/completions/citewell.fish', ...lines].join('\n');
}
