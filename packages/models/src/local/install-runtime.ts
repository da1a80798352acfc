import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, mkdtemp, mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { isOffline } from '@citewell/web/remote-fetch';
import { ModelError } from '../model.error.js';
import type { OnProgress } from './on-progress.js';

/** The packages to install, with their hashes. */
const MANIFEST = fileURLToPath(new URL('./runtime', import.meta.url));
/** What npm downloads. */
export const RUNTIME_BYTES = 114_000_000;
const INSTALL_TIMEOUT_MS = 10 * 60_000;
const TEMPORARY = 'installing-';
/** npm reads the settings of the user. It gets no secrets of the server. */
const ENVIRONMENT =
  /^(?:PATH|HOME|USERPROFILE|APPDATA|TMPDIR|NODE_EXTRA_CA_CERTS|SSL_CERT_\w+|npm_config_.+|\w*_proxy)$/i;
const ARGUMENTS = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];

/**
 * Installs the packages that run local models, unless they are installed. A change of the packages changes the directory.
 *
 * @param directory for all runtimes; created if missing
 * @returns the directory that contains `node_modules`
 * @throws ModelError (`permanent`) if npm fails; the reason of the signal
 */
export async function installRuntime(
  directory: string,
  onProgress: OnProgress,
  signal?: AbortSignal,
): Promise<string> {
  const runtime = await runtimeDirectory(directory);
  if (existsSync(runtime)) return runtime;
  if (isOffline())
    throw new ModelError(
      'permanent',
      `The server works offline, and the packages that run local models are not installed. Copy the directory ${runtime} from a server with access to npm.`,
    );
  await mkdir(directory, { recursive: true });
  await removeAbandoned(directory);
  const temporary = await mkdtemp(join(directory, TEMPORARY));
  try {
    onProgress({ step: 'installing', text: 'Installing the packages that run local models' });
    await npmInstall(temporary, signal);
    await removeOtherPlatforms(temporary);
    // Another process may have installed the same packages in the meantime.
    await rename(temporary, runtime).catch((error: unknown) => {
      if (!existsSync(runtime)) throw error;
    });
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
  return runtime;
}

/** Whether `installRuntime` needs no network. */
export async function isRuntimeInstalled(directory: string): Promise<boolean> {
  return existsSync(await runtimeDirectory(directory));
}

async function runtimeDirectory(directory: string): Promise<string> {
  const lock = await readFile(join(MANIFEST, 'package-lock.json'));
  return join(directory, `runtime-${createHash('sha256').update(lock).digest('hex').slice(0, 8)}`);
}

/** Removes what processes left that were killed during an installation. */
async function removeAbandoned(directory: string): Promise<void> {
  for (const name of await readdir(directory)) {
    if (!name.startsWith(TEMPORARY)) continue;
    const age = Date.now() - (await stat(join(directory, name))).mtimeMs;
    if (age > 2 * INSTALL_TIMEOUT_MS) await rm(join(directory, name), { recursive: true, force: true });
  }
}

async function npmInstall(directory: string, signal?: AbortSignal): Promise<void> {
  for (const file of ['package.json', 'package-lock.json'])
    await copyFile(join(MANIFEST, file), join(directory, file));
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => ENVIRONMENT.test(name)));
  try {
    await promisify(execFile)('npm', ARGUMENTS, {
      cwd: directory,
      env,
      timeout: INSTALL_TIMEOUT_MS,
      ...(signal ? { signal } : {}),
    });
  } catch (cause) {
    signal?.throwIfAborted();
    throw new ModelError(
      'permanent',
      'The packages that run local models could not be installed: `npm ci` failed. ' +
        'The first use of a local model needs npm and its registry.',
      { cause },
    );
  }
}

/** ONNX Runtime contains its library for each platform, 290 MB; one platform needs about 45 MB. */
async function removeOtherPlatforms(directory: string): Promise<void> {
  const binaries = join(directory, 'node_modules/onnxruntime-node/bin');
  for (const version of await readdir(binaries)) {
    for (const platform of await readdir(join(binaries, version))) {
      for (const architecture of await readdir(join(binaries, version, platform))) {
        if (platform === process.platform && architecture === process.arch) continue;
        await rm(join(binaries, version, platform, architecture), { recursive: true });
      }
    }
  }
}
