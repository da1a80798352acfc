import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, mkdtemp, mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isOffline } from '@citewell/web/remote-fetch';
import { ModelError } from '../model.error.js';
import { npmInstall, removeAbandoned, TEMPORARY } from './npm-install.js';
import type { OnProgress } from './on-progress.js';

/** The packages to install, with their hashes. */
const MANIFEST = fileURLToPath(new URL('./runtime', import.meta.url));
/** What npm downloads. */
export const RUNTIME_BYTES = 114_000_000;
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
    await installPackages(temporary, signal);
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

async function installPackages(directory: string, signal?: AbortSignal): Promise<void> {
  for (const file of ['package.json', 'package-lock.json'])
    await copyFile(join(MANIFEST, file), join(directory, file));
  try {
    await npmInstall(directory, signal);
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
