import { createHash } from 'node:crypto';
import { type Datasource, datasourceSchema, runSchema } from '@citewell/contracts/schemas';
import { describe, expect, it } from '@jest/globals';
import type { FormPart } from '../client/api-client.js';
import type { ApiResponse } from '../client/api-response.js';
import { Tenant, until } from '../client/tenant.js';
import { countStored } from './leftovers.js';
import type { SpecificationPart } from './describe-specification.js';

export const upserts: SpecificationPart = (fixture) => {
  describe('upsert', () => {
    async function inStore() {
      const tenant = await Tenant.create(fixture().deployment);
      const { id: datastoreId } = await tenant.datastore();
      const text = (body: string, fields: object = {}): Promise<ApiResponse> =>
        tenant.api.post('/datasources', {
          type: 'text',
          datastoreId,
          text: body,
          custom_id: 'notes',
          upsert: true,
          ...fields,
        });
      const file = (content: string, part?: FormPart, name = 'a.txt'): Promise<ApiResponse> =>
        tenant.api.upload([
          ['datastoreId', datastoreId],
          ['custom_id', 'a.txt'],
          ['upsert', 'true'],
          ...(part ? [part] : []),
          ['file', new Blob([content]), name],
        ]);
      const synched = async (response: ApiResponse): Promise<Datasource> =>
        tenant.waitUntilSynched(response.as(datasourceSchema.strict()).id);
      const runsOf = async ({ id }: Datasource): Promise<string[]> =>
        (await tenant.api.get(`/datasources/${id}/runs`)).as(runSchema.array()).map(({ state }) => state);
      return { tenant, datastoreId, text, file, synched, runsOf };
    }

    it('creates, replaces what has changed, and answers equal bytes without a run', async () => {
      const { tenant, datastoreId, text, file, synched, runsOf } = await inStore();
      for (const send of [text, file]) {
        const outcomes: Datasource['upsertOutcome'][] = [];
        const sent = async (content: string): Promise<ApiResponse> => {
          const response = await send(content);
          outcomes.push(response.as(datasourceSchema.strict()).upsertOutcome);
          return response;
        };
        const created = await synched(await sent('Herons wade.'));
        expect([created.revision, created.upsertOutcome]).toEqual([1, undefined]);
        expect(created.sha256).toBe(createHash('sha256').update('Herons wade.').digest('hex'));
        const replaced = await synched(await sent('Herons fly.'));
        expect([replaced.id, replaced.revision]).toEqual([created.id, 2]);
        const unchanged = (await sent('Herons fly.')).as(datasourceSchema.strict());
        expect([unchanged.id, unchanged.status, unchanged.revision]).toEqual([created.id, 'synched', 2]);
        expect(outcomes).toEqual(['created', 'replaced', 'unchanged']);
        expect(await runsOf(created)).toEqual(['succeeded', 'succeeded']);
      }
      const texts = (await tenant.search(datastoreId, 'herons')).map((item) => item.text);
      expect(texts).toEqual(['Herons fly.', 'Herons fly.']);
      // The bytes of the first revisions and of the last uploads are gone: each has its bytes and three blobs of a run.
      await until(async () => {
        const { rows, blobs } = await countStored(fixture().deployment, tenant.organizationId);
        return rows === blobs + 2 && blobs <= 8;
      }, 'replaced bytes to be deleted');
    });

    it('replaces a file by its id, which keeps its custom id', async () => {
      const { tenant, file, synched, runsOf } = await inStore();
      const created = await synched(await file('Herons wade.'));
      const path = `/datasources/${created.id}/file`;
      const replace = async (content: string, name: string) =>
        tenant.api.upload([['file', new Blob([content]), name]], path, undefined, 'PUT');
      const replaced = (await replace('Herons fly.', 'b.txt')).as(datasourceSchema.strict());
      expect(replaced).toMatchObject({ id: created.id, customId: 'a.txt', upsertOutcome: 'replaced' });
      expect(await synched(await replace('Herons fly.', 'c.txt'))).toMatchObject({
        name: 'c.txt',
        revision: 2,
      });
      expect(await runsOf(created)).toEqual(['succeeded', 'succeeded']);
      (await replace('', 'c.txt')).assertError('INVALID_REQUEST', 'file');
      (await replace('no PDF', 'c.pdf')).assertError('UNSUPPORTED_MEDIA_TYPE');
      expect((await tenant.api.get(path)).text).toBe('Herons fly.');
    });

    it('refuses a second equal file, if asked to', async () => {
      const { tenant, datastoreId, synched } = await inStore();
      const send = (content: string, name: string): Promise<ApiResponse> =>
        tenant.api.upload([
          ['datastoreId', datastoreId],
          ['duplicates', 'refuse'],
          ['file', new Blob([content]), name],
        ]);
      const { id: datasourceId } = await synched(await send('Herons wade.', 'a.txt'));
      const reasonOf = (response: ApiResponse) => response.assertError('CONFLICT').details?.[0];
      const values = { datasourceId, name: 'a.txt' };
      expect(reasonOf(await send('Herons fly.', 'a.txt'))).toMatchObject({ reason: 'SAME_NAME', values });
      expect(reasonOf(await send('Herons wade.', 'b.txt'))).toMatchObject({ reason: 'SAME_CONTENT', values });
    });

    it('says what a file is that it refuses', async () => {
      const { file } = await inStore();
      const refused = (await file('<!doctype html><p>Sign in', undefined, 'a.pdf')).assertError(
        'UNSUPPORTED_MEDIA_TYPE',
      );
      expect(refused.message).toBe(
        'The name of the file ends with .pdf, but its content is a web page (HTML). If you want to add that, let its name end with .html. If not, save or download the file again.',
      );
      expect(refused.details).toEqual([
        {
          path: 'file',
          message: 'cannot be read',
          reason: 'MISNAMED_FILE',
          values: { kind: 'HTML', extension: 'pdf' },
        },
      ]);
    });

    it('changes the name and the metadata, also with equal bytes', async () => {
      const { text, synched, runsOf } = await inStore();
      await synched(await text('Herons wade.', { name: 'Before' }));
      const named = await synched(await text('Herons wade.', { name: 'After', metadata: { a: 1 } }));
      expect([named.name, named.metadata, await runsOf(named)]).toEqual(['After', { a: 1 }, ['succeeded']]);
    });

    it('tries again with equal bytes after a failure', async () => {
      const { tenant, file, runsOf } = await inStore();
      const send = async (): Promise<Datasource> =>
        (await file('%PDF-1.7 broken', undefined, 'a.pdf')).as(datasourceSchema.strict());
      const failed = await tenant.waitUntilFinished((await send()).id);
      expect(failed.status).toBe('error');
      const again = await send();
      expect([again.id, again.status]).toEqual([failed.id, 'unsynched']);
      expect(await runsOf(await tenant.waitUntilFinished(failed.id))).toEqual(['failed', 'failed']);
    });

    it('creates one datasource when it is sent several times at once', async () => {
      const { tenant, text } = await inStore();
      const answers = await Promise.all(Array.from({ length: 6 }, (_, n) => text(`Herons, number ${n}.`)));
      const ids = answers.map((answer) => answer.as(datasourceSchema.strict()).id);
      expect(new Set(ids).size).toBe(1);
      await tenant.waitUntilSynched(ids[0] ?? '');
    });

    it('is refused without a custom id, with one that several have, and for another type', async () => {
      const { tenant, datastoreId, text, file, synched } = await inStore();
      for (const custom_id of [null, '', undefined])
        (await text('Herons.', { custom_id })).assertError('INVALID_REQUEST', 'custom_id');
      const misspelled = await text('Herons.', { custom_id: undefined, customId: 'notes' });
      expect(misspelled.assertError('INVALID_REQUEST').message).toBe(
        'custom_id is required with upsert (customId is unknown).',
      );
      (await text('Herons.', { upsert: 'yes' })).assertError('INVALID_REQUEST', 'upsert');
      (await file('Herons.', ['upsert', 'yes'])).assertError('INVALID_REQUEST', 'upsert');
      const created = await synched(await text('Herons wade.'));
      (await file('Herons.', ['custom_id', 'notes'])).assertError('CONFLICT');
      // Without upsert, a second datasource with the same custom id is created.
      await tenant.text(datastoreId, 'Herons.', { custom_id: 'notes' });
      (await text('Herons fly.')).assertError('CONFLICT');
      expect((await tenant.datasource(created.id)).revision).toBe(1);
    });
  });
};
