import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { UsageError } from '../describe-error.js';
import {
  cleanMetadata,
  cleanName,
  type Content,
  type Found,
  toInstant,
  toList,
  toObject,
  toText,
} from './found-document.js';
import { type OtherService, OtherServiceError } from './other-service.js';
import { openTables, type Row, rowsOf } from './read-tables.js';

const NO_KNOWLEDGE = 'It belongs to no knowledge base, such as a file of a chat.';

/** Files of the knowledge bases in a data directory of Open WebUI: `webui.db` and `uploads`. */
export async function* fromOpenWebuiFolder(folder: string): AsyncGenerator<Found> {
  const path = join(folder, 'webui.db');
  if (!(await exists(path)))
    throw new UsageError(`${folder} has no webui.db. If Open WebUI uses Postgres, import from its address.`);
  using tables = await openTables(path, ['file', 'knowledge', 'knowledge_file']);
  const libraries = new Map<unknown, string>();
  /** By the id of a file, the names of the libraries that have it. */
  const places = new Map<unknown, Set<string>>();
  const place = (id: unknown, knowledge: unknown): void => {
    const library = libraries.get(knowledge);
    if (library !== undefined) places.set(id, (places.get(id) ?? new Set()).add(library));
  };
  for (const { id, name, data } of rowsOf(tables, 'knowledge')) {
    libraries.set(id, cleanName(name));
    // Before it had a table, a knowledge base had a list.
    for (const file of toList(toObject(data)['file_ids'])) place(file, id);
  }
  for (const link of rowsOf(tables, 'knowledge_file')) place(link['file_id'], link['knowledge_id']);
  for (const file of rowsOf(tables, 'file')) {
    const { id } = file;
    if (!places.has(id)) yield { library: '', name: nameOf(file), reason: NO_KNOWLEDGE };
    for (const library of places.get(id) ?? [])
      yield { ...describe(library, file), contents: await contentsIn(folder, file) };
    places.delete(id);
  }
  for (const [id, names] of places)
    for (const library of names)
      yield { library, name: String(id), reason: 'The database has no file with this id.' };
}

/** Files of the knowledge bases that a key of Open WebUI may read. */
export async function* fromOpenWebui(service: OtherService): AsyncGenerator<Found> {
  for await (const knowledge of pages(service, '/api/v1/knowledge/')) {
    const library = cleanName(knowledge['name']);
    const id = encodeURIComponent(String(knowledge['id']));
    for await (const file of filesOf(service, id)) {
      const path = `/api/v1/files/${encodeURIComponent(String(file['id']))}`;
      const contents: Content[] = [
        { kind: 'download', saveAs: (target) => service.save(`${path}/content`, target) },
        {
          kind: 'text',
          read: async () => toText(toObject(await service.json(`${path}/data/content`))['content']),
        },
      ];
      yield { ...describe(library, file), contents };
    }
  }
}

/** Older versions have the files in the knowledge base, newer ones have pages of 30. */
async function* filesOf(service: OtherService, id: string): AsyncGenerator<Row> {
  try {
    yield* pages(service, `/api/v1/knowledge/${id}/files`);
  } catch (error) {
    if (!(error instanceof OtherServiceError) || (error.status !== 404 && error.status !== 405)) throw error;
    for (const file of toList(toObject(await service.json(`/api/v1/knowledge/${id}`))['files']))
      yield toObject(file);
  }
}

/** Items of all pages. A version without pages repeats its list, which ends it. */
async function* pages(service: OtherService, path: string): AsyncGenerator<Row> {
  const seen = new Set<unknown>();
  for (let page = 1; ; page += 1) {
    const answer = await service.json(`${path}?page=${page}`);
    const items = (Array.isArray(answer) ? answer : toList(toObject(answer)['items'])).map(toObject);
    const unseen = items.filter(({ id }) => !seen.has(id));
    if (unseen.length === 0) return;
    for (const item of unseen) {
      seen.add(item['id']);
      yield item;
    }
  }
}

function describe(library: string, file: Row) {
  const { content_type: mimeType, collection_name: _, ...meta } = toObject(file['meta']);
  return {
    library,
    name: nameOf(file),
    customId: `open-webui:${String(file['id'])}`,
    metadata: cleanMetadata({
      importedFrom: 'open-webui',
      createdAt: toInstant(file['created_at']),
      updatedAt: toInstant(file['updated_at']),
      mimeType,
      source: meta['source'],
    }),
  };
}

function nameOf(file: Row): string {
  return cleanName(toObject(file['meta'])['name'] ?? file['filename']);
}

/** The path in the database is that of the container, or an address of a bucket: only its last part counts. */
async function contentsIn(folder: string, file: Row): Promise<Content[]> {
  const name = toText(file['path']).split(/[\\/]/).at(-1) ?? '';
  const original = join(folder, 'uploads', name);
  const hasOriginal = !['', '.', '..'].includes(name) && (await exists(original));
  const text = toObject(file['data'])['content'];
  return [
    ...(hasOriginal ? [{ kind: 'file', path: original } as const] : []),
    ...(typeof text === 'string' ? [{ kind: 'text', read: async () => text } as const] : []),
  ];
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
