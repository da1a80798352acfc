import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** @param name of a program on the PATH, or the path of one @returns its path, null when it is not there */
export async function findProgram(name: string): Promise<string | null> {
  if (process.platform === 'win32') return null;
  try {
    // The shell looks where the operator's shell would look, and says so only of what can be run.
    const { stdout } = await run('/bin/sh', ['-c', 'command -v -- "$1"', 'sh', name]);
    const path = stdout.trim();
    return path.startsWith('/') ? path : null;
  } catch {
    return null;
  }
}
