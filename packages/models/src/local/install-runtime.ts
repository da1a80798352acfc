import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, mkdtemp, mkdir, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { ModelError } from '../model.error.js';
import type { OnProgress } from './on-progress.js';

/** The packages to install, with their hashes. */
const MANIFEST = fileURLToPath(new URL('./runtime', import.meta.url));
const INSTALL_TIMEOUT_MS = 10 * 60_000;
/** npm reads the settings of the user. It gets no secrets of the server. */
const ENVIRONMENT =
  /^(?:PATH|HOME|USERPROFILE|APPDATA|TMPDIR|NODE_EXTRA_CA_CERTS|SSL_CERT_\w+|npm_config_.+|\w*_proxy)$/i;
const ARGUMENTS = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];

/**
 * Installs the packages that run local models, unless they are installed. A change of the packages changes the directory.
 *
 * @param directory for all runtimes; created if missing
 * @returns the directory that contains `node_modules`
 * @throws ModelError (`permanent`) if npm fails
 */
export async function installRuntime(directory: string, onProgress: OnProgress): Promise<string> {
  const lock = await readFile(join(MANIFEST, 'package-lock.json'));
  const runtime = join(directory, `runtime-${createHash('sha256').update(lock).digest('hex').slice(0, 8)}`);
  if (existsSync(runtime)) return runtime;
  await mkdir(directory, { recursive: true });
  const temporary = await mkdtemp(join(directory, 'installing-'));
  try {
    onProgress({ text: 'Installing the packages that run local models' });
    await npmInstall(temporary);
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

async function npmInstall(directory: string): Promise<void> {
  for (const file of ['package.json', 'package-lock.json'])
    await copyFile(join(MANIFEST, file), join(directory, file));
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => ENVIRONMENT.test(name)));
  try {
    await promisify(execFile)('npm', ARGUMENTS, { cwd: directory, env, timeout: INSTALL_TIMEOUT_MS });
  } catch (cause) {
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
