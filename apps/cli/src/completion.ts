import type { Commands } from './run-cli.js';
import { UsageError } from './usage-error.js';

/** A command with its options, such as `--json`. */
interface CompletedCommand {
  name: string;
  summary: string;
  options: string[];
}

const SHELLS = new Map([
  ['bash', bash],
  ['zsh', zsh],
  ['fish', fish],
]);

/**
 * A script with which a shell completes the names of commands and options. Other words are completed as file names.
 *
 * @throws {@link UsageError} for another shell than bash, zsh and fish
 */
export async function completionScript(shell: string | undefined, commands: Commands): Promise<string> {
  const write = SHELLS.get(shell ?? '');
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
