import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, openSync, statSync, writeSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  lexicalQuery,
  makePoint,
  makeSpace,
  makeTenant,
  scopeOf,
} from '../conformance/conformance.fixtures.js';
import { SpaceNotFoundError, VectorStoreUnavailableError } from '../vector-store.errors.js';
import { DAMAGED_FILE, STORAGE_FILE } from './storage.schema.js';
import { EmbeddedVectorStore } from './embedded-vector-store.adapter.js';

const POINTS = 400;
const space = makeSpace();
const tenant = makeTenant();

describe('a damaged file of the embedded vector store', () => {
  let root: string;
  let directory: string;
  let count = 0;
  const file = (suffix = ''): string => join(directory, STORAGE_FILE + suffix);

  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'vector-damage-'));
  });
  afterAll(() => rm(root, { recursive: true }));

  async function fill(store: EmbeddedVectorStore): Promise<void> {
    await store.ensureSpace(space);
    const points = Array.from({ length: POINTS }, (_, i) =>
      makePoint(tenant, `buoy ${i} ${'sea '.repeat(80)}`),
    );
    await store.upsert(space, points);
  }
  async function openFilled(): Promise<EmbeddedVectorStore> {
    directory = join(root, String((count += 1)));
    const store = new EmbeddedVectorStore({ directory, setsDamagedFileAside: true });
    await fill(store);
    return store;
  }
  const search = (store: EmbeddedVectorStore, term = 'sea') =>
    store.search(space, scopeOf(tenant), lexicalQuery(term, { limit: POINTS }));
  /** Overwrites bytes of the file without changing its length. */
  const overwrite = (path: string, at: number, bytes: Buffer): void => {
    const handle = openSync(path, 'r+');
    writeSync(handle, bytes, 0, bytes.length, at);
    closeSync(handle);
  };
  const size = (): number => statSync(file()).size;

  const damages: Record<string, () => unknown> = {
    'random bytes over its header': () => overwrite(file(), 0, randomBytes(4096)),
    'random bytes in its middle': () => overwrite(file(), Math.floor(size() / 2), randomBytes(20_000)),
    'random bytes at its end': () => overwrite(file(), size() - 9_000, randomBytes(9_000)),
    'random bytes everywhere': () => overwrite(file(), 0, randomBytes(size())),
    'zeros in its middle': () => overwrite(file(), Math.floor(size() / 2), Buffer.alloc(20_000)),
    'half of its length': () => truncate(file(), Math.floor(size() / 2)),
    'text instead of a database': () => writeFile(file(), 'not a database '.repeat(100)),
    'a directory in its place': async () => {
      await rm(file());
      await mkdir(file());
    },
  };

  it.each(Object.entries(damages))('with %s is set aside at the check, and replaced', async (_, damage) => {
    await (await openFilled()).close();
    await damage();
    const tool = new EmbeddedVectorStore({ directory });
    for (let call = 0; call < 2; call += 1)
      await expect(tool.check()).rejects.toMatchObject({ reason: 'is damaged' });
    await tool.close();
    expect(existsSync(join(directory, DAMAGED_FILE))).toBe(false);

    const store = new EmbeddedVectorStore({ directory, setsDamagedFileAside: true });
    const { losses } = store;
    await expect(store.check()).rejects.toThrow(VectorStoreUnavailableError);
    await eventually(() => store.check());
    expect(store.losses).toBe(losses + 1);
    expect(store.lastDamage?.file).toBe(join(directory, DAMAGED_FILE));
    expect(existsSync(join(directory, DAMAGED_FILE))).toBe(true);
    await expect(search(store)).rejects.toThrow(SpaceNotFoundError);
    await fill(store);
    expect(await search(store)).toHaveLength(POINTS);
    await store.close();
  });

  it.each(Object.entries(damages).filter(([name]) => name !== 'a directory in its place'))(
    'that gets %s while it is used never yields an altered point',
    async (_, damage) => {
      const store = await openFilled();
      const texts = new Set((await search(store)).map(({ text }) => text));
      // Otherwise the damage is overlaid by the log.
      checkpoint(file());
      await damage();
      for (let attempt = 0; attempt < 3; attempt += 1) {
        const hits = await search(store).catch((error: unknown) => {
          expect([VectorStoreUnavailableError, SpaceNotFoundError]).toContain((error as Error).constructor);
          return [];
        });
        for (const { text } of hits) expect(texts).toContain(text);
      }
      await eventually(async () => {
        await store.check();
        await fill(store);
        expect((await search(store)).length).toBeGreaterThanOrEqual(POINTS);
      });
      await store.close();
    },
  );

  it.each(['text', 'lexical', 'heading_path'])(
    'notices an altered %s, which SQLite does not',
    async (column) => {
      await (await openFilled()).close();
      const database = new DatabaseSync(file());
      const table = column === 'lexical' ? 'vectors' : 'points';
      const value = { text: `'altered'`, lexical: `zeroblob(16)`, heading_path: `'['` }[column];
      database.exec(`UPDATE ${table} SET ${column} = ${value}`);
      database.close();
      const store = new EmbeddedVectorStore({ directory, setsDamagedFileAside: true });
      await store.check();
      await expect(search(store)).rejects.toMatchObject({ reason: 'is damaged' });
      await eventually(() => store.ping());
      expect(store.losses).toBe(2);
      await store.close();
    },
  );

  it.each(['deleted', 'replaced'])('that is %s while it is used is noticed by a ping', async (how) => {
    const store = await openFilled();
    await rm(file());
    if (how === 'replaced') new DatabaseSync(file()).close();
    if (how === 'replaced') await writeFile(file(), '');
    await expect(store.ping()).rejects.toMatchObject({ reason: 'is damaged' });
    await eventually(() => store.ping());
    await fill(store);
    expect(await search(store)).toHaveLength(POINTS);
    await store.close();
    const reopened = new EmbeddedVectorStore({ directory });
    expect(await search(reopened)).toHaveLength(POINTS);
    await reopened.close();
  });

  it.each(['-wal', '-shm'])('opens with random bytes in %s', async (suffix) => {
    const store = await openFilled();
    const copy = join(root, `copy-${(count += 1)}`);
    await mkdir(copy);
    for (const part of ['', '-wal', '-shm']) await copyFile(file(part), join(copy, STORAGE_FILE + part));
    await store.close();
    directory = copy;
    overwrite(file(suffix), 0, randomBytes(statSync(file(suffix)).size));
    const reopened = new EmbeddedVectorStore({ directory, setsDamagedFileAside: true });
    await reopened.check().catch(() => undefined);
    await eventually(() => reopened.check());
    await fill(reopened);
    expect((await search(reopened)).length).toBeGreaterThanOrEqual(POINTS);
    await reopened.close();
  });

  it('adds checksums and confidences to a file of version 2', async () => {
    await (await openFilled()).close();
    const database = new DatabaseSync(file());
    for (const table of ['points', 'vectors']) database.exec(`ALTER TABLE ${table} DROP COLUMN checksum`);
    database.exec('ALTER TABLE points DROP COLUMN confidence');
    database.exec('PRAGMA user_version = 2');
    database.close();
    const store = new EmbeddedVectorStore({ directory, setsDamagedFileAside: true });
    expect(await search(store)).toHaveLength(POINTS);
    await fill(store);
    expect(await search(store)).toHaveLength(POINTS);
    expect(store.losses).toBe(1);
    await store.close();
  });
});

/** The call that finds the damage is rejected, and so are those that follow until the file is replaced. */
async function eventually(call: () => Promise<unknown>): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      await call();
      return;
    } catch (error) {
      if (attempt === 50) throw error;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}

function checkpoint(path: string): void {
  const database = new DatabaseSync(path);
  database.exec('PRAGMA wal_checkpoint(PASSIVE)');
  database.close();
}
