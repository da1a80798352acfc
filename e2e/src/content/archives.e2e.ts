import assert from 'node:assert/strict';
import { type Datasource, datasourceSchema } from '@citewell/contracts/schemas';
import { buildPdf, buildZip } from '@citewell/documents/test-files';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { z } from 'zod';
import { Tenant, until } from '../client/tenant.js';
import type { Deployment } from '../deployments/deployment.js';
import { describeDeployment } from '../deployments/describe-deployment.js';
import { disturbEmbedded } from '../deployments/disturbed.js';
import { takeInventory } from '../operations/resilience/inventory.js';
import { leftoversOf } from '../specification/leftovers.js';

const FILES = {
  'manual/engine/oil.md': '# Oil\n\nThe engine takes nine litres of oil.\n',
  'manual/sails.txt': 'The mainsail is reefed at twenty knots.',
  'harbour.pdf': buildPdf([[{ text: 'The harbour of Visby is closed in January.', y: 700 }]]),
  '__MACOSX/manual/._sails.txt': 'hidden',
};

describeDeployment('archives', (start) => {
  let deployment: Deployment;
  let tenant: Tenant;
  let datastoreId: string;
  beforeAll(async () => {
    deployment = await start({ MAX_UPLOAD_BYTES: '3000000', LEASE_SECONDS: '3', EMBEDDING_MODEL: 'none' });
    tenant = await Tenant.create(deployment);
    datastoreId = (await tenant.datastore()).id;
  });
  afterAll(() => deployment.stop());

  async function upload(content: Uint8Array<ArrayBuffer>): Promise<Datasource> {
    const answer = await tenant.api.upload([
      ['datastoreId', datastoreId],
      ['custom_id', 'ship'],
      ['file', new Blob([content]), 'ship.zip'],
    ]);
    const { id } = answer.as(datasourceSchema.strict());
    return tenant.waitUntilFinished(id);
  }

  /** Uploads a file in place of the one before with this custom id. @returns the id of the datasource */
  async function upsert(
    otherId: string,
    customId: string,
    content: string | Uint8Array<ArrayBuffer>,
    name = `${customId}.zip`,
  ): Promise<string> {
    const answer = await tenant.api.upload([
      ['datastoreId', otherId],
      ['custom_id', customId],
      ['upsert', 'true'],
      ['file', new Blob([content]), name],
    ]);
    return answer.as(datasourceSchema).id;
  }

  async function filesOf(id: string): Promise<Datasource[]> {
    const answer = await tenant.api.get(`/datasources?groupId=${id}`);
    return answer.as(z.array(datasourceSchema.strict()));
  }

  it('become groups of files, which are found and cited', async () => {
    const archive = await upload(buildZip(FILES));
    expect(archive).toMatchObject({ type: 'file', name: 'ship.zip', status: 'synched', error: null });
    expect(archive.stats.pages).toBe(3);
    const files = await filesOf(archive.id);
    expect(files.map(({ type, name, customId, status }) => [type, name, customId, status])).toEqual([
      ['file', 'harbour.pdf', 'harbour.pdf', 'synched'],
      ['file', 'sails.txt', 'manual/sails.txt', 'synched'],
      ['file', 'oil.md', 'manual/engine/oil.md', 'synched'],
    ]);
    const chunks = await tenant.api.get(`/datasources/${archive.id}/chunks`);
    expect(chunks.as(z.array(z.unknown()))).toEqual([]);
    const question = 'How much oil does the engine take?';
    const agent = await tenant.agent({ datastoreIds: [datastoreId] });
    const { sources, answer } = await tenant.ask(agent.id, question);
    expect(answer).toMatch(/nine litres/);
    expect(sources.filter(({ cited }) => cited)).toMatchObject([
      { datasource_name: 'oil.md', custom_id: 'manual/engine/oil.md' },
    ]);
    for (const [filters, found] of [
      [{ datasource_ids: [archive.id] }, 1],
      [{ custom_ids: ['ship'] }, 1],
      [{ custom_ids: ['manual/engine/oil.md'] }, 1],
      [{ custom_ids: ['harbour.pdf'] }, 0],
    ] as const)
      expect(await tenant.search(datastoreId, question, { filters })).toHaveLength(found);

    (await tenant.api.get(`/datasources/${archive.id}/text`)).assertError('NOT_FOUND');
    expect((await tenant.api.get(`/datasources/${archive.id}/file`)).header('content-type')).toBe(
      'application/zip',
    );
    const [pdf] = files;
    assert.ok(pdf);
    const original = await tenant.api.get(`/datasources/${pdf.id}/file`);
    expect(original.bytes.equals(FILES['harbour.pdf'])).toBe(true);
  });

  it('are synched again: deleted files come back, and no file is doubled', async () => {
    const { id } = await upload(buildZip(FILES));
    const [deleted] = await filesOf(id);
    (await tenant.api.delete(`/datasources/${deleted?.id}`)).assertOk();
    expect(await filesOf(id)).toHaveLength(2);
    (await tenant.api.post(`/datasources/${id}/sync`, {})).assertOk();
    await tenant.waitUntilSynched(id);
    expect((await filesOf(id)).map(({ customId }) => customId)).toEqual([
      'harbour.pdf',
      'manual/sails.txt',
      'manual/engine/oil.md',
    ]);
  });

  it('are replaced by a new upload: files are added, changed, kept and removed', async () => {
    const { id: otherId } = await tenant.datastore();
    const synched = async (content: Uint8Array<ArrayBuffer>) =>
      tenant.waitUntilSynched(await upsert(otherId, 'logbook', content));
    const { id } = await synched(
      buildZip({ 'mon.txt': 'Fog.', 'tue.txt': 'Rain at dawn.', 'wed.txt': 'Hail.' }),
    );
    const before = await filesOf(id);
    const again = await synched(
      buildZip({ 'thu.txt': 'Snow.', 'tue.txt': 'Sun at dawn.', 'wed.txt': 'Hail.' }),
    );
    expect(again.id).toBe(id);
    expect((await filesOf(id)).map(({ customId, revision }) => [customId, revision])).toEqual([
      ['thu.txt', 1],
      ['wed.txt', 1],
      ['tue.txt', 2],
    ]);
    expect((await filesOf(id)).slice(1).map((file) => file.id)).toEqual(
      before.slice(0, 2).map((file) => file.id),
    );
    const texts = async (query: string) => (await tenant.search(otherId, query)).map(({ text }) => text);
    expect([await texts('dawn'), await texts('fog')]).toEqual([['Sun at dawn.'], []]);
  });

  it('keep what cannot be read: a damaged file its former document, and an archive without any its former files', async () => {
    const { id: otherId } = await tenant.datastore();
    const finished = async (content: Uint8Array<ArrayBuffer>) => {
      const { id, status, error } = await tenant.waitUntilFinished(await upsert(otherId, 'log', content));
      const texts = (await tenant.search(otherId, 'dawn')).map(({ text }) => text).toSorted();
      return { id, status, code: error?.code, message: error?.message, texts };
    };
    const { id } = await finished(
      buildZip({ 'mon.txt': 'Fog at dawn.', 'tue.txt': 'Rain at dawn.', 'wed.txt': 'Hail at dawn.' }),
    );
    const damaged = Buffer.from(buildZip({ 'mon.txt': 'Sun at dawn.', 'tue.txt': 'Snow at dawn.' }));
    damaged.writeUInt32LE(1, damaged.lastIndexOf('PK\u0001\u0002') + 16);
    const texts = ['Rain at dawn.', 'Sun at dawn.'];
    expect(await finished(Uint8Array.from(damaged))).toEqual({
      id,
      status: 'synched',
      code: 'PARTIAL',
      message: '1 file was skipped: tue.txt (it is damaged, so the former file is kept).',
      texts,
    });
    const former = 'Its former files answer with their last content.';
    for (const [content, code, message] of [
      [
        { 'a.png': '\u0089PNG\0' },
        'ARCHIVE_EMPTY',
        `1 file was skipped: a.png (its type is not supported). ${former}`,
      ],
      [{ 'part.zip': buildZip(FILES).slice(0, 200) }, 'CORRUPT_FILE', expect.stringContaining('damaged')],
    ] as const)
      expect(await finished(buildZip(content))).toEqual({ id, status: 'error', code, message, texts });
  });

  it('are replaced by other files, and replace them: the old content answers until the new one does', async () => {
    const { id: otherId } = await tenant.datastore();
    const texts = async (): Promise<string> =>
      (await tenant.search(otherId, 'keel'))
        .map(({ text }) => text)
        .toSorted()
        .join();
    /** @returns what answered meanwhile, and the finished datasource */
    const replace = async (content: string | Uint8Array<ArrayBuffer>, name: string) => {
      const id = await upsert(otherId, 'keel', content, name);
      const answers = new Set<string>();
      const datasource = await until(async () => {
        answers.add(await texts());
        const current = await tenant.datasource(id);
        return current.progress === null && current;
      }, 'the new content');
      answers.delete(await texts());
      return { datasource, answers: [...answers], after: await texts() };
    };
    const archive = buildZip({ 'a.txt': 'An oak keel.', 'b.txt': 'A steel keel.' });
    const before = (await replace(archive, 'keel.zip')).datasource;
    const oldFiles = await filesOf(before.id);
    const old = 'A steel keel.,An oak keel.';
    for (const [content, name, status, after] of [
      ['%PDF-1.7 broken', 'keel.pdf', 'error', old],
      ['A lead keel.', 'keel.txt', 'synched', 'A lead keel.'],
      [buildZip({ 'c.pdf': '%PDF-' }), 'keel.zip', 'error', 'A lead keel.'],
      [buildZip({ 'd.txt': 'An iron keel.' }), 'keel.zip', 'synched', 'An iron keel.'],
    ] as const) {
      const previous = await texts();
      const replaced = await replace(content, name);
      expect([replaced.datasource.id, replaced.datasource.status]).toEqual([before.id, status]);
      expect(replaced.after).toBe(after);
      // The files of an archive may answer a moment before the archive is synched.
      const allowed = [previous, [previous, after].toSorted().join()];
      expect(replaced.answers.filter((answer) => !allowed.includes(answer))).toEqual([]);
    }
    expect((await filesOf(before.id)).map(({ customId }) => customId)).toEqual(['d.txt']);
    await until(async () => {
      const left = await Promise.all(oldFiles.map((file) => leftoversOf(deployment, file.id)));
      return left.flat().length === 0;
    }, 'the files of the replaced archive to be purged');
  });

  it('are deleted with their files', async () => {
    const other = await tenant.datastore();
    const form = new Blob([buildZip(FILES)]);
    const answer = await tenant.api.upload([
      ['datastoreId', other.id],
      ['file', form, 'ship.zip'],
    ]);
    const { id } = answer.as(datasourceSchema);
    await tenant.waitUntilSynched(id);
    expect(await tenant.search(other.id, 'mainsail')).toHaveLength(1);
    (await tenant.api.delete(`/datasources/${id}`)).assertOk();
    expect([await tenant.search(other.id, 'mainsail'), await filesOf(id)]).toEqual([[], []]);
  });

  it('with broken and unsupported files are PARTIAL', async () => {
    const broken = FILES['harbour.pdf'].slice(0, 60);
    const { id, status, error } = await upload(
      buildZip({ 'a.txt': 'An anchor.', 'broken.pdf': broken, 'b/logo.png': '\u0089PNG\0' }),
    );
    expect([status, error?.code, error?.message]).toEqual([
      'synched',
      'PARTIAL',
      '1 file could not be ingested; 1 file answers. 1 file was skipped: b/logo.png (its type is not supported).',
    ]);
    expect((await filesOf(id)).map((file) => [file.customId, file.error?.code])).toEqual([
      ['broken.pdf', 'CORRUPT_FILE'],
      ['a.txt', undefined],
    ]);
  });

  it.each([
    ['a bomb', buildZip({ 'a.txt': 'a', 'b.txt': new Uint8Array(2_900_000) }), 'TOO_COMPLEX', /200 times/],
    [
      'too large a file',
      buildZip({ 'b.txt': new Uint8Array(3_000_001) }),
      'TOO_COMPLEX',
      /larger than 2\.9 MB/,
    ],
    ['no file that can be read', buildZip({ 'a.png': '\u0089PNG\0' }), 'ARCHIVE_EMPTY', /a\.png \(its type/],
    ['no entries', buildZip({}), 'ARCHIVE_EMPTY', /contains no file/],
    ['no directory', buildZip(FILES).slice(0, 200), 'CORRUPT_FILE', /damaged/],
    [
      'only broken files',
      buildZip({ 'a.docx': buildZip({ x: 'x' }), 'b.pdf': '%PDF-' }),
      'ARCHIVE_FAILED',
      /files/,
    ],
  ])('with %s end with an error', async (_what, content, code, message) => {
    const { id, status, error } = await upload(content);
    expect([status, error?.code, error?.message]).toEqual(['error', code, expect.stringMatching(message)]);
    if (code === 'TOO_COMPLEX') expect(await filesOf(id)).toEqual([]);
  });
});

it('an archive whose worker is killed before it has recorded the files has each file once', async () => {
  await disturbEmbedded(
    async (deployment) => {
      const { tenant } = deployment;
      const { id: datastoreId } = await tenant.datastore('kills');
      const content = Buffer.from(buildZip(FILES));
      const { id } = await tenant.upload(datastoreId, {
        name: 'ship.zip',
        mimeType: 'application/zip',
        content,
      });
      expect((await deployment.process.ended).signal).toBe('SIGKILL');
      await deployment.start({ CITEWELL_FAULT: '' });
      const { status } = await until(async () => {
        const archive = await tenant.datasource(id);
        return archive.progress === null && archive;
      }, 'the archive to finish');
      expect([status, (await tenant.datasources(datastoreId, id)).length]).toEqual(['synched', 3]);
      const { problems, abandonedBlobs } = await takeInventory(deployment);
      expect([problems, abandonedBlobs]).toEqual([[], 3]);
    },
    { CITEWELL_FAULT: 'after-unpack' },
  );
});
