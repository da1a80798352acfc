import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isOffline } from '@citewell/web/remote-fetch';
import { ModelError } from '../model.error.js';
import { npmInstall, removeAbandoned, TEMPORARY } from './npm-install.js';

/** Language data of text recognition: packages of npm that have one file each. */
export interface LanguageData {
  readonly scope: string;
  readonly version: string;
  /** Folder of the file in the package. */
  readonly folder: string;
  /** The hash of each package by its name, as in a package-lock.json. */
  readonly packages: Readonly<Record<string, string>>;
}

/** Name of the file of language data. */
export function languageFile(name: string): string {
  return `${name}.traineddata.gz`;
}

/**
 * Installs language data. npm compares it with its hashes.
 *
 * @param directory for all languages; created if missing
 * @throws ModelError (`permanent`) if npm is missing or fails, and if the server works offline; the reason of the signal
 */
export async function installLanguage(
  directory: string,
  data: LanguageData,
  signal?: AbortSignal,
): Promise<void> {
  const names = Object.keys(data.packages);
  const files = names.map(languageFile).join(' and ');
  if (isOffline())
    throw new ModelError(
      'permanent',
      `The server works offline. Copy ${files} into the directory ${directory}, from a server with access to npm.`,
    );
  try {
    await mkdir(directory, { recursive: true });
    await removeAbandoned(directory);
    const temporary = await mkdtemp(join(directory, TEMPORARY));
    try {
      await writeManifests(temporary, data);
      await npmInstall(temporary, signal);
      for (const name of names) {
        const source = join(temporary, 'node_modules', data.scope, name, data.folder, languageFile(name));
        await rename(source, join(directory, languageFile(name)));
      }
    } finally {
      await rm(temporary, { recursive: true, force: true });
    }
  } catch (cause) {
    signal?.throwIfAborted();
    throw new ModelError(
      'permanent',
      `The language could not be installed, which needs npm, its registry and a writable directory. Without them, copy ${files} into the directory ${directory} of the server that reads documents.`,
      { cause },
    );
  }
}

async function writeManifests(directory: string, { scope, version, packages }: LanguageData): Promise<void> {
  const entries = Object.entries(packages).map(([name, integrity]) => ({
    name: `${scope}/${name}`,
    integrity,
  }));
  const dependencies = Object.fromEntries(entries.map(({ name }) => [name, version]));
  const locked = entries.map(({ name, integrity }) => [`node_modules/${name}`, { version, integrity }]);
  const lock = {
    lockfileVersion: 3,
    requires: true,
    packages: { '': { dependencies }, ...Object.fromEntries(locked) },
  };
  await writeFile(join(directory, 'package.json'), JSON.stringify({ private: true, dependencies }));
  await writeFile(join(directory, 'package-lock.json'), JSON.stringify(lock));
}
