import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { SourceKind } from '@citewell/contracts/schemas';
import type { SourceContext } from './open-source.js';
import { rcloneProblem } from './storage/rclone-version.js';

const TIMEOUT_MS = 10_000;
/** A program that is installed is found after this time. */
const FRESH_MS = 60_000;
const run = promisify(execFile);
const outputs = new Map<string, { readonly at: number; readonly output: Promise<string | null> }>();

/**
 * Why sources of a kind cannot be connected to this server, and what the operator can do: a sentence.
 *
 * @returns null if they can be
 */
export async function sourceProblem(
  kind: SourceKind,
  {
    folders,
    programs = {},
    rclonePath = 'rclone',
  }: Pick<SourceContext, 'folders' | 'programs' | 'rclonePath'>,
): Promise<string | null> {
  switch (kind) {
    case 'folder':
      return folders.length > 0 ? null : 'The setting FOLDERS names no folder of the server.';
    case 'program':
      return Object.keys(programs).length > 0 ? null : 'The setting SOURCE_PROGRAMS names no program.';
    case 'storage': {
      const version = await outputOf(rclonePath, ['version']);
      return rcloneProblem(rclonePath, version === null ? null : (/^rclone v(\S+)/.exec(version)?.[1] ?? ''));
    }
    case 'repository':
      return (await outputOf('git', ['--version'])) === null
        ? 'The program git is not installed on the server.'
        : null;
    case 'feed':
    case 'mailbox':
    case 'confluence':
    case 'notion':
      return null;
  }
}

/** What a program writes; null if it cannot be run. Kept for a while, so that requests do not start one each. */
function outputOf(program: string, args: readonly string[]): Promise<string | null> {
  const name = [program, ...args].join(' ');
  const known = outputs.get(name);
  if (known !== undefined && performance.now() - known.at < FRESH_MS) return known.output;
  const { PATH = '' } = process.env;
  const output = run(program, args, { env: { PATH, HOME: '/nonexistent' }, timeout: TIMEOUT_MS }).then(
    ({ stdout }) => stdout,
    () => null,
  );
  outputs.set(name, { at: performance.now(), output });
  return output;
}
