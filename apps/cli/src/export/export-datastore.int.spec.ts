import { appendFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Citewell, type Datastore } from '@citewell/sdk';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { exportDatastore } from './export-datastore.js';

const DATASTORE = { id: 's', name: 'Ships' } as Datastore;

describe('exportDatastore', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'citewell-export-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  /** A service with files of these names, whose bytes are their names. Some cannot be read with the key. */
  function serviceOf(names: readonly string[], refused: readonly string[] = []): Citewell {
    const list = names.map((name) => ({
      id: `id-${name}`,
      type: 'file',
      name,
      groupId: null,
      mimeType: 'text/plain',
      sha256: name,
      revision: 0,
      config: {},
      error: null,
      timestamps: { createdAt: '', updatedAt: '', lastSynch: null },
    }));
    return new Citewell({
      baseUrl: 'http://service.example',
      apiKey: 'cw_test',
      maxRetries: 0,
      fetch: async (url) => {
        const name = /id-(.*)\/file$/.exec(decodeURIComponent(url))?.[1];
        if (name === undefined) return Response.json(list);
        return new Response(name, { status: refused.includes(name) ? 401 : 200 });
      },
    });
  }
  const run = (client: Citewell) => exportDatastore(client, DATASTORE, folder, () => undefined);
  const lines = async () =>
    (await readFile(join(folder, 'documents.jsonl'), 'utf8'))
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as { name: string; original: string });

  it('keeps apart the file of a document and what is written until another one is complete', async () => {
    const names = ['a.pdf.part', 'a.pdf', 'b.pdf', 'b.pdf.part'];
    await run(serviceOf(names));
    const found = await Promise.all(
      (await lines()).map(async ({ name, original }) => [
        name,
        await readFile(join(folder, original), 'utf8'),
      ]),
    );
    expect(Object.fromEntries(found)).toEqual(Object.fromEntries(names.map((name) => [name, name])));
  });

  it('goes on after it was ended twice, the first time in a line', async () => {
    await run(serviceOf(['a.md']));
    await appendFile(join(folder, 'documents.jsonl'), '{"id":"id-b');
    await expect(run(serviceOf(['a.md', 'b.md', 'c.md'], ['c.md']))).rejects.toThrow();
    expect(await run(serviceOf(['a.md', 'b.md']))).toEqual({ exported: 0, unchanged: 2, incomplete: 0 });
    expect((await lines()).map(({ name }) => name).toSorted()).toEqual(['a.md', 'b.md']);
  });
});
