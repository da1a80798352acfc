import { openAsBlob } from 'node:fs';
import { join } from 'node:path';
import { type Citewell, CitewellError, type CreateDatasource } from '@citewell/sdk';
import { sendOnce } from '../add/source.js';
import { describeError } from '../describe-error.js';
import { inParallel } from '../in-parallel.js';
import { chooseDatastore } from '../named-collection.js';
import { isAboutService, patiently } from '../patiently.js';
import { inOneLine } from '../terminal/output.js';
import type { Content, Found, FoundDocument } from './found-document.js';
import { OtherServiceError } from './other-service.js';
import { inTemporaryFolder } from './temporary-folder.js';

const PARALLEL_DOCUMENTS = 4;
/** Statuses of the service for a file that is invalid, too large, or of a type that cannot be read. */
const REFUSALS: readonly number[] = [400, 413, 415, 422];

/** What became of a document. `only text`: its original did not come. */
export interface ImportOutcome {
  readonly outcome: 'added' | 'only text' | 'there already' | 'left out' | 'failed';
  readonly library: string;
  readonly name: string;
  readonly id?: string;
  readonly reason?: string;
}

interface Library {
  readonly datastoreId: string;
  readonly customIds: ReadonlySet<string>;
}

/** Brings documents of another product. Those that an earlier import has brought are not read again. */
export async function importAll(
  client: Citewell,
  found: AsyncIterable<Found>,
  tell: (outcome: ImportOutcome) => void,
): Promise<void> {
  const libraries = new Map<string, Promise<Library>>();
  const libraryOf = (name: string): Promise<Library> => {
    const library = libraries.get(name) ?? openLibrary(client, name);
    libraries.set(name, library);
    return library;
  };
  await inParallel(found, PARALLEL_DOCUMENTS, async (one) => {
    const { library, name } = one;
    if ('reason' in one) return tell({ outcome: 'left out', ...one });
    try {
      const { datastoreId, customIds } = await libraryOf(library);
      if (customIds.has(one.customId)) return tell({ outcome: 'there already', library, name });
      tell(await bring(client, datastoreId, one));
    } catch (error) {
      if (isAboutService(error)) throw error;
      tell({ outcome: 'failed', library, name, reason: inOneLine(describeError(error).message) });
    }
  });
}

async function openLibrary(client: Citewell, name: string): Promise<Library> {
  const { id: datastoreId } = await chooseDatastore(client, name, true);
  const customIds = new Set<string>();
  for await (const { id, customId = null } of client.datasources.list({ datastoreId, limit: 100 })) {
    if (customId !== null) customIds.add(customId);
    // For a document whose export comes back: it had no custom id, or that of another document.
    customIds.add(`citewell:${id}`);
  }
  return { datastoreId, customIds };
}

/** Sends the first of the contents that can be read and is accepted. @throws the error of the first one if none is */
async function bring(client: Citewell, datastoreId: string, document: FoundDocument): Promise<ImportOutcome> {
  const { library, name, contents } = document;
  const failures: unknown[] = [];
  for (const content of contents) {
    try {
      const { id } = await send(client, datastoreId, document, content);
      const first = failures[0];
      const reason = first === undefined ? undefined : inOneLine(describeError(first).message);
      const outcome = content.kind === 'text' && content.isOriginal !== true ? 'only text' : 'added';
      return { outcome, library, name, id, ...(reason !== undefined && { reason }) };
    } catch (error) {
      if (!isAboutContent(error)) throw error;
      failures.push(error);
    }
  }
  throw failures[0] ?? new Error('It has neither an original nor a text.');
}

async function send(
  client: Citewell,
  datastoreId: string,
  { name, customId, metadata }: FoundDocument,
  content: Content,
): Promise<{ id: string }> {
  const options = sendOnce();
  const upload = (file: Blob, encoding?: string) => {
    const form = { datastoreId, file, fileName: name, customId, metadata, encoding, upsert: true };
    return patiently(() => client.datasources.upload(form, options));
  };
  if (content.kind === 'file') return upload(await openAsBlob(content.path), content.encoding);
  if (content.kind === 'download')
    return inTemporaryFolder(async (folder) => {
      const path = join(folder, 'original');
      return upload(await openAsBlob(path, { type: await content.saveAs(path) }));
    });
  const own =
    content.kind === 'web'
      ? { type: content.type, config: content.config }
      : { type: 'text', text: await content.read() };
  // The API checks what another server has given.
  const item = { ...own, datastoreId, name, custom_id: customId, metadata, upsert: true } as CreateDatasource;
  return patiently(() => client.datasources.create(item, options));
}

/** Whether another content of the document may do. After all other failures, a later import brings the better one. */
function isAboutContent(error: unknown): boolean {
  if (error instanceof OtherServiceError)
    return error.status >= 400 && error.status < 500 && error.status !== 429;
  // Of this machine, such as a full disk.
  if (error instanceof Error && 'syscall' in error) return false;
  return !(error instanceof CitewellError) || REFUSALS.includes(error.status);
}
