import { randomBytes } from 'node:crypto';
import { closeSync, openSync, writeSync } from 'node:fs';
import { readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { sample } from '@citewell/testing/extent';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DamagedInstallation } from './damage/installation.js';
import { untilRecovered } from '../client/tenant.js';

// The rows of the table in docs/operations.md: each fault is told by readiness or by doctor, and its repair is one
// command or none.
describe('damage of', () => {
  let installation: DamagedInstallation;
  beforeAll(async () => {
    installation = await DamagedInstallation.create();
  });
  afterAll(() => installation.deployment.stop());

  /** Overwrites bytes in the middle of a file, at its start or at its end. */
  async function overwrite(path: string, where: 'start' | 'middle' | 'end' | 'all'): Promise<void> {
    const size = await installation.sizeOf(path);
    const bytes = where === 'all' ? size : Math.min(20_000, size);
    const at = { start: 0, all: 0, middle: Math.floor((size - bytes) / 2), end: size - bytes }[where];
    const handle = openSync(path, 'r+');
    writeSync(handle, randomBytes(bytes), 0, bytes, at);
    closeSync(handle);
  }

  describe('the vector file', () => {
    const damages: Record<string, (path: string) => Promise<unknown>> = {
      'random bytes over its header': (path) => overwrite(path, 'start'),
      'random bytes in its middle': (path) => overwrite(path, 'middle'),
      'random bytes everywhere': (path) => overwrite(path, 'all'),
      'half of it is cut off': async (path) =>
        truncate(path, Math.floor((await installation.sizeOf(path)) / 2)),
      'it is empty': (path) => truncate(path, 0),
      'it is deleted': (path) => rm(path),
    };
    /** While it is rebuilt, a question is refused with a sentence that says so. */
    async function expectRebuild(): Promise<void> {
      const { refusals } = await installation.waitUntilAnswered();
      for (const refusal of refusals) expect(refusal).toMatch(/^503 .*(being rebuilt|cannot be reached)/);
      await untilRecovered(async () => (await installation.checks())['vectors'] === 'ok', 'vectors ok');
      await untilRecovered(async () => (await installation.doctor()).code === 0, 'doctor content');
    }

    it.each(sample(Object.entries(damages)))('before the start: %s; it is rebuilt', async (_, damage) => {
      const { deployment, vectorFile } = installation;
      await installation.stop();
      await damage(vectorFile);
      await deployment.start();
      await expectRebuild();
    });

    it.each(sample(Object.entries(damages)))(
      'while it is used: %s; --repair rebuilds it',
      async (_, damage) => {
        const { vectorFile } = installation;
        // What is only in the log of the database would not be damaged.
        const database = new DatabaseSync(vectorFile);
        database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
        database.close();
        await damage(vectorFile);
        // The service may notice the damage itself, and use the file at the same time as doctor.
        await untilRecovered(async () => (await installation.doctor('--repair')).code === 0, 'the repair');
        await expectRebuild();
      },
    );

    it('is named by doctor and by readiness', async () => {
      const { deployment, vectorFile } = installation;
      await installation.stop();
      await overwrite(vectorFile, 'all');
      const { code, output } = await installation.doctor();
      expect([output, code]).toEqual([
        expect.stringMatching(/✖ vector file: .*damaged.*\n.*Use --repair, or restart the service/),
        1,
      ]);
      deployment.launch();
      await untilRecovered(
        async () =>
          /is being rebuilt.*vectors\.damaged\.sqlite/.test((await installation.checks())['vectors'] ?? ''),
        'the rebuild in readiness',
      );
      await expectRebuild();
    });
  });

  describe('blobs', () => {
    const damages: [name: string, damage: (path: string) => Promise<unknown>, options: string[]][] = [
      ['truncated', (path) => truncate(path, 7), []],
      ['emptied', (path) => truncate(path, 0), []],
      ['longer', async (path) => writeFile(path, Buffer.concat([await readFile(path), Buffer.of(0)])), []],
      ['missing', (path) => rm(path), []],
      ['altered', (path) => overwrite(path, 'end'), ['--deep']],
    ];

    it.each(sample(damages))(
      'a text that is %s is refused, and --repair restores it',
      async (_, damage, options) => {
        const { longId } = installation;
        const before = await installation.get(`/datasources/${longId}/text`);
        expect(before.status).toBe(200);
        await damage(await installation.blobFile('text'));
        const { status, body } = await installation.get(`/datasources/${longId}/text`);
        expect([status, body]).toEqual([503, expect.stringContaining('CONTENT_DAMAGED')]);
        const found = await installation.doctor(...options);
        expect([found.output, found.code]).toEqual([
          expect.stringMatching(/text, outline or list of chunks is missing or damaged \(1\)/),
          1,
        ]);
        expect((await installation.doctor('--repair', ...options)).code).toBe(0);
        await untilRecovered(
          async () => (await installation.get(`/datasources/${longId}/text`)).status === 200,
          'the text',
        );
        await installation.waitUntilSynched();
        const after = await installation.get(`/datasources/${longId}/text`);
        expect(JSON.parse(after.body).text).toBe(JSON.parse(before.body).text);
        await untilRecovered(async () => (await installation.doctor()).code === 0, 'doctor content');
      },
    );

    it.each(sample(damages))(
      'an original that is %s is refused, and doctor names it',
      async (_, damage, options) => {
        const { longId } = installation;
        const path = await installation.blobFile('content');
        const intact = await readFile(path);
        await damage(path);
        const { status, body } = await installation.get(`/datasources/${longId}/file`);
        expect([status, body]).toEqual([503, expect.stringContaining('CONTENT_DAMAGED')]);
        const { code, output } = await installation.doctor(...options);
        expect([output, code]).toEqual([
          expect.stringMatching(
            /original content is missing or damaged \(1\).*\n.*Restore the blobs from a backup/,
          ),
          1,
        ]);
        await writeFile(path, intact);
        expect((await installation.doctor('--deep')).code).toBe(0);
      },
    );
  });

  describe('the database', () => {
    const PAGE_BYTES = 8_192;

    it('is refused with a sentence where a page cannot be read, and doctor names the repair', async () => {
      const { deployment, shortId } = installation;
      await installation.stop();
      const { path, at } = await installation.databasePage();
      const intact = await readFile(path);
      const damaged = Buffer.from(intact);
      const page = Math.floor(at / PAGE_BYTES) * PAGE_BYTES;
      randomBytes(PAGE_BYTES).copy(damaged, page);
      await writeFile(path, damaged);
      await deployment.start();
      const { status, body } = await installation.get(`/datasources/${shortId}/file`);
      expect([status, body]).toEqual([503, expect.stringMatching(/CONTENT_DAMAGED.*database is damaged/s)]);
      const { code, output } = await installation.doctor();
      expect([output, code]).toEqual([
        expect.stringMatching(/blobs: the check failed: .*\n.*restored from a backup/),
        1,
      ]);
      await installation.stop();
      await writeFile(path, intact);
      await deployment.start();
      expect((await installation.get(`/datasources/${shortId}/file`)).status).toBe(200);
    });
  });
});
