import { chunkSchema, datasourceSchema, datasourceTextSchema, runSchema } from '@citewell/contracts/schemas';
import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { until } from '../client/tenant.js';
import { leftoversOf } from './leftovers.js';
import { BROKEN_BODIES, INVALID_NAMES, NON_STRINGS, assertEachRefused, UNSTORABLE } from './field-checks.js';
import type { SpecificationPart } from './describe-specification.js';

const strict = datasourceSchema.strict();
const runs = z.array(runSchema.strict());
const today = (): string => new Date().toISOString().slice(0, 10);

const BAD_FIELDS = {
  type: ['file', 'pdf', undefined, ...NON_STRINGS],
  datastoreId: ['', 'x'.repeat(256), undefined, ...NON_STRINGS],
  name: INVALID_NAMES,
  custom_id: ['x'.repeat(256), ...UNSTORABLE, 1, true, [], {}],
  metadata: [
    'x',
    1,
    [],
    { a: '\u0000' },
    { 'k\u0000': 1 },
    { 'k\ud800': 1 },
    { a: ['\udc00'] },
    { a: 'x'.repeat(16_384) },
  ],
  text: ['', ' \n\t', undefined, ...UNSTORABLE, ...NON_STRINGS],
  config: ['x', 1, { custom_id: 1 }],
};

const BAD_URLS = [
  undefined,
  null,
  '',
  'example.com',
  '/docs',
  'ftp://example.com/',
  'file:///etc/passwd',
  'javascript:alert(1)',
  'http://',
  'https://example.com/\u0000',
  'https://example.com/\ud800',
  'https://example.com/a\nb',
  'https://user:secret@example.com/',
  `https://example.com/${'x'.repeat(2_048)}`,
  7,
  {},
];

export const datasources: SpecificationPart = (fixture) => {
  describe('datasources', () => {
    it('refuse invalid fields by name, for every type', async () => {
      const { alice } = fixture();
      const { id: datastoreId } = await alice.datastore();
      const text = { type: 'text', datastoreId, text: 'x' };
      await assertEachRefused(alice.api, 'POST', '/datasources', text, BAD_FIELDS);
      const page = { type: 'web_page', datastoreId, config: { source_url: 'https://example.com/' } };
      const configs = BAD_URLS.map((source_url) => ({ source_url }));
      await assertEachRefused(alice.api, 'POST', '/datasources', page, {
        config: [...configs, undefined, null],
      });
      for (const body of BROKEN_BODIES) {
        const options = { body, headers: { 'content-type': 'application/json' } };
        (await alice.api.call('POST', '/datasources', options)).assertError('INVALID_REQUEST');
      }
      expect((await alice.api.get(`/datasources?datastoreId=${datastoreId}`)).json).toEqual([]);
    });

    it('of web sites are refused with invalid bounds, patterns and schedules', async () => {
      const { alice } = fixture();
      const { id: datastoreId } = await alice.datastore();
      const site = { type: 'web_site', datastoreId, config: { source_url: 'https://example.com/' } };
      const address = site.config;
      const configs = [
        {},
        { sitemap: '/sitemap.xml' },
        ...[0, 100_001, 1.5, '10'].map((maxPages) => ({ ...address, maxPages })),
        ...[-1, 101].map((maxDepth) => ({ ...address, maxDepth })),
        ...['/docs', [''], [1], ['x'.repeat(501)]].map((include) => ({ ...address, include })),
        { ...address, render: 'sometimes' },
        ...['daily', '* * * *', '99 * * * *'].map((schedule) => ({ ...address, schedule })),
      ];
      await assertEachRefused(alice.api, 'POST', '/datasources', site, { config: configs });
      expect((await alice.api.get(`/datasources?datastoreId=${datastoreId}`)).json).toEqual([]);
    });

    it('start unsynched and become synched, with dates in the documented formats', async () => {
      const { alice } = fixture();
      const { id: datastoreId } = await alice.datastore();
      const body = {
        type: 'text',
        datastoreId,
        text: 'Tides follow the moon.',
        name: 'Tides',
        custom_id: 'tides',
      };
      const created = (await alice.api.post('/datasources', { ...body, extra: 1, metadata: { a: [1] } })).as(
        strict,
      );
      expect(created.status).toBe('unsynched');
      expect(created.lastSynch).toBeNull();
      expect(created.groupId).toBeNull();
      expect(created.error).toBeNull();
      expect(created.revision).toBe(0);
      expect(created.createdAt).toMatch(/^\d{4}-\d\d-\d\d$/);
      const { status, name, customId, config, error, revision, stats, progress, ...rest } =
        await alice.waitUntilSynched(created.id);
      expect({ status, name, customId, config, error, revision, progress }).toEqual({
        status: 'synched',
        name: 'Tides',
        customId: 'tides',
        config: {},
        error: null,
        revision: 1,
        progress: null,
      });
      expect(rest.lastSynch).toBe(today());
      expect(rest.metadata).toEqual({ a: [1] });
      expect(stats.characters).toBe(22);
      expect(stats.chunks).toBe(1);
      expect(rest.timestamps.lastSynch ?? '').toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
      const [found] = await alice.search(datastoreId, 'moon tides');
      expect(found?.metadata).toEqual({ a: [1] });
    });

    it('return ranges of their text, their chunks, and the original file', async () => {
      const { alice } = fixture();
      const { id: datastoreId } = await alice.datastore();
      const text = 'Erste Zeile: Öl 🦊.\n\nZweiter Absatz, länger als der erste, 漢字 auch.';
      const { id } = await alice.text(datastoreId, text, { name: 'Zeilen' });
      const read = async (query: string) =>
        (await alice.api.get(`/datasources/${id}/text${query}`)).as(datasourceTextSchema.strict());
      const whole = await read('');
      expect(whole).toEqual({ revision: 1, length: text.length, text });
      expect((await read('?start=3&end=10')).text).toBe(text.slice(3, 10));
      expect((await read('?start=3&end=3')).text).toBe('');
      expect((await read(`?start=5&revision=1`)).text).toBe(text.slice(5));
      expect((await read('?end=99999')).text).toBe(text);
      expect((await read('?start=99999')).text).toBe('');
      for (const bad of ['start=-1', 'start=x', 'end=1.5', 'start=5&end=2', 'revision=0', 'revision=x'])
        (await alice.api.get(`/datasources/${id}/text?${bad}`)).assertError('INVALID_REQUEST');
      (await alice.api.get(`/datasources/${id}/text?revision=2`)).assertError('NOT_FOUND');

      const chunks = (await alice.api.get(`/datasources/${id}/chunks`)).as(z.array(chunkSchema.strict()));
      expect(chunks.length).toBeGreaterThan(0);
      for (const chunk of chunks) expect(chunk.text).toBe(text.slice(chunk.start, chunk.end));
      for (const item of await alice.search(datastoreId, 'Zweiter Absatz')) {
        expect(item.text).toBe(text.slice(item.start, item.end));
        expect(chunks.some((chunk) => chunk.chunk_id === item.chunk_id)).toBe(true);
      }
      const file = await alice.api.get(`/datasources/${id}/file`);
      expect(file.text).toBe(text);
      expect(file.header('content-disposition')).toBe("attachment; filename*=UTF-8''Zeilen");
      expect(file.header('x-content-type-options')).toBe('nosniff');
    });

    it('change name and custom id without a new run', async () => {
      const { alice } = fixture();
      const { id: datastoreId } = await alice.datastore();
      const created = await alice.text(datastoreId, 'Owls turn their heads.', { custom_id: 'owl' });
      const path = `/datasources/${created.id}`;
      await assertEachRefused(
        alice.api,
        'PATCH',
        path,
        {},
        {
          name: INVALID_NAMES,
          customId: ['x'.repeat(256), ...UNSTORABLE, 1, [], {}],
          config: ['x', [], { source_url: 'nonsense' }, { source_url: 'https://example.com/' }],
        },
      );
      expect((await alice.api.patch(path, {})).as(strict)).toEqual(created);
      const changed = (await alice.api.patch(path, { name: 'Eulen', customId: 'eule' })).as(strict);
      expect([changed.name, changed.customId, changed.revision]).toEqual(['Eulen', 'eule', 1]);
      const [found] = await alice.search(datastoreId, 'owls', { filters: { custom_ids: ['eule'] } });
      expect(found?.datasource_name).toBe('Eulen');
      expect((await alice.api.patch(path, { customId: null })).as(strict).customId).toBeNull();
      expect(await alice.search(datastoreId, 'owls', { filters: { custom_ids: ['eule'] } })).toEqual([]);
    });

    it('are found by a new name, which no word of the text repeats', async () => {
      const { alice } = fixture();
      const { id: datastoreId } = await alice.datastore();
      for (const name of ['Minutes_2024-02.docx', 'Minutes_2024-04.docx', 'Notes.docx'])
        await alice.waitUntilSynched(
          (await alice.text(datastoreId, 'The agenda was approved.', { name })).id,
        );
      const [renamed] = (await alice.search(datastoreId, 'Notes.docx')).map((hit) => hit.datasource_id);
      await alice.api.patch(`/datasources/${renamed}`, { name: 'Minutes_2024-03.docx' });
      const hit = await until(async () => {
        const [best] = await alice.search(datastoreId, 'the March 2024 minutes');
        return best?.datasource_id === renamed && best;
      }, 'the document to be found by its new name');
      expect(hit.score).toBeGreaterThanOrEqual(0.5);
      expect((await alice.datasource(renamed ?? '')).revision).toBe(1);
    });

    it('keep their revision when a sync finds no change, and list every run', async () => {
      const { alice } = fixture();
      const { id: datastoreId } = await alice.datastore();
      const { id } = await alice.text(datastoreId, 'Moss grows on the north side.');
      const during = (await alice.api.post(`/datasources/${id}/sync`)).as(strict);
      expect(during.progress !== null || during.status === 'synched').toBe(true);
      const after = await alice.waitUntilSynched(id);
      expect(after.revision).toBe(1);
      const [second, first, ...others] = (await alice.api.get(`/datasources/${id}/runs`)).as(runs);
      expect(others).toEqual([]);
      expect([first?.trigger, first?.state, first?.revision]).toEqual(['create', 'succeeded', 1]);
      expect([second?.trigger, second?.state]).toEqual(['sync', 'succeeded']);
      expect(await alice.search(datastoreId, 'moss')).toHaveLength(1);
    });

    it('return the unfinished run when synced again, and can be cancelled', async () => {
      const { alice } = fixture();
      const { id: datastoreId } = await alice.datastore();
      const body = { type: 'text', datastoreId, text: 'x '.repeat(200_000) };
      const created = (await alice.api.post('/datasources', body)).as(strict);
      const path = `/datasources/${created.id}`;
      await Promise.all([1, 2, 3].map(() => alice.api.post(`${path}/sync`)));
      expect((await alice.api.get(`${path}/runs`)).as(runs)).toHaveLength(1);
      const cancelled = (await alice.api.post(`${path}/cancel`)).as(strict);
      if (cancelled.status !== 'synched') {
        expect(cancelled.status).toBe('unsynched');
        expect(cancelled.error?.code).toBe('CANCELLED');
        expect(cancelled.progress).toBeNull();
        expect(await alice.search(datastoreId, 'x')).toEqual([]);
        (await alice.api.get(`${path}/text`)).assertError('NOT_FOUND');
      }
      await alice.api.post(`${path}/sync`);
      await alice.waitUntilSynched(created.id);
      const idle = (await alice.api.post(`${path}/cancel`)).as(strict);
      expect(idle.status).toBe('synched');
      expect(idle.error).toBeNull();
    });

    it('disappear from queries at once when deleted, and from all stores soon', async () => {
      const { alice, deployment } = fixture();
      const { id: datastoreId } = await alice.datastore();
      const { id } = await alice.text(datastoreId, 'Bats hang upside down.');
      const path = `/datasources/${id}`;
      expect((await alice.api.delete(path)).as(strict).id).toBe(id);
      expect(await alice.search(datastoreId, 'bats')).toEqual([]);
      for (const below of ['', '/text', '/runs', '/urls', '/chunks', '/file', '/events'])
        (await alice.api.get(`${path}${below}`)).assertError('NOT_FOUND');
      for (const below of ['/sync', '/cancel'])
        (await alice.api.post(`${path}${below}`)).assertError('NOT_FOUND');
      (await alice.api.patch(path, { name: 'x' })).assertError('NOT_FOUND');
      (await alice.api.delete(path)).assertError('NOT_FOUND');
      expect((await alice.api.get(`/datasources?datastoreId=${datastoreId}`)).json).toEqual([]);
      await until(
        async () => (await leftoversOf(deployment, id)).length === 0,
        `all data of ${id} to be deleted`,
      );
    });

    it('stream their progress as events until no run is unfinished', async () => {
      const { alice } = fixture();
      const { id: datastoreId } = await alice.datastore();
      const body = { type: 'text', datastoreId, text: 'Foxes listen for mice. '.repeat(500) };
      const { id } = (await alice.api.post('/datasources', body)).as(strict);
      const events = await alice.api.get(`/datasources/${id}/events`);
      expect(events.header('content-type')).toBe('text/event-stream');
      expect(events.header('x-accel-buffering')).toBe('no');
      expect(events.header('access-control-allow-origin')).toBe('*');
      expect(events.header('x-request-id')).not.toBeNull();
      const states = events.text
        .split('\n\n')
        .filter((frame) => frame.startsWith('event: datasource\n'))
        .map((frame) => strict.parse(JSON.parse(frame.slice('event: datasource\ndata: '.length))));
      expect(states.at(-1)?.status).toBe('synched');
      expect(states.every((state) => state.id === id)).toBe(true);
      expect(states.slice(0, -1).every((state) => state.progress !== null)).toBe(true);
    });
  });
};
