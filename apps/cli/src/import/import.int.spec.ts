import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Readable } from 'node:stream';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Citewell } from '@citewell/sdk';
import { fromAnythingllmFolder } from './anythingllm.js';
import { fromDify } from './dify.js';
import { cleanMetadata, cleanName, type Content, type Found, toInstant } from './found-document.js';
import { importAll } from './import-all.js';
import { fromOpenWebui, fromOpenWebuiFolder } from './open-webui.js';
import { OtherService } from './other-service.js';
import { inTemporaryFolder } from './temporary-folder.js';

const KEY = 'sk-other';
/** Instead of an answer: one that ends too early. */
const CUT = Symbol('cut');
const MADE = 1_700_000_000;
const MADE_AT = '2023-11-14T22:13:20.000Z';

async function read(content: Content | undefined): Promise<string> {
  if (content?.kind === 'text') return content.read();
  if (content?.kind === 'download')
    return inTemporaryFolder(async (folder) => {
      const path = join(folder, 'file');
      await content.saveAs(path);
      return readFile(path, 'utf8');
    });
  return content?.kind === 'file' ? `file ${content.path}` : '';
}

async function collect(found: AsyncIterable<Found>): Promise<Found[]> {
  const all: Found[] = [];
  for await (const one of found) all.push(one);
  return all;
}

const summary = (found: readonly Found[]) =>
  found.map((one) => `${one.library}/${one.name}: ${'reason' in one ? one.reason : one.customId}`);

describe('import from', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'citewell-other-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  describe('a data directory of Open WebUI', () => {
    function makeDatabase(hasLinks: boolean): DatabaseSync {
      const database = new DatabaseSync(join(folder, 'webui.db'));
      database.exec('PRAGMA journal_mode = WAL');
      database.exec('CREATE TABLE knowledge (id TEXT, name TEXT, description TEXT, data TEXT)');
      database.exec(
        'CREATE TABLE file (id TEXT, filename TEXT, path TEXT, data TEXT, meta TEXT, created_at INT, updated_at INT)',
      );
      const file = database.prepare(`INSERT INTO file VALUES (?, ?, ?, ?, ?, ${MADE}, ${MADE + 1})`);
      file.run(
        'f1',
        'a.pdf',
        '/app/backend/data/uploads/f1_a.pdf',
        '{"content": "text of a"}',
        '{"name": "A ü.pdf"}',
      );
      file.run('f2', 'b.pdf', 's3://bucket/f2_b.pdf', '{"content": "text of b"}', null);
      file.run('f3', 'c.pdf', '../../etc/passwd', null, 'no JSON');
      file.run('f4', 'chat.png', null, null, null);
      const lists = hasLinks ? 'NULL' : `'{"file_ids": ["f1", "f2", "gone", "f3"]}'`;
      database.exec(`INSERT INTO knowledge VALUES ('k1', 'Manuals', '', ${lists})`);
      if (hasLinks) {
        database.exec('CREATE TABLE knowledge_file (id TEXT, knowledge_id TEXT, file_id TEXT)');
        for (const id of ['f1', 'f2', 'gone', 'f3'])
          database.prepare(`INSERT INTO knowledge_file VALUES (?, 'k1', ?)`).run(id, id);
      }
      return database;
    }

    it.each([true, false])(
      'finds the files of knowledge bases; with a table of links: %s',
      async (hasLinks) => {
        await mkdir(join(folder, 'uploads'));
        await writeFile(join(folder, 'uploads', 'f1_a.pdf'), '%PDF');
        // The program still runs: what it has written last is in its log.
        const running = makeDatabase(hasLinks);
        const found = await collect(fromOpenWebuiFolder(folder));
        running.close();
        expect(summary(found)).toEqual([
          'Manuals/A ü.pdf: open-webui:f1',
          'Manuals/b.pdf: open-webui:f2',
          'Manuals/c.pdf: open-webui:f3',
          '/chat.png: It belongs to no knowledge base, such as a file of a chat.',
          'Manuals/gone: The database has no file with this id.',
        ]);
        const [first, second, third] = found.flatMap((one) => ('reason' in one ? [undefined] : [one]));
        expect(first?.metadata).toMatchObject({ importedFrom: 'open-webui', createdAt: MADE_AT });
        expect(await Promise.all((first?.contents ?? []).map(read))).toEqual([
          `file ${join(folder, 'uploads', 'f1_a.pdf')}`,
          'text of a',
        ]);
        expect(await Promise.all((second?.contents ?? []).map(read))).toEqual(['text of b']);
        expect(third?.contents).toEqual([]);
      },
    );

    it('reads one text at a time', async () => {
      const database = makeDatabase(true);
      const file = database.prepare(`INSERT INTO file VALUES (?, ?, NULL, ?, NULL, ${MADE}, ${MADE})`);
      const link = database.prepare(`INSERT INTO knowledge_file VALUES (?, 'k1', ?)`);
      const data = JSON.stringify({ content: 'x'.repeat(1_000_000) });
      for (let n = 0; n < 100; n += 1) {
        file.run(`n${n}`, `${n}.md`, data);
        link.run(`n${n}`, `n${n}`);
      }
      database.close();
      setFlagsFromString('--expose-gc');
      const collectGarbage = runInNewContext('gc') as () => void;
      const heapUsed = (): number => {
        collectGarbage();
        return process.memoryUsage().heapUsed;
      };
      const before = heapUsed();
      let found = 0;
      for await (const _ of fromOpenWebuiFolder(folder)) {
        if ((found += 1) === 50) expect(heapUsed() - before).toBeLessThan(20_000_000);
      }
      expect(found).toBe(105);
    });

    it('fails with a damaged database', async () => {
      await writeFile(join(folder, 'webui.db'), 'x'.repeat(5_000));
      await expect(collect(fromOpenWebuiFolder(folder))).rejects.toThrow(/not a database/);
    });

    it('says what to do without a database', async () => {
      await expect(collect(fromOpenWebuiFolder(folder))).rejects.toThrow(/no webui\.db.*Postgres/);
    });
  });

  it('a storage directory of AnythingLLM', async () => {
    const database = new DatabaseSync(join(folder, 'anythingllm.db'));
    database.exec('CREATE TABLE workspaces (id INT, name TEXT, slug TEXT)');
    database.exec(
      'CREATE TABLE workspace_documents (docId TEXT, filename TEXT, docpath TEXT, workspaceId INT, metadata TEXT, createdAt INT)',
    );
    database.exec(`INSERT INTO workspaces VALUES (1, 'Ships', 'ships')`);
    const insert = database.prepare(
      `INSERT INTO workspace_documents VALUES (?, ?, ?, ?, ?, ${MADE * 1_000})`,
    );
    insert.run('d1', 'hull.json', 'custom-documents/hull.json', 1, '{"title": "hull.pdf"}');
    insert.run('d2', 'x.json', '../../secret.json', 1, null);
    insert.run('d3', 'gone.json', 'custom-documents/gone.json', 1, null);
    insert.run('d4', 'old.json', 'custom-documents/hull.json', 9, null);
    database.close();
    await mkdir(join(folder, 'documents', 'custom-documents'), { recursive: true });
    const hull = {
      title: 'hull.pdf',
      pageContent: 'The hull.',
      docAuthor: 'Unknown',
      published: '5/6/2026',
      chunkSource: 'link://https://example.org/hull',
    };
    await writeFile(join(folder, 'documents', 'custom-documents', 'hull.json'), JSON.stringify(hull));
    const found = await collect(fromAnythingllmFolder(folder));
    expect(summary(found)).toEqual([
      'Ships/hull.pdf: anythingllm:d1',
      'Ships/x.json: Its path leads out of the storage directory.',
      'Ships/gone.json: Its file custom-documents/gone.json is missing.',
      '/old.json: Its workspace does not exist any more.',
    ]);
    expect(found[0]).toMatchObject({
      metadata: {
        importedFrom: 'anythingllm',
        createdAt: MADE_AT,
        published: '5/6/2026',
        url: 'https://example.org/hull',
      },
    });
  });

  describe('an API', () => {
    let routes: Record<string, unknown> = {};
    const requests: { path: string; key: string | undefined }[] = [];
    const server = createServer((request: IncomingMessage, response: ServerResponse) => {
      const { url: path = '', headers } = request;
      requests.push({ path, key: headers.authorization });
      const answer = routes[path];
      if (answer instanceof Date) {
        routes[path] = 'ready';
        response.writeHead(429, { 'retry-after': answer.toUTCString() }).end();
        return;
      }
      if (answer === CUT) {
        response.writeHead(200, { 'content-length': 1_000 });
        response.write('%PDF', () => response.destroy());
        return;
      }
      response.writeHead(answer === undefined ? 404 : 200);
      response.end(typeof answer === 'string' ? answer : JSON.stringify(answer ?? { detail: 'Not found.' }));
    });
    let base = '';
    beforeEach(async () => {
      requests.length = 0;
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      const address = server.address();
      base = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
    });
    afterEach(async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    });

    const many = Array.from({ length: 35 }, (_, n) => ({
      id: `f${n}`,
      filename: `${n}.md`,
      created_at: MADE,
    }));
    it.each([
      [
        'with pages',
        {
          '/api/v1/knowledge/?page=1': { items: [{ id: 'k', name: 'Manuals' }], total: 1 },
          '/api/v1/knowledge/?page=2': { items: [], total: 1 },
          '/api/v1/knowledge/k/files?page=1': { items: many.slice(0, 30), total: 35 },
          '/api/v1/knowledge/k/files?page=2': { items: many.slice(30), total: 35 },
          '/api/v1/knowledge/k/files?page=3': { items: [], total: 35 },
        },
      ],
      [
        'without pages',
        {
          '/api/v1/knowledge/?page=1': [{ id: 'k', name: 'Manuals' }],
          '/api/v1/knowledge/?page=2': [{ id: 'k', name: 'Manuals' }],
          '/api/v1/knowledge/k': { files: many },
        },
      ],
    ])('of Open WebUI %s', async (_, answers) => {
      routes = { ...answers, '/api/v1/files/f7/content': '# Seven' };
      const found = await collect(fromOpenWebui(new OtherService(base, KEY)));
      expect(summary(found)).toEqual(many.map(({ id, filename }) => `Manuals/${filename}: open-webui:${id}`));
      const documents = found.flatMap((one) => ('reason' in one ? [] : [one]));
      expect(await read(documents[7]?.contents[0])).toBe('# Seven');
      expect(new Set(requests.map(({ key }) => key))).toEqual(new Set([`Bearer ${KEY}`]));
    });

    it('of Dify: the original where it is offered, else the chunks, and the key stays with the API', async () => {
      const segments = [
        { position: 2, content: 'second', answer: '' },
        { position: 1, content: 'What?', answer: 'first' },
      ];
      routes = {
        '/v1/datasets?page=1&limit=100': { data: [{ id: 's', name: 'Ships' }], has_more: false },
        '/v1/datasets/s/documents?page=1&limit=100': {
          data: [
            { id: 'd1', name: 'a.pdf', created_at: MADE, doc_metadata: [{ name: 'author', value: 'Ada' }] },
            { id: 'd2', name: 'b.pdf', created_at: MADE, enabled: false, doc_metadata: null },
          ],
          has_more: false,
        },
        '/v1/datasets/s/documents/d1/download': { url: '/files/signed?sign=x' },
        '/files/signed?sign=x': '%PDF',
        '/v1/datasets/s/documents/d2/segments?page=1&limit=100': { data: segments, has_more: false },
      };
      const found = await collect(fromDify(new OtherService(`${base}/v1/`, KEY)));
      const [first, second] = found.flatMap((one) => ('reason' in one ? [] : [one]));
      expect(first).toMatchObject({
        library: 'Ships',
        name: 'a.pdf',
        metadata: { createdAt: MADE_AT, author: 'Ada' },
      });
      expect(await read(first?.contents[0])).toBe('%PDF');
      expect(requests.at(-1)).toEqual({ path: '/files/signed?sign=x', key: undefined });
      await expect(read(second?.contents[0])).rejects.toThrow(/status 404: Not found/);
      expect(await read(second?.contents[1])).toBe('What?\nfirst\n\nsecond');
      expect(second?.metadata).toEqual({ importedFrom: 'dify', createdAt: MADE_AT, enabled: false });
    });

    it('takes no text in place of an original whose transfer is interrupted', async () => {
      routes = { '/v1/cut': CUT };
      const saving = new OtherService(`${base}/v1`, KEY).save('/cut', join(folder, 'cut'));
      await expect(saving).rejects.toMatchObject({
        status: 0,
        message: expect.stringMatching(/interrupted/),
      });
      const asking = new OtherService(`${base}/v1`, KEY).json('/cut');
      await expect(asking).rejects.toMatchObject({
        status: 0,
        message: expect.stringMatching(/interrupted/),
      });
    });

    it('tells an error of the temporary folder as such, and takes no text in place of the original', async () => {
      routes = {
        '/v1/original': '%PDF',
        '/api/datastores/Ships': { id: 's1', name: 'Ships' },
        '/api/datasources?datastoreId=s1&limit=100': [],
      };
      const service = new OtherService(`${base}/v1`, KEY);
      const contents: Content[] = [
        { kind: 'download', saveAs: () => service.save('/original', folder) },
        { kind: 'text', read: async () => 'text' },
      ];
      const found = { library: 'Ships', name: 'a.pdf', customId: 'dify:d1', metadata: {}, contents };
      const outcomes: unknown[] = [];
      const client = new Citewell({ baseUrl: base, apiKey: 'cw_test' });
      await importAll(client, Readable.from([found]), (outcome) => outcomes.push(outcome));
      expect(outcomes).toEqual([
        {
          outcome: 'failed',
          library: 'Ships',
          name: 'a.pdf',
          reason: expect.stringMatching(/^EISDIR/),
        },
      ]);
    });

    it('waits until the date that a busy service names', async () => {
      const until = Math.ceil(Date.now() / 1_000 + 2) * 1_000;
      routes = { '/busy': new Date(until) };
      await new OtherService(base, KEY).save('/busy', join(folder, 'busy'));
      // Timers are a bit early.
      expect(Date.now()).toBeGreaterThan(until - 50);
    });

    it('refuses a key in an address, and does not tell it in an error', async () => {
      expect(() => new OtherService('http://a:b@example.org', KEY)).toThrow(/must not contain a key/);
      expect(() => new OtherService('http://example.org?key=x', KEY)).toThrow(/must not contain a key/);
      expect(() => new OtherService('http://example.org', '')).toThrow(/key is missing/);
      routes = {};
      const failing = collect(fromDify(new OtherService(base, KEY)));
      await expect(failing).rejects.toThrow(/answered with status 404/);
      await expect(failing).rejects.not.toThrow(KEY);
    });
  });
});

it.each([
  [MADE, MADE_AT],
  [MADE * 1_000, MADE_AT],
  [MADE * 1e9, MADE_AT],
  ['2023-11-14T22:13:20Z', MADE_AT],
  [null, undefined],
  ['', undefined],
  ['yesterday', undefined],
])('toInstant of %p is %p', (value, expected) => {
  expect(toInstant(value)).toBe(expected);
});

it('names and metadata fit the limits of the service', () => {
  expect(cleanName(' a\nb\u0007 ')).toBe('a b');
  expect(cleanName(null)).toBe('Untitled');
  expect(cleanName(`${'x'.repeat(300)}.pdf`)).toMatch(/^…x{250}\.pdf$/);
  const fields = Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`f${n}`, 'y'.repeat(900)]));
  expect(JSON.stringify(cleanMetadata(fields)).length).toBeLessThan(4_096);
});
