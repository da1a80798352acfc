import { request } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import type { FormPart } from '../client/api-client.js';
import { Tenant, until } from '../client/tenant.js';
import { countStored } from './leftovers.js';
import { MAX_UPLOAD_BYTES, type SpecificationPart } from './describe-specification.js';

export const idempotency: SpecificationPart = (fixture) => {
  describe('Idempotency-Key', () => {
    it('carries out a repeated request once and repeats its response', async () => {
      const tenant = await Tenant.create(fixture().deployment);
      const { id: datastoreId } = await tenant.datastore();
      const key = { 'idempotency-key': 'once-1' };
      for (const [path, body, reordered] of [
        ['/agents', { name: 'A', temperature: 1 }, { temperature: 1, name: 'A' }],
        ['/datastores', { name: 'D', description: 'd' }, { description: 'd', name: 'D' }],
        [
          '/datasources',
          { type: 'text', datastoreId, text: 'once' },
          { text: 'once', type: 'text', datastoreId, ignored: 1 },
        ],
      ] as const) {
        const first = await tenant.api.post(path, body, key);
        first.assertOk();
        const second = await tenant.api.post(path, reordered, key);
        expect(second.status).toBe(200);
        expect(second.json).toEqual(first.json);
        (await tenant.api.post(path, { ...body, name: 'other' }, key)).assertError('CONFLICT');
      }
      expect(JSON.parse((await tenant.api.get('/agents')).text)).toHaveLength(1);
      expect(JSON.parse((await tenant.api.get('/datasources')).text)).toHaveLength(1);
    });

    it('is scoped to the organization', async () => {
      const { alice, bob } = fixture();
      const key = { 'idempotency-key': 'shared' };
      const ofAlice = (await alice.api.post('/agents', { name: 'A' }, key)).text;
      const ofBob = (await bob.api.post('/agents', { name: 'B' }, key)).text;
      expect(ofAlice).not.toBe(ofBob);
    });

    it('repeats the error response of a refused request', async () => {
      const { alice } = fixture();
      const key = { 'idempotency-key': 'refused-1' };
      const body = { name: 'A', datastoreIds: ['x'] };
      const { requestId, ...first } = (await alice.api.post('/agents', body, key)).assertError('NOT_FOUND');
      const again = (await alice.api.post('/agents', body, key)).assertError('NOT_FOUND');
      expect(again).toEqual({ ...first, requestId: again.requestId });
      expect(again.requestId).not.toBe(requestId);
      (await alice.api.post('/agents', { name: 'A' }, key)).assertError('CONFLICT');

      const { id: datastoreId } = await alice.datastore();
      const upload = (content: string) =>
        alice.api.upload(
          [
            ['datastoreId', datastoreId],
            ['file', new Blob([content]), 'a.pdf'],
          ],
          '/datasources',
          { 'idempotency-key': 'refused-2' },
        );
      for (let time = 0; time < 2; time += 1) (await upload('no PDF')).assertError('UNSUPPORTED_MEDIA_TYPE');
      (await upload('%PDF-1.4 another')).assertError('CONFLICT');
    });

    it('is not used up by requests that fail validation or exceed the size limit', async () => {
      const { alice } = fixture();
      const { id: datastoreId } = await alice.datastore();
      const key = { 'idempotency-key': 'corrected-1' };
      const upload = (content: string, ...more: FormPart[]) =>
        alice.api.upload([['file', new Blob([content]), 'a.txt'], ...more], '/datasources', key);
      (await upload('read')).assertError('INVALID_REQUEST', 'datastoreId');
      (await upload('read', ['type', 'web_page'])).assertError('INVALID_REQUEST', 'type');
      (await alice.api.post('/datasources', { type: 'text' }, key)).assertError('INVALID_REQUEST');
      (await upload('x'.repeat(MAX_UPLOAD_BYTES + 1), ['datastoreId', datastoreId])).assertError(
        'PAYLOAD_TOO_LARGE',
      );
      const tooLong = { type: 'text', datastoreId, text: 'x'.repeat(MAX_UPLOAD_BYTES + 1) };
      (await alice.api.post('/datasources', tooLong, key)).assertError('PAYLOAD_TOO_LARGE');
      (await upload('read', ['datastoreId', datastoreId])).assertOk();
    });

    it('is refused when malformed', async () => {
      const { alice } = fixture();
      for (const bad of ['', 'with space', 'x'.repeat(256), 'ä']) {
        const answer = await alice.api.post('/agents', { name: 'A' }, { 'idempotency-key': bad });
        answer.assertError('INVALID_REQUEST');
      }
    });

    it('compares uploads by fields and content; a repeated upload leaves nothing behind', async () => {
      const { deployment } = fixture();
      const alice = await Tenant.create(deployment);
      const { id: datastoreId } = await alice.datastore();
      const key = { 'idempotency-key': 'upload-1' };
      const upload = (content: string, ...more: FormPart[]) =>
        alice.api.upload(
          [['datastoreId', datastoreId], ['file', new Blob([content]), 'a.txt'], ...more],
          '/datasources',
          key,
        );
      const first = await upload('same bytes');
      first.assertOk();
      await alice.waitUntilSynched(JSON.parse(first.text).id);
      const before = await countStored(deployment, alice.organizationId);
      expect((await upload('same bytes')).json).toEqual(first.json);
      (await upload('other bytes')).assertError('CONFLICT');
      (await upload('same bytes', ['custom_id', 'x'])).assertError('CONFLICT');
      expect(await countStored(deployment, alice.organizationId)).toEqual(before);
    });

    it('answers 409 with Retry-After while the first request is in progress', async () => {
      const { deployment } = fixture();
      const alice = await Tenant.create(deployment);
      const { id: datastoreId } = await alice.datastore();
      const before = await countStored(deployment, alice.organizationId);
      const head = `--b\r\nContent-Disposition: form-data; name="datastoreId"\r\n\r\n${datastoreId}\r\n--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n`;
      const slow = request(`${alice.api.baseUrl}/datasources`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${alice.api.key}`,
          'content-type': 'multipart/form-data; boundary=b',
          'idempotency-key': 'slow-1',
        },
      });
      const answered = new Promise<number | undefined>((resolve, reject) => {
        slow.on('response', (response) => resolve(response.resume().statusCode)).on('error', reject);
      });
      slow.write(`${head}slow`);
      await until(
        async () => (await countStored(deployment, alice.organizationId)).rows > before.rows,
        'the upload to begin',
      );
      const second = await alice.api.upload(
        [
          ['datastoreId', datastoreId],
          ['file', new Blob(['slow']), 'a.txt'],
        ],
        '/datasources',
        { 'idempotency-key': 'slow-1' },
      );
      second.assertError('CONFLICT');
      expect(Number(second.header('retry-after'))).toBeGreaterThanOrEqual(1);
      slow.end('\r\n--b--\r\n');
      expect(await answered).toBe(200);
    });
  });
};
