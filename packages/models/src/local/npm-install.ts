import { execFile } from 'node:child_process';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const INSTALL_TIMEOUT_MS = 10 * 60_000;
/** Prefix of folders in which something is installed. */
export const TEMPORARY = 'installing-';
/** npm reads the settings of the user. It gets no secrets of the server. */
const ENVIRONMENT =
  /^(?:PATH|HOME|USERPROFILE|APPDATA|TMPDIR|NODE_EXTRA_CA_CERTS|SSL_CERT_\w+|npm_config_.+|\w*_proxy)$/i;
const ARGUMENTS = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];

/**
 * Installs what the package-lock.json of a directory lists. npm compares the packages with its hashes.
 *
 * @throws Error if npm is missing or fails, or after ten minutes; the reason of the signal
 */
export async function npmInstall(directory: string, signal?: AbortSignal): Promise<void> {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => ENVIRONMENT.test(name)));
  await promisify(execFile)('npm', ARGUMENTS, {
    cwd: directory,
    env,
    timeout: INSTALL_TIMEOUT_MS,
    ...(signal ? { signal } : {}),
  });
}

/** Removes what processes left that were killed during an installation. */
export async function removeAbandoned(directory: string): Promise<void> {
  for (const name of await readdir(directory)) {
    if (!name.startsWith(TEMPORARY)) continue;
    const age = Date.now() - (await stat(join(directory, name))).mtimeMs;
    if (age > 2 * INSTALL_TIMEOUT_MS) await rm(join(directory, name), { recursive: true, force: true });
  }
}
