import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { CommandOutcome, Environment } from '../deployments/deployment.js';

const WORKSPACE = new URL('../../../', import.meta.url);

/** A fenced block of code: the language, and the text without the fences. */
export interface CodeBlock {
  readonly language: string;
  readonly code: string;
}

/** The fenced blocks of a Markdown file. @param path relative to the workspace */
export function readCodeBlocks(path: string): CodeBlock[] {
  const markdown = readFileSync(new URL(path, WORKSPACE), 'utf8');
  return [...markdown.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(([, language = '', code = '']) => ({
    language,
    code,
  }));
}

/** The blocks of one language as one program. */
export function programOf(blocks: readonly CodeBlock[], language: string): string {
  return blocks
    .filter((block) => block.language === language)
    .map(({ code }) => code)
    .join('');
}

/**
 * A pattern of the whole output that a guide promises in its `text` blocks. `…` stands for any text in a line; a
 * line with `…` alone, for any number of lines.
 */
export function outputPattern(promised: string): RegExp {
  const lines = promised.trimEnd().split('\n');
  const patterns = lines.map((line) =>
    line === '…' ? '(?:.*\\n)*?' : `${escape(line).replaceAll('…', '.*')}\\n`,
  );
  return new RegExp(`^${patterns.join('')}$`);
}

function escape(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

/** The command that reads a program of each language from its standard input. */
const INTERPRETERS = {
  bash: ['bash', '-s'],
  ts: [process.execPath, '--input-type=module-typescript', '--disable-warning=ExperimentalWarning', '-'],
  js: [process.execPath, '--input-type=module', '-'],
  python: ['python3', '-'],
} as const satisfies Record<string, readonly string[]>;

export type Language = keyof typeof INTERPRETERS;

/**
 * Runs a program and waits for its end. `output` has standard output and standard error.
 *
 * @param folder the working directory, in which JavaScript finds its packages
 * @param env the complete environment, except for `PATH` and `HOME`
 */
export async function runProgram(
  language: Language,
  code: string,
  folder: string,
  env: Environment,
): Promise<CommandOutcome> {
  const [command, ...args] = INTERPRETERS[language];
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(command, args, { cwd: folder, env: { PATH, HOME, PYTHONUTF8: '1', ...env } });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (piece: string) => (output += piece));
  child.stdin.on('error', () => undefined).end(code);
  const [exitCode] = await once(child, 'close');
  return { code: typeof exitCode === 'number' ? exitCode : null, output };
}
