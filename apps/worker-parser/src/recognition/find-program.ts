import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * Finds an executable.
 *
 * @param name a name on the PATH, or a path
 * @returns the absolute path; null when there is no such executable, and on Windows
 */
export async function findProgram(name: string): Promise<string | null> {
  if (process.platform === 'win32') return null;
  try {
    // `command -v` finds only executables, on the same PATH as the operator's shell.
    const { stdout } = await run('/bin/sh', ['-c', 'command -v -- "$1"', 'sh', name]);
    const path = stdout.trim();
    return path.startsWith('/') ? path : null;
  } catch {
    return null;
  }
}
