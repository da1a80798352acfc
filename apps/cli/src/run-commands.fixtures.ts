import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

const MAIN = new URL('./main.js', import.meta.url).href;

/** What a command has printed. */
export interface Outcome {
  exitCode: number | null;
  out: string;
  err: string;
}

interface Command {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** Runs commands one after the other in one process, whose start takes longer than they do. */
export async function runCommands(cwd: string, commands: readonly Command[]): Promise<Outcome[]> {
  const program = `
    for (const [n, { args, env }] of ${JSON.stringify(commands)}.entries()) {
      process.argv = [process.execPath, '', ...args];
      process.env = env;
      await import(${JSON.stringify(MAIN)} + '?' + n);
      process.stdout.write('\\0' + process.exitCode + '\\0');
      process.stderr.write('\\0');
    }`;
  const child = spawn(process.execPath, ['--no-warnings', '--input-type=module', '-e', program], {
    cwd,
    env: {},
  });
  child.stdin.end();
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  const printed = out.split('\0');
  const errors = err.split('\0');
  return commands.map((_, n) => ({
    exitCode: Number(printed[2 * n + 1]),
    out: printed[2 * n] ?? '',
    err: errors[n] ?? '',
  }));
}
