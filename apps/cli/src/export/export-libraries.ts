import { join } from 'node:path';
import type { Datastore } from '@citewell/sdk';
import { readJsonLines, writeJsonLines } from './json-lines.js';
import { numbered, safeName } from './safe-paths.js';

export const LIBRARIES_FILE = 'libraries.jsonl';

/** A line of `libraries.jsonl`. */
export interface Library {
  readonly id: string;
  readonly name: string;
  readonly folder: string;
}

/** The folder of each datastore: the one of an earlier export, or a new one with its name. */
export async function foldersOf(
  root: string,
  datastores: readonly Datastore[],
): Promise<Map<string, string>> {
  const file = join(root, LIBRARIES_FILE);
  const lines = (await readJsonLines<Library>(file)).filter(({ folder }) => folder === safeName(folder));
  const known = new Map(lines.map((library) => [library.id, library]));
  const taken = new Set([...known.values()].map(({ folder }) => folder.toLowerCase()));
  for (const { id, name } of datastores) {
    const old = known.get(id)?.folder;
    const base = safeName(name);
    let folder = old ?? base;
    for (let n = 2; old === undefined && taken.has(folder.toLowerCase()); n += 1) folder = numbered(base, n);
    taken.add(folder.toLowerCase());
    known.set(id, { id, name, folder });
  }
  await writeJsonLines(file, [...known.values()]);
  return new Map([...known.values()].map(({ id, folder }) => [id, folder]));
}
