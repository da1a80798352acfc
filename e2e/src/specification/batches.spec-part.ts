import {
  datasourceBatchSchema,
  type DatasourceBatch,
  datastoreProgressSchema,
} from '@citewell/contracts/schemas';
import { describe, expect, it } from '@jest/globals';
import type { ApiResponse } from '../client/api-response.js';
import { Tenant, until } from '../client/tenant.js';
import { MAX_UPLOAD_BYTES, type SpecificationPart } from './describe-specification.js';
import { countStored } from './leftovers.js';

type Items = DatasourceBatch['items'];

export const batches: SpecificationPart = (fixture) => {
  describe('a batch', () => {
    async function inStore() {
      const tenant = await Tenant.create(fixture().deployment);
      const { id: datastoreId } = await tenant.datastore();
      const post = (items: readonly unknown[], headers: Record<string, string> = {}): Promise<ApiResponse> =>
        tenant.api.post('/datasources/batch', { datastoreId, items }, headers);
      const send = async (items: readonly unknown[], headers?: Record<string, string>): Promise<Items> =>
        (await post(items, headers)).as(datasourceBatchSchema).items;
      const list = async (): Promise<unknown[]> =>
        JSON.parse((await tenant.api.get(`/datasources?datastoreId=${datastoreId}&limit=100`)).text);
      return { tenant, datastoreId, post, send, list };
    }
    /** The status of each item, or its error and the field that it is about. */
    const briefly = (items: Items): string[] =>
      items.map((item) =>
        'id' in item ? item.status : `${item.error} ${item.details?.[0]?.path ?? ''}`.trim(),
      );
    const idsOf = (items: Items): string[] => items.flatMap((item) => ('id' in item ? item.id : []));

    it('refuses invalid items alone, in the order of the request', async () => {
      const { tenant, send, list } = await inStore();
      const items = await send([
        { type: 'text', text: 'Herons wade.' },
        { type: 'text', text: ' ' },
        { type: 'text', text: 'Herons fly.', nmae: 'Herons' },
        { type: 'web_page', config: { source_url: 'ftp://example.com' } },
        { type: 'web_site', config: {} },
        { type: 'web_site', config: { source_url: 'https://example.com', schedule: 'often' } },
        { type: 'text', text: 'Herons fly.', upsert: true },
        { type: 'file', text: 'Herons fly.' },
        { type: 'text', text: 'x'.repeat(MAX_UPLOAD_BYTES + 1) },
        null,
        'text',
        { type: 'text', text: 'Herons fish.', name: 'Fish', custom_id: 'fish' },
      ]);
      expect(briefly(items)).toEqual([
        'unsynched',
        'INVALID_REQUEST text',
        'INVALID_REQUEST nmae',
        'INVALID_REQUEST config.source_url',
        'INVALID_REQUEST config.source_url',
        'INVALID_REQUEST config.schedule',
        'INVALID_REQUEST custom_id',
        'INVALID_REQUEST type',
        'PAYLOAD_TOO_LARGE',
        'INVALID_REQUEST body',
        'INVALID_REQUEST body',
        'unsynched',
      ]);
      const [first = '', second = ''] = idsOf(items);
      await tenant.waitUntilSynched(first);
      expect(await tenant.waitUntilSynched(second)).toMatchObject({ name: 'Fish', customId: 'fish' });
      expect(await list()).toHaveLength(2);
    });

    it('is refused as a whole without a valid list or datastore', async () => {
      const { tenant, post, list } = await inStore();
      const text = { type: 'text', text: 'x' };
      (await post([])).assertError('INVALID_REQUEST', 'items');
      (await post(Array(1_001).fill(text))).assertError('INVALID_REQUEST', 'items');
      const { id: datastoreId } = await fixture().bob.datastore();
      for (const unknown of [datastoreId, 'nowhere'])
        (await tenant.api.post('/datasources/batch', { datastoreId: unknown, items: [text] })).assertError(
          'NOT_FOUND',
        );
      (await tenant.api.post('/datasources/batch', { items: [text] })).assertError(
        'INVALID_REQUEST',
        'datastoreId',
      );
      expect(await list()).toEqual([]);
    });

    it('upserts items as single requests do, and deletes the bytes that are not used', async () => {
      const { tenant, send } = await inStore();
      const item = (custom_id: string, text: string) => ({ type: 'text', custom_id, upsert: true, text });
      const outcomes = (items: Items) =>
        items.map((result) => ('id' in result ? result.upsertOutcome : result.error));
      const created = await send([
        item('a', 'Herons wade.'),
        item('b', 'Storks fly.'),
        item('a', 'Herons nest.'),
      ]);
      expect(outcomes(created)).toEqual(['created', 'created', 'replaced']);
      const [a = '', b = '', again] = idsOf(created);
      expect(again).toBe(a);
      await tenant.waitUntilSynched(a);
      await tenant.waitUntilSynched(b);
      const { datastoreId } = await tenant.datasource(a);
      await tenant.text(datastoreId, 'One.', { custom_id: 'twice' });
      await tenant.text(datastoreId, 'Two.', { custom_id: 'twice' });
      const page = {
        type: 'web_page',
        custom_id: 'a',
        upsert: true,
        config: { source_url: 'https://example.com' },
      };
      const updated = await send([
        item('a', 'Herons nest.'),
        item('b', 'Storks nest.'),
        item('twice', 'x'),
        page,
      ]);
      expect(outcomes(updated)).toEqual(['unchanged', 'replaced', 'CONFLICT', 'CONFLICT']);
      expect(idsOf(updated)).toEqual([a, b]);
      await tenant.waitUntilSynched(b);
      // Of each of the four texts: its bytes, and three blobs of its run.
      await until(async () => {
        const { blobs } = await countStored(fixture().deployment, tenant.organizationId);
        return blobs <= 16;
      }, 'unused bytes to be deleted');
    });

    it('is carried out once for an Idempotency-Key, with the errors of its items', async () => {
      const { send, post, list } = await inStore();
      const key = { 'idempotency-key': 'batch-1' };
      const items = [
        { type: 'text', text: 'Herons wade.' },
        { type: 'text', text: '' },
      ];
      const first = await send(items, key);
      expect(briefly(first)).toEqual(['unsynched', 'INVALID_REQUEST text']);
      expect(await send(items, key)).toEqual(first);
      expect(await list()).toHaveLength(1);
      (await post(items.slice(0, 1), key)).assertError('CONFLICT');
    });

    it('of 1,000 texts is accepted', async () => {
      const { tenant, datastoreId, send } = await inStore();
      const items = await send(
        Array.from({ length: 1_000 }, (_, n) => ({
          type: 'text',
          name: `Text ${n}`,
          text: `Bird number ${n}.`,
        })),
      );
      expect(new Set(idsOf(items)).size).toBe(1_000);
      expect((await tenant.datasource(idsOf(items)[617] ?? '')).name).toBe('Text 617');
      await tenant.waitUntilSynched(idsOf(items)[0] ?? '');
      expect((await tenant.search(datastoreId, 'bird 0')).map(({ text }) => text)).toContain(
        'Bird number 0.',
      );
      const progress = (await tenant.api.get(`/datastores/${datastoreId}/progress`)).as(
        datastoreProgressSchema.strict(),
      );
      const { unsynched, running, synched } = progress.statuses;
      expect([progress.total, unsynched + running + synched]).toEqual([1_000, 1_000]);
      expect(synched).toBeGreaterThan(0);
      await until(async () => {
        const { documentsPerMinute, etaSeconds } = (
          await tenant.api.get(`/datastores/${datastoreId}/progress`)
        ).as(datastoreProgressSchema.strict());
        return documentsPerMinute !== null && documentsPerMinute > 0 && (etaSeconds ?? 0) > 0;
      }, 'a speed and an estimated time');
      // Indexing all of them would delay the tests that follow.
      (await tenant.api.delete(`/datastores/${datastoreId}`)).assertOk();
    });
  });
};
