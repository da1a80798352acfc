import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Folders that a parser process must read to load its code, for Node's `--allow-fs-read`: the packages of its
 * entry and of `@citewell/*`, and every `node_modules` in which Node resolves imports from there. Other
 * folders are left out, because they may contain data and configuration.
 *
 * @param entry path of the process's main file
 */
export function codeFolders(entry: string): string[] {
  const packages = ['@citewell/documents', '@citewell/contracts/errors'].map((name) =>
    realpathSync(fileURLToPath(import.meta.resolve(name))),
  );
  const folders = new Set<string>();
  for (const file of [realpathSync(entry), ...packages]) {
    let isInsidePackage = true;
    for (const folder of ancestors(file)) {
      if (isInsidePackage && existsSync(join(folder, 'package.json'))) {
        isInsidePackage = false;
        folders.add(join(folder, 'dist'));
        folders.add(join(folder, 'package.json'));
      }
      const modules = join(folder, 'node_modules');
      if (existsSync(modules)) folders.add(modules);
    }
    folders.add(dirname(file));
  }
  return [...folders];
}

function* ancestors(file: string): Generator<string> {
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    yield folder;
    if (folder === dirname(folder)) return;
  }
}
