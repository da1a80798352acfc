import { access, readFile } from 'node:fs/promises';
import { isAbsolute, join, relative } from 'node:path';
import { UsageError } from '../describe-error.js';
import { cleanMetadata, cleanName, type Found, toInstant, toObject, toText } from './found-document.js';
import { openTables, type Row, rowsOf } from './read-tables.js';

/** Documents of the workspaces in a storage directory of AnythingLLM. It keeps texts, and mostly no originals. */
export async function* fromAnythingllmFolder(folder: string): AsyncGenerator<Found> {
  const path = join(folder, 'anythingllm.db');
  await access(path).catch(() => {
    throw new UsageError(`${folder} has no anythingllm.db. Name the storage directory of AnythingLLM.`);
  });
  using tables = await openTables(path, ['workspaces', 'workspace_documents']);
  const workspaces = new Map<unknown, string>();
  for (const { id, name } of rowsOf(tables, 'workspaces')) workspaces.set(id, cleanName(name));
  for (const row of rowsOf(tables, 'workspace_documents')) {
    const library = workspaces.get(row['workspaceId']);
    const name = cleanName(toObject(row['metadata'])['title'] ?? row['filename']);
    if (library === undefined) yield { library: '', name, reason: 'Its workspace does not exist any more.' };
    else yield await documentOf(folder, library, name, row);
  }
}

async function documentOf(folder: string, library: string, name: string, row: Row): Promise<Found> {
  const root = join(folder, 'documents');
  const path = join(root, toText(row['docpath']).replaceAll('\\', '/'));
  const inside = relative(root, path);
  if (inside === '' || inside.startsWith('..') || isAbsolute(inside))
    return { library, name, reason: 'Its path leads out of the storage directory.' };
  const json = await readFile(path, 'utf8').catch(() => null);
  if (json === null) return { library, name, reason: `Its file ${inside} is missing.` };
  const document = toObject(json);
  const { pageContent, chunkSource = '', published, docAuthor, description, url } = document;
  if (typeof pageContent !== 'string') return { library, name, reason: `Its file ${inside} has no text.` };
  const link = /^link:\/\/(https?:.*)/.exec(String(chunkSource))?.[1];
  return {
    library,
    name: cleanName(document['title'] ?? name),
    customId: `anythingllm:${toText(row['docId']) || inside}`.slice(0, 255),
    metadata: cleanMetadata({
      importedFrom: 'anythingllm',
      createdAt: toInstant(row['createdAt']),
      published,
      author: isKnown(docAuthor) ? docAuthor : undefined,
      description: isKnown(description) ? description : undefined,
      url: link ?? (String(url).startsWith('http') ? url : undefined),
    }),
    contents: [{ kind: 'text', read: async () => pageContent }],
  };
}

/** Not what AnythingLLM writes where it knows nothing. */
function isKnown(text: unknown): boolean {
  return typeof text === 'string' && !/^(?:unknown|no description found\.?)$/i.test(text.trim());
}
