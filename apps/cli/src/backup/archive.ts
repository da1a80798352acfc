import { createReadStream, createWriteStream } from 'node:fs';
import { access, mkdtemp, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import tar from 'tar-stream';

/** A file to be added to an archive. */
export interface ArchivedFile {
  /** Name in the archive. */
  readonly name: string;
  readonly path: string;
}

/** A file of an archive. Its content must be read before the next file. */
export interface ArchiveEntry {
  readonly name: string;
  readonly content: AsyncIterable<Uint8Array>;
}

/** Documents are often compressed already, so a higher level costs time and saves little. */
const GZIP_LEVEL = 1;

/**
 * Writes a compressed tar that only this user can read. The file appears under its name when it is complete.
 *
 * @param list yields the files. Files that are gone are left out. The scratch directory is deleted afterwards
 * @throws Error if `file` exists
 */
export async function writeArchive(
  file: string,
  list: (scratchDirectory: string) => AsyncIterable<ArchivedFile>,
): Promise<void> {
  await refuseExisting(file);
  await access(dirname(file));
  // Beside the file, so that it can be renamed. Only this user can enter it.
  const scratch = await mkdtemp(`${file}.incomplete-`);
  try {
    const archive = join(scratch, 'archive');
    const pack = tar.pack();
    const output = createWriteStream(archive, { mode: 0o600, flush: true });
    await Promise.all([
      pipeline(pack, createGzip({ level: GZIP_LEVEL }), output),
      addAll(pack, list(scratch)),
    ]);
    await refuseExisting(file);
    await rename(archive, file);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

async function addAll(pack: tar.Pack, files: AsyncIterable<ArchivedFile>): Promise<void> {
  try {
    for await (const { name, path } of files) await add(pack, name, path);
    pack.finalize();
  } catch (error) {
    pack.destroy(error instanceof Error ? error : new Error(String(error)));
    throw error;
  }
}

async function add(pack: tar.Pack, name: string, path: string): Promise<void> {
  const handle = await open(path, 'r').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  });
  if (handle === null) return;
  try {
    // A blob that is replaced meanwhile is another file: this one keeps its size.
    const { size } = await handle.stat();
    const content =
      size === 0 ? Readable.from([]) : handle.createReadStream({ end: size - 1, autoClose: false });
    await pipeline(content, pack.entry({ name, size, mode: 0o600 }));
  } finally {
    await handle.close();
  }
}

/** Reads the files of an archive in order. @throws Error if it is damaged or incomplete */
export async function* readArchive(file: string): AsyncGenerator<ArchiveEntry> {
  const extract = tar.extract();
  let failure: unknown;
  const reading = pipeline(createReadStream(file), createGunzip(), extract).catch((error: unknown) => {
    failure = error;
  });
  async function* explained<Value>(values: AsyncIterable<Value>): AsyncGenerator<Value> {
    try {
      yield* values;
    } catch (error) {
      throw explain(file, failure ?? error);
    }
  }
  try {
    for await (const entry of explained(extract))
      // The chunks are bytes; the types say `unknown`.
      yield { name: entry.header.name, content: explained(entry as AsyncIterable<Uint8Array>) };
    await reading;
    if (failure !== undefined) throw explain(file, failure);
  } finally {
    extract.destroy();
    await reading;
  }
}

/** Errors of zlib do not say what is wrong. */
function explain(file: string, error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return code.startsWith('Z_') ? new Error(`${file} is damaged or incomplete.`, { cause: error }) : error;
}

/** The lines of a text, which end with `\n` only. */
export async function* linesOf(content: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of content) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') yield rest;
}

async function refuseExisting(file: string): Promise<void> {
  const exists = await access(file).then(
    () => true,
    () => false,
  );
  if (exists) throw new Error(`${file} exists. Choose another name.`);
}
