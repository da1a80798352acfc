import { cleanMetadata, cleanName, type Found, toInstant, toList, toObject } from './found-document.js';
import type { OtherService } from './other-service.js';
import type { Row } from './read-tables.js';

/** Documents of all knowledge bases that a key of the knowledge API of Dify may read: originals, or the text of the chunks. */
export async function* fromDify(service: OtherService): AsyncGenerator<Found> {
  for await (const dataset of pages(service, '/datasets')) {
    const library = cleanName(dataset['name']);
    const path = `/datasets/${encodeURIComponent(String(dataset['id']))}/documents`;
    for await (const document of pages(service, path)) {
      const id = String(document['id']);
      const own = `${path}/${encodeURIComponent(id)}`;
      yield {
        library,
        name: cleanName(document['name']),
        customId: `dify:${id}`,
        metadata: cleanMetadata({
          importedFrom: 'dify',
          createdAt: toInstant(document['created_at']),
          enabled: document['enabled'] === false ? false : undefined,
          archived: document['archived'] === true ? true : undefined,
          ...ownFields(document['doc_metadata']),
        }),
        contents: [
          { kind: 'download', saveAs: (target) => download(service, own, target) },
          { kind: 'text', read: () => chunksOf(service, own) },
        ],
      };
    }
  }
}

async function download(service: OtherService, path: string, target: string): Promise<string> {
  const { url } = toObject(await service.json(`${path}/download`));
  if (typeof url !== 'string') throw new Error('Dify offers no original.');
  return service.saveLinked(url, target);
}

/** Chunks in their order. Of questions with answers, both. */
async function chunksOf(service: OtherService, path: string): Promise<string> {
  const chunks: { position: number; text: string }[] = [];
  for await (const { position, content, answer } of pages(service, `${path}/segments`))
    chunks.push({ position: Number(position), text: [content, answer].filter(Boolean).join('\n') });
  return chunks
    .toSorted((a, b) => a.position - b.position)
    .map(({ text }) => text)
    .join('\n\n');
}

async function* pages(service: OtherService, path: string): AsyncGenerator<Row> {
  for (let page = 1; ; page += 1) {
    const { data, has_more: hasMore } = toObject(await service.json(`${path}?page=${page}&limit=100`));
    const items = toList(data).map(toObject);
    yield* items;
    if (hasMore !== true || items.length === 0) return;
  }
}

/** Fields that people have defined: a list of names with values, or an object. */
function ownFields(metadata: unknown): Record<string, unknown> {
  if (!Array.isArray(metadata)) return toObject(metadata);
  return Object.fromEntries(metadata.map(toObject).map(({ name, value }) => [String(name), value]));
}
