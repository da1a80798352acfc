import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { UsageError } from '../describe-error.js';
import { DOCUMENTS_FILE, type ExportedDocument } from '../export/export-datastore.js';
import { type Library, LIBRARIES_FILE } from '../export/export-libraries.js';
import { readJsonLines } from '../export/json-lines.js';
import { isSafePath } from '../export/safe-paths.js';
import type { Content, Found } from './found-document.js';

/** Documents of a folder that `citewell export` has written. Members of sites and archives come with their group. */
export async function* fromCitewellExport(folder: string): AsyncGenerator<Found> {
  const libraries = await readJsonLines<Library>(join(folder, LIBRARIES_FILE));
  if (libraries.length === 0)
    throw new UsageError(`${folder} has no ${LIBRARIES_FILE}. Name the folder of "citewell export".`);
  const taken = new Set<string>();
  for (const library of libraries) {
    if (!isSafePath(library.folder))
      throw new UsageError(`${LIBRARIES_FILE} names a folder that is somewhere else.`);
    const root = join(folder, library.folder);
    for (const document of await readJsonLines<ExportedDocument>(join(root, DOCUMENTS_FILE))) {
      if (document.groupId !== null) continue;
      // Custom ids need not be unique, nor names of libraries. The second document must not replace the first one.
      const key = JSON.stringify([library.name, document.customId]);
      yield toFound(library.name, root, taken.has(key) ? { ...document, customId: null } : document);
      taken.add(key);
    }
  }
}

function toFound(library: string, root: string, document: ExportedDocument): Found {
  const { id, name, type, config, customId, metadata, original } = document;
  if (type === 'source')
    return { library, name, reason: 'It is a source. Connect it again: its secrets are not exported.' };
  const path = original === null || !isSafePath(original) ? null : join(root, original);
  const contents: Content[] =
    type === 'web_page' || type === 'web_site'
      ? [{ kind: 'web', type, config }]
      : path === null
        ? []
        : type === 'text'
          ? [{ kind: 'text', isOriginal: true, read: () => readFile(path, 'utf8') }]
          : [{ kind: 'file', path, ...encodingOf(config) }];
  return { library, name, customId: customId ?? `citewell:${id}`, metadata: metadata ?? {}, contents };
}

function encodingOf({ encoding }: Record<string, unknown>): { encoding?: string } {
  return typeof encoding === 'string' ? { encoding } : {};
}
