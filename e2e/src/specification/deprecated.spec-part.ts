import { datasourceSchema } from '@citewell/contracts/schemas';
import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { until } from '../client/tenant.js';
import { INVALID_NAMES, NON_STRINGS, assertEachRefused, UNKNOWN_ID, UNSTORABLE } from './field-checks.js';
import type { SpecificationPart } from './describe-specification.js';

const updated = z.strictObject({ id: z.string() });
const upserted = z.strictObject({ ids: z.array(z.string()) });

const BAD_DOCUMENTS = {
  text: ['', '  ', undefined, ...UNSTORABLE, ...NON_STRINGS],
  name: INVALID_NAMES,
  metadata: ['x', 1, [], { a: '\u0000' }, { '\ud800': 1 }, { a: 'x'.repeat(16_384) }],
};

export const deprecated: SpecificationPart = (fixture) => {
  describe('deprecated endpoints', () => {
    it('upsert: creates one text datasource per document, in order', async () => {
      const { alice } = fixture();
      const { id } = await alice.datastore();
      const path = `/datastores/upsert/${id}`;
      const answer = await alice.api.post(path, {
        documents: [
          { text: 'Gulls follow the plough.', name: 'Gulls', metadata: { page: 7 } },
          { text: 'Terns follow the sea.', metadata: null },
        ],
      });
      expect(answer.header('deprecation')).toBe('true');
      const { ids } = answer.as(upserted);
      const [gulls, terns] = await Promise.all(ids.map((documentId) => alice.waitUntilSynched(documentId)));
      expect([gulls?.type, gulls?.name, gulls?.metadata]).toEqual(['text', 'Gulls', { page: 7 }]);
      expect([terns?.type, terns?.metadata]).toEqual(['text', undefined]);
      const [found] = await alice.search(id, 'gulls plough');
      expect(found?.metadata).toEqual({ page: 7 });
    });

    it('upsert: creates all documents or none, and validates each field', async () => {
      const { alice } = fixture();
      const { id } = await alice.datastore();
      const path = `/datastores/upsert/${id}`;
      const documents = [
        [],
        'x',
        {},
        null,
        undefined,
        [1],
        Array.from({ length: 1_001 }, () => ({ text: 'x' })),
      ];
      await assertEachRefused(alice.api, 'POST', path, {}, { documents });
      for (const [field, values] of Object.entries(BAD_DOCUMENTS)) {
        for (const value of values) {
          const body = { documents: [{ text: 'good' }, { text: 'x', [field]: value }] };
          (await alice.api.post(path, body)).assertError('INVALID_REQUEST', `documents[1].${field}`);
        }
      }
      expect((await alice.api.get(`/datasources?datastoreId=${id}`)).json).toEqual([]);
    });

    it('update: replaces the content of a text or file and keeps its type', async () => {
      const { alice } = fixture();
      const { id: datastoreId } = await alice.datastore();
      const path = `/datastores/update/${datastoreId}`;
      const file = await alice.file(datastoreId, 'Old: the tower is red.', 'tower.txt');
      const answer = await alice.api.post(path, { id: file.id, text: 'New: the tower is white.', extra: 1 });
      expect(answer.header('deprecation')).toBe('true');
      expect(answer.as(updated)).toEqual({ id: file.id });
      const after = await until(async () => {
        const now = await alice.waitUntilFinished(file.id);
        return now.revision === 2 ? now : null;
      }, 'the second revision');
      expect([after.type, after.name, after.status]).toEqual(['file', 'tower.txt', 'synched']);
      const found = await alice.search(datastoreId, 'tower');
      expect(found.map((item) => item.text)).toEqual(['New: the tower is white.']);
      (await alice.api.get(`/datasources/${file.id}/text?revision=1`)).assertError('GONE');
      const named = { id: file.id, text: 'New: the tower is white.', name: 'Tower', metadata: { v: 3 } };
      (await alice.api.post(path, named)).as(updated);
      const renamed = await alice.waitUntilSynched(file.id);
      expect([renamed.name, renamed.metadata]).toEqual(['Tower', { v: 3 }]);
    });

    it('update: validates each field, and the datastore of the datasource', async () => {
      const { alice } = fixture();
      const { id: datastoreId } = await alice.datastore();
      const other = await alice.datastore();
      const text = await alice.text(datastoreId, 'x');
      const path = `/datastores/update/${datastoreId}`;
      const good = { id: text.id, text: 'y' };
      await assertEachRefused(alice.api, 'POST', path, good, {
        id: ['', undefined, ...NON_STRINGS],
        ...BAD_DOCUMENTS,
      });
      (await alice.api.post(path, { ...good, id: UNKNOWN_ID })).assertError('NOT_FOUND');
      (await alice.api.post(`/datastores/update/${other.id}`, good)).assertError('NOT_FOUND');
      const page = { type: 'web_page', datastoreId, config: { source_url: 'http://127.0.0.1:9/' } };
      const { id } = (await alice.api.post('/datasources', page)).as(datasourceSchema);
      (await alice.api.post(path, { id, text: 'y' })).assertError('CONFLICT');
    });

    it('file-upload: is an upload with the datastore in the path', async () => {
      const { alice } = fixture();
      const { id: datastoreId } = await alice.datastore();
      const path = `/external/datastores/file-upload/${datastoreId}`;
      const answer = await alice.api.upload(
        [
          ['file', new Blob(['The pier is closed.']), 'pier.txt'],
          ['fileName', 'Pier.txt'],
          ['custom_id', 'pier'],
        ],
        path,
      );
      expect(answer.header('deprecation')).toBe('true');
      const created = answer.as(datasourceSchema.strict());
      expect([created.name, created.customId, created.datastoreId]).toEqual([
        'Pier.txt',
        'pier',
        datastoreId,
      ]);
      await alice.waitUntilSynched(created.id);
      (await alice.api.upload([['fileName', 'x']], path)).assertError('INVALID_REQUEST', 'file');
      (await alice.api.post(path, { file: 'x' })).assertError('INVALID_REQUEST');
    });
  });
};
