import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Folders that a parser process must read to load its code, for Node's `--allow-fs-read`: the packages that its
 * entry and `@citewell/*` are in, and every `node_modules` that Node looks into from there. Nothing else of the
 * folders above them: data and configuration may lie there.
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
