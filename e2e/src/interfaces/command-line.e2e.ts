import {
  appendFile,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import {
  apiKeyWithSecretSchema,
  type Datasource,
  datasourceSchema,
  datastoreSchema,
} from '@citewell/contracts/schemas';
import { RunningProcess } from '@citewell/testing/product';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Tenant } from '../client/tenant.js';
import { type CommandOutcome, runCitewell } from '../deployments/deployment.js';
import { OTHER_ZIP } from '../fixtures/files.js';
import { type EmbeddedDeployment, startEmbedded } from '../deployments/embedded.deployment.js';

const MAX_UPLOAD_BYTES = 1_000;

describe('citewell', () => {
  let deployment: EmbeddedDeployment;
  let tenant: Tenant;
  let root: string;
  beforeAll(async () => {
    deployment = await startEmbedded({
      EMBEDDING_MODEL: 'none',
      MAX_UPLOAD_BYTES: String(MAX_UPLOAD_BYTES),
      RATE_LIMIT_PER_MINUTE: '0',
    });
  });
  afterAll(() => deployment.stop());
  beforeEach(async () => {
    tenant = await Tenant.create(deployment);
    root = join(await mkdtemp(join(tmpdir(), 'citewell-e2e-')), 'Harbour');
    await mkdir(root);
  });
  afterEach(() => rm(dirname(root), { recursive: true }));

  const env = () => ({
    CITEWELL_URL: deployment.origin,
    CITEWELL_API_KEY: tenant.api.key ?? '',
    LANG: 'C',
  });
  const citewell = (...args: string[]): Promise<CommandOutcome> => runCitewell(env(), args);
  async function write(path: string, text: string): Promise<void> {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
  const datastores = async () =>
    (await tenant.api.get('/datastores?limit=100')).as(datastoreSchema.loose().array());
  async function documents(name = 'Harbour'): Promise<Record<string, Datasource>> {
    const id = (await datastores()).find((one) => one.name === name)?.id;
    const list = (await tenant.api.get(`/datasources?datastoreId=${id}&limit=100`)).as(
      datasourceSchema.strict().array(),
    );
    return Object.fromEntries(list.map((one) => [one.name, one]));
  }

  describe('sync', () => {
    it('makes a library as a folder is', async () => {
      for (const name of ['oil', 'rope', 'sail', 'mast']) await write(`ship/${name}.txt`, `The ${name}.`);
      await write('large.txt', 'x'.repeat(MAX_UPLOAD_BYTES + 1));
      await write('photo.heic', '\0\0\0\u0018ftypheic\0\0\0\0');
      const first = await citewell('sync', root);
      expect([first.code, first.output]).toEqual([1, expect.stringMatching(/4 added, 1 skipped, 1 failed/)]);
      expect(first.output).toMatch(/failed Harbour\/large\.txt: .*larger than/);
      expect(first.output).toMatch(/skipped .*photo\.heic: This is an image/);
      await rm(join(root, 'large.txt'));
      const before = await documents();
      expect(before['Harbour/ship/oil.txt']).toMatchObject({
        status: 'synched',
        customId: 'sync:Harbour/ship/oil.txt',
        metadata: { modifiedAt: expect.any(String) },
      });

      // What others have added stays, whatever its id is.
      const { datastoreId = '' } = before['Harbour/ship/oil.txt'] ?? {};
      await tenant.text(datastoreId, 'A note.', { name: 'note', custom_id: 'ship/oil.txt' });
      await mkdir(join(root, 'engine'));
      await rename(join(root, 'ship/oil.txt'), join(root, 'engine/Öl.txt'));
      await write('ship/rope.txt', 'The rope is new.');
      await rm(join(root, 'ship/sail.txt'));
      const dry = await citewell('sync', root, '--dry-run');
      expect(dry.output).toMatch(
        /Nothing was changed\. 1 replaced, 1 unchanged, 1 skipped, 1 moved, 1 removed/,
      );
      expect(Object.keys(await documents())).toHaveLength(5);
      expect(await citewell('sync', root)).toMatchObject({ code: 0 });
      const after = await documents();
      expect(Object.fromEntries(Object.entries(after).map(([name, one]) => [name, one.revision]))).toEqual({
        'Harbour/engine/Öl.txt': 1,
        'Harbour/ship/rope.txt': 2,
        'Harbour/ship/mast.txt': 1,
        note: expect.any(Number),
      });
      expect(after['Harbour/engine/Öl.txt']?.id).toBe(before['Harbour/ship/oil.txt']?.id);
      expect(await citewell('sync', root)).toEqual({
        code: 0,
        output: expect.stringMatching(/3 unchanged, 1 skipped\.\n$/),
      });

      await rm(join(root, 'engine'), { recursive: true });
      await symlink(tmpdir(), join(root, 'engine'));
      expect(await citewell('sync', root)).toEqual({
        code: 0,
        output: expect.stringMatching(
          /engine: It is a symbolic link\.\n[^]*2 unchanged, 2 skipped, 1 kept\.\n$/,
        ),
      });
      expect(Object.keys(await documents())).toContain('Harbour/engine/Öl.txt');
    });

    it('changes nothing when the folder is empty or another one, until it is told to', async () => {
      for (const name of ['oil', 'rope', 'sail']) await write(`${name}.txt`, `The ${name}.`);
      expect(await citewell('sync', root)).toMatchObject({ code: 0 });
      for (const name of await readdir(root)) await rm(join(root, name));
      await write('other.txt', 'Another folder.');
      const refused = await citewell('sync', root);
      expect([refused.code, refused.output]).toEqual([
        1,
        expect.stringMatching(/3 of 3 documents are not in the folder any more\. Nothing was changed\./),
      ]);
      expect(Object.keys(await documents())).toHaveLength(3);
      const beside = await citewell('sync', root, '--as', 'Other', '--datastore', 'Harbour');
      expect([beside.code, Object.keys(await documents()).length]).toEqual([0, 4]);
      expect(await citewell('sync', root, '--yes')).toMatchObject({ code: 0 });
      expect(Object.keys(await documents()).toSorted()).toEqual(['Harbour/other.txt', 'Other/other.txt']);
      await rm(root, { recursive: true });
      expect(await citewell('sync', root, '--yes')).toMatchObject({ code: 2 });
    });

    it('goes on after it was killed: nothing is lost, and nothing is there twice', async () => {
      for (let n = 0; n < 60; n += 1) await write(`${n % 5}/${n}.txt`, `Buoy ${n}.`);
      for (const sent of [3, 20]) {
        const killed = RunningProcess.start('citewell', 'apps/cli/dist/main.js', {
          env: env(),
          args: ['sync', root],
        });
        await killed.waitForOutput(new RegExp(`((?:added .*\\n){${sent}})`));
        await killed.kill();
      }
      expect(await citewell('sync', root)).toMatchObject({ code: 0 });
      const list = Object.values(await documents());
      expect([list.length, new Set(list.map(({ sha256 }) => sha256)).size]).toEqual([60, 60]);
    });

    it('follows a folder with --watch, and names a problem once while it lasts', async () => {
      const large = 'x'.repeat(MAX_UPLOAD_BYTES + 1);
      await write('a.txt', 'The first.');
      await write('large.txt', large);
      const watching = RunningProcess.start('citewell', 'apps/cli/dist/main.js', {
        env: env(),
        args: ['sync', root, '--watch', '--json'],
      });
      await watching.waitForOutput(/(Watching)/);
      await write('new/b.txt', 'The second.');
      await watching.waitForOutput(/"added","name":"Harbour\/new\/b\.txt"/);
      await rm(join(root, 'large.txt'));
      await rename(join(root, 'a.txt'), join(root, 'new/c.txt'));
      await watching.waitForOutput(/"moved","name":"Harbour\/new\/c\.txt","from":"Harbour\/a\.txt"/);
      await write('large.txt', large);
      await watching.waitForOutput(/("failed"[^]*"moved"[^]*"failed")/);
      await watching.stop();
      expect(watching.output.match(/"failed"/g)).toHaveLength(2);
      expect(Object.keys(await documents()).toSorted()).toEqual(['Harbour/new/b.txt', 'Harbour/new/c.txt']);
    });
  });

  describe('export', () => {
    it('writes originals, texts and metadata, and goes on where it was', async () => {
      const { id } = await tenant.datastore('Ships: a/b');
      const other = await tenant.datastore('ships: A/B');
      await tenant.text(id, 'The hull is of oak.', {
        name: '../../Hull',
        custom_id: 'hull',
        metadata: { year: 1881 },
      });
      await tenant.text(other.id, 'Another.', { name: 'note' });
      const zip = await tenant.file(id, OTHER_ZIP, 'ship.zip');
      const into = join(root, 'out');
      expect(await citewell('export', into)).toMatchObject({ code: 0 });
      expect((await readdir(into)).toSorted()).toEqual([
        'Ships_ a_b',
        'agents.jsonl',
        'conversations.jsonl',
        'libraries.jsonl',
        'ships_ A_B (2)',
      ]);
      const lines = async () => linesOf(join(into, 'Ships_ a_b', 'documents.jsonl'));
      const [hull, archive, ...members] = await lines();
      expect(hull).toMatchObject({
        name: '../../Hull',
        customId: 'hull',
        type: 'text',
        status: 'synched',
        metadata: { year: 1881 },
        sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
        original: 'originals/_/_/Hull',
        text: 'texts/_/_/Hull.txt',
      });
      const read = (path: unknown) => readFile(join(into, 'Ships_ a_b', String(path)));
      expect(String(await read(hull?.['text']))).toBe('The hull is of oak.');
      expect((await read(archive?.['original'])).equals(OTHER_ZIP)).toBe(true);
      expect(members.length).toBeGreaterThan(0);
      expect(members[0]).toMatchObject({ groupId: zip.id, original: null, text: expect.any(String) });

      // A command that was killed has left half a line, and not all of the files.
      await appendFile(join(into, 'Ships_ a_b', 'documents.jsonl'), '{"id": "half');
      await rm(join(into, 'Ships_ a_b', String(hull?.['text'])));
      const again = await citewell('export', into);
      expect(again.output).toMatch(/Ships: a\/b: 1 exported, \d+ unchanged/);
      expect(await lines()).toEqual([hull, archive, ...members]);
      expect(String(await read(hull?.['text']))).toBe('The hull is of oak.');
    });

    it('keeps conversations that an earlier export with another key has written', async () => {
      const { id } = await tenant.datastore('Ships');
      const agent = await tenant.agent({ datastoreIds: [id] });
      const ask = async (api = tenant.api) =>
        (await api.post(`/agents/${agent.id}/query`, { query: 'Who?', streaming: false })).assertOk();
      const body = { name: 'K', scopes: ['read', 'agents:query'] };
      const { key } = (await tenant.api.post('/api-keys', body)).as(apiKeyWithSecretSchema);
      const conversations = async () =>
        (await linesOf(join(root, 'conversations.jsonl'))).map((line) => String(line['id'])).toSorted();
      await ask();
      expect(await citewell('export', root)).toMatchObject({ code: 0 });
      const [first = ''] = await conversations();
      await ask(tenant.api.with(key));
      const exported = await runCitewell({ ...env(), CITEWELL_API_KEY: key }, ['export', root]);
      expect(exported).toEqual({ code: 0, output: expect.stringMatching(/only those that this key began/) });
      const both = await conversations();
      expect([both.length, both.includes(first)]).toEqual([2, true]);

      // With all rights, what was deleted goes.
      (await tenant.api.delete(`/conversations/${first}`)).assertOk();
      expect(await citewell('export', root)).toMatchObject({ code: 0 });
      expect(await conversations()).toEqual(both.filter((one) => one !== first));
    });
  });

  describe('import', () => {
    it('brings files of Open WebUI once, with a reason for each that does not come', async () => {
      await mkdir(join(root, 'uploads'));
      await write('uploads/f1_hull.md', '# Hull\n\nThe hull is of oak.');
      await write('uploads/f2_large.txt', 'x'.repeat(MAX_UPLOAD_BYTES + 1));
      const database = new DatabaseSync(join(root, 'webui.db'));
      database.exec(`
        CREATE TABLE knowledge (id TEXT, name TEXT);
        INSERT INTO knowledge VALUES ('k', 'Ships');
        CREATE TABLE knowledge_file (knowledge_id TEXT, file_id TEXT);
        INSERT INTO knowledge_file VALUES ('k', 'f1'), ('k', 'f2'), ('k', 'f3');
        CREATE TABLE file (id TEXT, filename TEXT, path TEXT, data TEXT, meta TEXT, created_at INT, updated_at INT);
        INSERT INTO file VALUES
          ('f1', 'hull.md', '/app/uploads/f1_hull.md', NULL, NULL, 1700000000, 1700000000),
          ('f2', 'large.txt', '/app/uploads/f2_large.txt', '{"content": "The mast is of pine."}', NULL, 1, 1),
          ('f3', 'lost.md', '/app/uploads/f3_lost.md', NULL, NULL, 1, 1);`);
      database.close();
      const first = await citewell('import', '--from', 'open-webui', root);
      expect(first.code).toBe(1);
      expect(first.output).toMatch(/^added {2}Ships: hull\.md$/m);
      expect(first.output).toMatch(/^only text {2}Ships: large\.txt \(.*larger than/m);
      expect(first.output).toMatch(
        /^failed {2}Ships: lost\.md \(It has neither an original nor a text\.\)$/m,
      );
      expect(first.output).not.toMatch(/ExperimentalWarning/);
      const ships = await documents('Ships');
      expect(ships['hull.md']).toMatchObject({
        type: 'file',
        customId: 'open-webui:f1',
        metadata: { importedFrom: 'open-webui', createdAt: '2023-11-14T22:13:20.000Z' },
      });
      expect(ships['large.txt']).toMatchObject({ type: 'text', customId: 'open-webui:f2' });
      const second = await citewell('import', '--from', 'open-webui', root);
      expect(second.output).toMatch(/2 there already, 1 failed/);
      expect(Object.keys(await documents('Ships'))).toHaveLength(2);
    });

    it('brings an export of Citewell into another organization', async () => {
      const { id } = await tenant.datastore('Ships');
      await tenant.text(id, 'The hull is of oak.', { name: 'Hull', metadata: { year: 1881 } });
      await tenant.file(id, 'The mast is of pine.', 'mast.txt', [['custom_id', 'mast']]);
      // Without upsert, custom ids need not be different.
      await tenant.file(id, 'The mast is of steel.', 'mast 2.txt', [['custom_id', 'mast']]);
      expect(await citewell('export', root)).toMatchObject({ code: 0 });
      expect((await citewell('import', '--from', 'citewell', root)).output).toMatch(/3 there already\./);
      tenant = await Tenant.create(deployment);
      const imported = await citewell('import', '--from', 'citewell', root);
      expect([imported.code, imported.output]).toEqual([0, expect.stringMatching(/3 added\./)]);
      const ships = await documents('Ships');
      expect(ships['Hull']).toMatchObject({ type: 'text', metadata: { year: 1881 } });
      expect(ships['mast.txt']).toMatchObject({ type: 'file', customId: 'mast' });
      expect(ships['mast 2.txt']).toMatchObject({ customId: expect.stringMatching(/^citewell:/) });
      expect((await citewell('import', '--from', 'citewell', root)).output).toMatch(/3 there already\./);
    });

    it('names what it needs', async () => {
      for (const [args, message] of [
        [['--from', 'other', root], /--from must be one of: open-webui/],
        [['--from', 'open-webui', root], /has no webui\.db/],
        [['--from', 'dify', root], /imported from its address/],
        [['--from', 'citewell', root], /has no libraries\.jsonl/],
      ] as const)
        expect(await citewell('import', ...args)).toEqual({
          code: 2,
          output: expect.stringMatching(message),
        });
    });
  });
});

async function linesOf(path: string): Promise<Record<string, unknown>[]> {
  const lines = (await readFile(path, 'utf8')).split('\n').filter(Boolean);
  return lines.map((line) => JSON.parse(line));
}
