import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { CommandOutcome, Environment } from '../deployments/deployment.js';

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
