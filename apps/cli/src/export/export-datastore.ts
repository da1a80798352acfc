import { createWriteStream } from 'node:fs';
import { mkdir, rename, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Citewell, CitewellError, type Datasource, type Datastore } from '@citewell/sdk';
import { describeError } from '../describe-error.js';
import { inParallel } from '../in-parallel.js';
import { isAboutService, patiently } from '../patiently.js';
import { inOneLine, showProgress } from '../terminal/output.js';
import { readJsonLines, writeAtOnce, writeJsonLines, appendJsonLine } from './json-lines.js';
import { isSafePath, safeName, SafePaths } from './safe-paths.js';

const PARALLEL_DOCUMENTS = 4;
const ARCHIVE_TYPE = 'application/zip';
export const DOCUMENTS_FILE = 'documents.jsonl';

/** A line of `documents.jsonl`. */
export interface ExportedDocument extends Pick<
  Datasource,
  'id' | 'type' | 'name' | 'title' | 'customId' | 'groupId' | 'mimeType' | 'sha256' | 'status' | 'revision'
> {
  readonly metadata: Record<string, unknown> | null;
  readonly config: Record<string, unknown>;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly lastSynch: string | null;
  readonly error: { code: string; message: string } | null;
  /** Path of the original below the folder of the datastore; null if there is none. */
  readonly original: string | null;
  /** Path of the text; null if there is none. */
  readonly text: string | null;
  /** Why something is missing. */
  readonly missing?: string;
}

export interface ExportTally {
  exported: number;
  /** Files that an earlier export has brought. */
  unchanged: number;
  /** With a reason in their lines. */
  incomplete: number;
}

/**
 * Writes the documents of a datastore to a folder. What an earlier export has written is not fetched again, unless it has changed.
 *
 * @param tell called with the name and the reason of each document that is incomplete
 */
export async function exportDatastore(
  client: Citewell,
  datastore: Datastore,
  folder: string,
  tell: (name: string, reason: string) => void,
): Promise<ExportTally> {
  await mkdir(folder, { recursive: true });
  const linesFile = join(folder, DOCUMENTS_FILE);
  const before = new Map<string, ExportedDocument>();
  const paths = new SafePaths();
  for (const line of await readJsonLines<ExportedDocument>(linesFile))
    if ([line.original, line.text].every((path) => path === null || isSafePath(path)))
      before.set(line.id, line);
  for (const { original, text } of before.values())
    for (const path of [original, text]) if (path !== null) paths.take(path);
  // Without the incomplete line of an export that was killed: the next line would continue it.
  await writeJsonLines(linesFile, [...before.values()]);
  await writeAtOnce(join(folder, 'library.json'), `${JSON.stringify(datastore, null, 2)}\n`);

  const tally: ExportTally = { exported: 0, unchanged: 0, incomplete: 0 };
  const datasources = await listAll(client, datastore.id);
  const lines = new Map<string, ExportedDocument>();
  let done = 0;
  await inParallel(datasources, PARALLEL_DOCUMENTS, async (listed) => {
    const { datasource, group } = listed;
    const old = before.get(datasource.id);
    const isKept = old !== undefined && (await isComplete(folder, old, datasource));
    const line = isKept
      ? { ...describe(datasource), original: old.original, text: old.text }
      : await fetchDocument({ client, folder, paths }, datasource, group, old);
    lines.set(datasource.id, line);
    if (!isKept) await appendJsonLine(linesFile, line);
    if (line.missing !== undefined) {
      tell(datasource.name, line.missing);
      tally.incomplete += 1;
    } else tally[isKept ? 'unchanged' : 'exported'] += 1;
    showProgress(`${inOneLine(datastore.name, 40)}: ${(done += 1)} of ${datasources.length} documents`);
  });
  await writeJsonLines(
    linesFile,
    datasources.flatMap(({ datasource }) => lines.get(datasource.id) ?? []),
  );
  return tally;
}

interface Listed {
  readonly datasource: Datasource;
  readonly group: Datasource | null;
}

/** All datasources of a datastore, oldest first. The members of a group follow it. */
async function listAll({ datasources }: Citewell, datastoreId: string): Promise<Listed[]> {
  const top: Datasource[] = [];
  for await (const one of datasources.list({ datastoreId, limit: 100 })) top.push(one);
  const all: Listed[] = [];
  for (const group of top.toReversed()) {
    all.push({ datasource: group, group: null });
    if (!isGroup(group)) continue;
    const members: Listed[] = [];
    for await (const datasource of datasources.list({ datastoreId, groupId: group.id, limit: 100 }))
      members.push({ datasource, group });
    all.push(...members.toReversed());
  }
  return all;
}

function isGroup({ type, mimeType }: Datasource): boolean {
  return type === 'web_site' || type === 'source' || mimeType === ARCHIVE_TYPE;
}

interface Target {
  readonly client: Citewell;
  readonly folder: string;
  readonly paths: SafePaths;
}

async function fetchDocument(
  { client, folder, paths }: Target,
  datasource: Datasource,
  group: Datasource | null,
  old: ExportedDocument | undefined,
): Promise<ExportedDocument> {
  const line = describe(datasource);
  const name = group === null ? datasource.name : `${group.name.replaceAll('/', '_')}/${datasource.name}`;
  const reasons: string[] = [];
  /** Null if the service has nothing, or the reason is among the reasons. */
  const attempt = async (what: string, path: string | null, write: (path: string) => Promise<void>) => {
    const target = path ?? paths.give(`${what}/${name}${what === 'texts' ? '.txt' : ''}`);
    try {
      await mkdir(join(folder, dirname(target)), { recursive: true });
      await write(join(folder, target));
      return target;
    } catch (error) {
      if (isAboutService(error)) throw error;
      if (!(error instanceof CitewellError) || error.status !== 404)
        reasons.push(`${what}: ${inOneLine(describeError(error).message)}`);
      return null;
    }
  };
  const { id } = datasource;
  // The bytes of a file of an archive are in the archive, and a text is its own original.
  const hasOriginal =
    datasource.type !== 'web_site' && datasource.type !== 'source' && group?.mimeType !== ARCHIVE_TYPE;
  const original = hasOriginal
    ? await attempt('originals', old?.original ?? null, async (path) => {
        const { stream } = await patiently(() => client.datasources.file(id));
        // Not beside it: the name of another document may end with `.part`.
        const part = join(folder, `${safeName(id)}.part`);
        await pipeline(Readable.from(stream), createWriteStream(part));
        await rename(part, path);
      })
    : null;
  const text =
    datasource.revision > 0 && !isGroup(datasource)
      ? await attempt('texts', old?.text ?? null, async (path) => {
          await writeAtOnce(path, (await patiently(() => client.datasources.text(id))).text);
        })
      : null;
  return { ...line, original, text, ...(reasons.length > 0 && { missing: reasons.join(' ') }) };
}

/** Whether an earlier export has written all files of a document as it is now. */
async function isComplete(folder: string, old: ExportedDocument, now: Datasource): Promise<boolean> {
  if (old.missing !== undefined || old.revision !== now.revision || old.sha256 !== now.sha256) return false;
  if (old.updatedAt !== now.timestamps.updatedAt) return false;
  for (const path of [old.original, old.text])
    if (path !== null && (await stat(join(folder, path)).catch(() => null)) === null) return false;
  return true;
}

function describe(datasource: Datasource): Omit<ExportedDocument, 'original' | 'text'> {
  const { id, type, name, title, customId, groupId, mimeType, sha256, status, revision } = datasource;
  const { config, error, metadata = null, timestamps } = datasource;
  return {
    id,
    type,
    name,
    title,
    customId,
    groupId,
    mimeType,
    sha256,
    status,
    revision,
    metadata,
    config,
    ...timestamps,
    error: error && { code: error.code, message: error.message },
  };
}
