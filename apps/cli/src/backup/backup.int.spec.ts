import { appendFile, mkdtemp, readdir, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { BackupRow } from '@citewell/database';
import { EmbeddedVectorStore, restoreEmbeddedVectors } from '@citewell/vector-store';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { describeError } from '../describe-error.js';
import { type ArchivedFile, linesOf, readArchive, writeArchive } from './archive.js';
import { backupContents, readRows } from './backup-contents.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'backup-'));
});
afterEach(() => rm(folder, { recursive: true }));
const path = (name: string): string => join(folder, name);

async function contentsOf(file: string): Promise<Record<string, Buffer>> {
  const contents: Record<string, Buffer> = {};
  for await (const { name, content } of readArchive(file)) contents[name] = await buffer(content);
  return contents;
}

describe('an archive', () => {
  it('has files with long names, empty files, and files that grow; not those that are gone', async () => {
    const longName = `blobs/${Array.from({ length: 4 }, () => 'x'.repeat(200)).join('/')}`;
    async function* files(scratch: string): AsyncGenerator<ArchivedFile> {
      await writeFile(join(scratch, 'empty'), '');
      yield { name: 'empty', path: join(scratch, 'empty') };
      yield { name: 'gone', path: join(scratch, 'gone') };
      await writeFile(join(scratch, 'grows'), 'a'.repeat(1_000_000));
      const growing = setInterval(() => void appendFile(join(scratch, 'grows'), 'b'), 0);
      yield { name: longName, path: join(scratch, 'grows') };
      clearInterval(growing);
    }
    await writeArchive(path('a.tar.gz'), files);
    const { empty, [longName]: long, ...others } = await contentsOf(path('a.tar.gz'));
    expect([empty?.length, long?.subarray(0, 3).toString(), others]).toEqual([0, 'aaa', {}]);
    expect(await readdir(folder)).toEqual(['a.tar.gz']);
  });

  it('is not written into a folder that does not exist, which the error names', async () => {
    async function* files(): AsyncGenerator<ArchivedFile> {}
    const error: unknown = await writeArchive(path('none/a.tar.gz'), files).catch(
      (thrown: unknown) => thrown,
    );
    expect(describeError(error).message).toBe(`There is no file or folder ${path('none')}.`);
  });

  it('is not overwritten, and is not read if it is damaged or missing', async () => {
    async function* files(scratch: string): AsyncGenerator<ArchivedFile> {
      await writeFile(join(scratch, 'one'), 'of many words');
      yield { name: 'one', path: join(scratch, 'one') };
    }
    await writeArchive(path('a.tar.gz'), files);
    await expect(writeArchive(path('a.tar.gz'), files)).rejects.toThrow(/exists\. Choose another name/);
    await truncate(path('a.tar.gz'), 40);
    await writeFile(path('text'), 'no backup');
    for (const name of ['a.tar.gz', 'text'])
      await expect(contentsOf(path(name))).rejects.toThrow(/is damaged or incomplete/);
    const error: unknown = await contentsOf(path('none')).catch((thrown: unknown) => thrown);
    expect(describeError(error).message).toMatch(/There is no file or folder/);
  });

  it('does not appear when a file cannot be added', async () => {
    async function* files(): AsyncGenerator<ArchivedFile> {
      yield { name: 'folder', path: folder };
    }
    await expect(writeArchive(path('a.tar.gz'), files)).rejects.toThrow(/EISDIR/);
    expect(await readdir(folder)).toEqual([]);
  });

  it('has lines that end with a line feed only, wherever its chunks end', async () => {
    const bytes = Buffer.from('ä\u2028\r1\n\n2 😀');
    async function* chunks(): AsyncGenerator<Uint8Array> {
      for (const byte of bytes) yield Uint8Array.of(byte);
    }
    expect(await Readable.from(linesOf(chunks())).toArray()).toEqual(['ä\u2028\r1', '', '2 😀']);
  });
});

describe('a backup', () => {
  it('contains every point and blob that was written before the last row was read', async () => {
    const vectorDirectory = path('vectors');
    const vectors = new EmbeddedVectorStore({ directory: vectorDirectory });
    async function* rows(): AsyncGenerator<BackupRow> {
      yield { table: 'runs', json: '{"id": 1}' };
      await vectors.ensureSpace({ name: 'late', dense: null });
      await writeFile(path('blob'), 'late');
      yield { table: 'runs', json: '{"id": 2}' };
    }
    async function* blobs() {
      for (const name of await readdir(folder))
        if (name === 'blob') yield { key: 'o/d/r/text', path: path(name) };
    }
    const sources = { database: { rows }, vectorDirectory, blobs: blobs(), secret: null };
    await writeArchive(path('b.tar.gz'), (scratch) => backupContents(sources, scratch));
    await vectors.close();

    const contents = await contentsOf(path('b.tar.gz'));
    // The rows are last: while they are inserted, everything else has been restored.
    expect(Object.keys(contents)).toEqual([
      'manifest.json',
      'vectors.sqlite',
      'blobs/o/d/r/text',
      'rows.tsv',
    ]);
    for await (const entry of readArchive(path('b.tar.gz'))) {
      if (entry.name === 'rows.tsv') expect(await Readable.from(readRows(entry)).toArray()).toHaveLength(2);
      else if (entry.name === 'vectors.sqlite') await restoreEmbeddedVectors(path('copy'), entry.content);
      else await buffer(entry.content);
    }
    const copy = new EmbeddedVectorStore({ directory: path('copy') });
    expect(await copy.listSpaces()).toEqual([{ name: 'late', dense: null }]);
    await copy.close();
  });

  it.each([
    ['leaves the secret out', false, ['manifest.json', 'vectors.sqlite', 'rows.tsv']],
    ['has the secret on request', true, ['manifest.json', 'vectors.sqlite', 'secret', 'rows.tsv']],
  ])('%s', async (_, isWithSecret, names) => {
    const vectorDirectory = path('vectors');
    await new EmbeddedVectorStore({ directory: vectorDirectory }).close();
    await writeFile(path('secret'), 'of the operator');
    async function* none(): AsyncGenerator<never> {}
    const sources = {
      database: { rows: none },
      vectorDirectory,
      blobs: none(),
      secret: isWithSecret ? path('secret') : null,
    };
    await writeArchive(path('b.tar.gz'), (scratch) => backupContents(sources, scratch));
    const contents = await contentsOf(path('b.tar.gz'));
    expect(Object.keys(contents)).toEqual(names);
    expect(contents['secret']?.toString()).toBe(isWithSecret ? 'of the operator' : undefined);
  });
});
