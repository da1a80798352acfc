import assert from 'node:assert/strict';
import { request } from 'node:http';
import { datasourceSchema, datasourceTextSchema } from '@citewell/contracts/schemas';
import { describe, expect, it } from '@jest/globals';
import type { FormPart } from '../client/api-client.js';
import { Tenant, until } from '../client/tenant.js';
import { OTHER_ZIP, PDF, SAMPLES } from '../fixtures/files.js';
import { countStored } from './leftovers.js';
import { MAX_UPLOAD_BYTES, type SpecificationPart } from './describe-specification.js';

const strict = datasourceSchema.strict();
const PNG = Uint8Array.from(Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'));

export const uploads: SpecificationPart = (fixture) => {
  describe('uploads', () => {
    it('of all types are synched, found, cited with exact offsets, and returned unchanged', async () => {
      const { alice } = fixture();
      const { id: datastoreId } = await alice.datastore();
      for (const sample of SAMPLES) {
        const file = new Blob([sample.content], { type: sample.mimeType });
        const created = (
          await alice.api.upload([
            ['type', 'file'],
            ['datastoreId', datastoreId],
            ['custom_id', `c-${sample.name}`],
            ['file', file, sample.name],
          ])
        ).as(strict);
        expect([created.type, created.name, created.customId, created.status]).toEqual([
          'file',
          sample.name,
          `c-${sample.name}`,
          'unsynched',
        ]);
        const datasource = await alice.waitUntilSynched(created.id);
        const text = (await alice.api.get(`/datasources/${created.id}/text`)).as(datasourceTextSchema);
        expect([sample.name, datasource.stats.characters]).toEqual([sample.name, text.length]);
        const filters = { datasource_ids: [created.id] };
        const [found] = await alice.search(datastoreId, sample.question, { filters });
        assert.ok(found, `${sample.name}: nothing is found`);
        expect(found.text).toContain(sample.finds);
        expect([sample.name, found.text]).toEqual([sample.name, text.text.slice(found.start, found.end)]);
        expect([sample.name, found.page_number]).toEqual([sample.name, sample.page]);
        expect(found.source).toBe(sample.name);
        const original = await alice.api.get(`/datasources/${created.id}/file`);
        expect([sample.name, original.bytes.equals(sample.content)]).toEqual([sample.name, true]);
        expect(original.header('content-type')?.split(';')[0]).toBe(sample.mimeType);
      }
    });

    it('accept metadata as JSON, and searches filter by it', async () => {
      const { alice } = fixture();
      const { id: datastoreId } = await alice.datastore();
      const upload = (metadata: string) =>
        alice.api.upload([
          ['datastoreId', datastoreId],
          ['metadata', metadata],
          ['file', new Blob(['Sails are mended in winter.']), 'sails.txt'],
        ]);
      const created = (await upload('{"year": 1881, "tags": ["帆"]}')).as(strict);
      expect(created.metadata).toEqual({ year: 1881, tags: ['帆'] });
      await alice.waitUntilSynched(created.id);
      expect(
        await alice.search(datastoreId, 'sails', { filters: { metadata: { tags: '帆' } } }),
      ).toHaveLength(1);
      expect(await alice.search(datastoreId, 'sails', { filters: { metadata: { tags: 'x' } } })).toEqual([]);
      for (const wrong of ['{', '"text"', `{"a": "${'x'.repeat(5_000)}"}`])
        (await upload(wrong)).assertError('INVALID_REQUEST', 'metadata');
      expect((await upload('')).as(strict).metadata).toBeUndefined();
    });

    it('accept their parts in any order, and take the name from fileName or the file', async () => {
      const { alice } = fixture();
      const { id: datastoreId } = await alice.datastore();
      const content = new Blob(['Sails are mended in winter.']);
      const file: FormPart = ['file', content, 'own name.txt'];
      const store: FormPart = ['datastoreId', datastoreId];
      const name: FormPart = ['fileName', 'Sails 帆.txt'];
      const type: FormPart = ['type', 'file'];
      const cases: (readonly [parts: readonly FormPart[], name: string])[] = [
        [[file, store, name, type], 'Sails 帆.txt'],
        [[store, file, name], 'Sails 帆.txt'],
        [[name, type, store, file], 'Sails 帆.txt'],
        [[store, file], 'own name.txt'],
        [[store, file, ['fileName', '']], 'own name.txt'],
        [[store, file, ['custom_id', ''], ['type', ''], ['more', 'ignored']], 'own name.txt'],
        [[store, ['file', content, '../../etc/own name.txt']], 'own name.txt'],
        [[store, ['file', content, 'blob'], ['fileName', 'sails.md']], 'sails.md'],
        [[store, file, ['fileName', 'two\nlines\u001b\u0000.txt']], 'two lines .txt'],
        [[store, file, ['fileName', '\u0007']], 'own name.txt'],
        [[store, ['file', content, 'a\tb.txt']], 'a b.txt'],
      ];
      for (const [parts, expected] of cases) {
        const created = (await alice.api.upload(parts)).as(strict);
        expect(created.name).toBe(expected);
        expect(created.customId).toBeNull();
      }
    });

    it('with application/octet-stream or no type are typed by extension and content', async () => {
      const { alice } = fixture();
      const { id: datastoreId } = await alice.datastore();
      for (const type of ['application/octet-stream', '']) {
        for (const [content, name] of [
          [PDF, 'a.pdf'],
          ['a,b\n1,2', 'a.csv'],
          ['{"a": 1}', 'data'],
        ] as const) {
          const created = await alice.api.upload([
            ['datastoreId', datastoreId],
            ['file', new Blob([content], { type }), name],
          ]);
          expect(created.as(strict).name).toBe(name);
        }
      }
    });

    it('that are invalid are refused and leave nothing behind', async () => {
      const { deployment } = fixture();
      const alice = await Tenant.create(deployment);
      const { id: datastoreId } = await alice.datastore();
      const store: FormPart = ['datastoreId', datastoreId];
      const file: FormPart = ['file', new Blob(['ok']), 'ok.txt'];
      const typed = (content: string | Uint8Array<ArrayBuffer>, name: string, type = ''): FormPart => [
        'file',
        new Blob([content], { type }),
        name,
      ];
      const before = await countStored(deployment, alice.organizationId);

      const refused = async (
        parts: readonly FormPart[],
        code: 'INVALID_REQUEST' | 'UNSUPPORTED_MEDIA_TYPE',
        path?: string,
      ) => (await alice.api.upload(parts)).assertError(code, path);
      await refused([store], 'INVALID_REQUEST', 'file');
      await refused([], 'INVALID_REQUEST', 'file');
      await refused([file], 'INVALID_REQUEST', 'datastoreId');
      await refused([file, ['datastoreId', '']], 'INVALID_REQUEST', 'datastoreId');
      await refused([file, store, file], 'INVALID_REQUEST', 'file');
      await refused([store, ['picture', new Blob(['x']), 'x.txt']], 'INVALID_REQUEST', 'picture');
      await refused([store, ['file', 'no file but a field']], 'INVALID_REQUEST', 'file');
      await refused([store, file, ['type', 'web_page']], 'INVALID_REQUEST', 'type');
      await refused([store, file, ['fileName', 'x'.repeat(256)]], 'INVALID_REQUEST', 'fileName');
      await refused([store, file, ['custom_id', 'x'.repeat(256)]], 'INVALID_REQUEST', 'custom_id');
      await refused([store, file, ['custom_id', 'a\u0000']], 'INVALID_REQUEST', 'custom_id');
      await refused([store, file, ['__proto__', 'x']], 'INVALID_REQUEST');
      const many = Array.from({ length: 21 }, (_, index): FormPart => [`f${index}`, 'x']);
      await refused([store, file, ...many], 'INVALID_REQUEST');
      await refused([...many, store, file], 'INVALID_REQUEST');
      await refused([store, file, file, file], 'INVALID_REQUEST');
      await refused([store, file, ['fileName', 'x'.repeat(2_000_000)]], 'INVALID_REQUEST', 'fileName');
      await refused([store, typed('x', `${'x'.repeat(300)}.txt`)], 'INVALID_REQUEST', 'fileName');
      await refused([store, typed('', 'empty.txt')], 'INVALID_REQUEST', 'file');
      await refused([store, typed('', 'empty.pdf', 'application/pdf')], 'INVALID_REQUEST', 'file');
      for (const mistyped of [
        typed(PDF, 'a.txt'),
        typed(PDF, 'a.bin', 'text/markdown'),
        typed('plain', 'a.pdf', 'application/pdf'),
        typed('\0\0\0\u0018ftypheic\0\0\0\0', 'a.heic', 'image/heic'),
        typed(PNG, 'a.pdf', 'application/pdf'),
        typed(OTHER_ZIP, 'a.docx'),
        typed(OTHER_ZIP, 'a.jar', 'application/zip'),
        typed('<?xml version="1.0"?><a/>', 'a.xml', 'text/xml'),
      ]) {
        const envelope = await refused([store, mistyped], 'UNSUPPORTED_MEDIA_TYPE');
        expect(envelope.details?.[0]?.reason).toMatch(/^(?:UNREADABLE|MISNAMED|MISDECLARED)_FILE$/);
      }
      const large = typed('x'.repeat(MAX_UPLOAD_BYTES + 1), 'large.txt');
      (await alice.api.upload([store, large])).assertError('PAYLOAD_TOO_LARGE');
      (await alice.api.upload([large, store])).assertError('PAYLOAD_TOO_LARGE');
      expect(await countStored(deployment, alice.organizationId)).toEqual(before);
    });

    it('may be exactly as large as the limit, also as text in JSON', async () => {
      const { alice } = fixture();
      const { id: datastoreId } = await alice.datastore();
      const text = 'x '.repeat(MAX_UPLOAD_BYTES / 2);
      const file = new Blob([text]);
      (
        await alice.api.upload([
          ['datastoreId', datastoreId],
          ['file', file, 'a.txt'],
        ])
      ).assertOk();
      (await alice.api.post('/datasources', { type: 'text', datastoreId, text })).assertOk();
      const tooLong = { type: 'text', datastoreId, text: `${text}!` };
      (await alice.api.post('/datasources', tooLong)).assertError('PAYLOAD_TOO_LARGE');
      const farTooLong = { type: 'text', datastoreId, text: text.repeat(3) };
      (await alice.api.post('/datasources', farTooLong)).assertError('PAYLOAD_TOO_LARGE');
    });

    it('with a malformed multipart body are refused', async () => {
      const { alice } = fixture();
      const broken = async (type: string, body: string) =>
        alice.api.call('POST', '/datasources', { body, headers: { 'content-type': type } });
      (await broken('multipart/form-data', 'x')).assertError('INVALID_REQUEST');
      (await broken('multipart/form-data; boundary=b', '')).assertError('INVALID_REQUEST');
      (await broken('multipart/form-data; boundary=b', 'no boundary here')).assertError('INVALID_REQUEST');
      const unfinished = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nhalf';
      (await broken('multipart/form-data; boundary=b', unfinished)).assertError('INVALID_REQUEST');
      (await broken('application/octet-stream', 'x')).assertError('UNSUPPORTED_MEDIA_TYPE');
    });

    it('cut off in the middle leave nothing behind', async () => {
      const { deployment } = fixture();
      const alice = await Tenant.create(deployment);
      const { id: datastoreId } = await alice.datastore();
      const before = await countStored(deployment, alice.organizationId);
      const head = `--b\r\nContent-Disposition: form-data; name="datastoreId"\r\n\r\n${datastoreId}\r\n--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n`;
      const sent = request(`${alice.api.baseUrl}/datasources`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${alice.api.key}`,
          'content-type': 'multipart/form-data; boundary=b',
          'content-length': '900000',
        },
      });
      const closed = new Promise<void>((resolve) => {
        sent.on('error', () => undefined).on('close', resolve);
      });
      sent.write(head + 'x'.repeat(300_000));
      await until(
        async () => (await countStored(deployment, alice.organizationId)).rows > before.rows,
        'the upload to start',
      );
      sent.destroy();
      await closed;
      await until(async () => {
        const now = await countStored(deployment, alice.organizationId);
        return now.rows === before.rows && now.blobs === before.blobs;
      }, 'all data of the upload to be deleted');
      expect((await alice.api.get(`/datasources?datastoreId=${datastoreId}`)).json).toEqual([]);
    });

    it('end with an error when the file cannot be parsed', async () => {
      const { alice } = fixture();
      const { id: datastoreId } = await alice.datastore();
      const broken = Buffer.from('%PDF-1.4\nthis is where it ends');
      const created = await alice.api.upload([
        ['datastoreId', datastoreId],
        ['file', new Blob([broken]), 'broken.pdf'],
      ]);
      const failed = await alice.waitUntilFinished(created.as(strict).id);
      expect(failed.status).toBe('error');
      expect(failed.error?.code).toBe('CORRUPT_FILE');
      expect(failed.error?.retryable).toBe(false);
      expect(failed.lastSynch).toBeNull();
      const [run] = JSON.parse((await alice.api.get(`/datasources/${failed.id}/runs`)).text);
      expect(run.state).toBe('failed');
      expect(await alice.search(datastoreId, 'this is where it ends')).toEqual([]);
    });
  });
};
