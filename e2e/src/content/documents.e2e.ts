import assert from 'node:assert/strict';
import { datasourceSchema, datasourceTextSchema } from '@citewell/contracts/schemas';
import {
  buildDocx,
  buildOds,
  buildPdf,
  drawPages,
  pngOf,
  relationships,
  wordParagraph,
} from '@citewell/documents/test-files';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Tenant, until } from '../client/tenant.js';
import type { Deployment } from '../deployments/deployment.js';
import { startEmbedded } from '../deployments/embedded.deployment.js';
import { hostileFiles, REFUSED_FILES, TRUNCATED_TEXTS } from './documents/hostile-files.js';
import { SAMPLES } from '../fixtures/files.js';
import { report } from '../report.js';

const MAX_CHARACTERS = 200_000;
const TIME_LIMIT_MS = 20_000;

const WORD_PICTURE =
  '<w:p><w:r><w:drawing><pic:pic><pic:blipFill><a:blip r:embed="p1"/></pic:blipFill></pic:pic></w:drawing></w:r></w:p>';
const BERTHS = [
  ['berth', 'harbour', 'fee'],
  ['A1', 'Kelpwick', '1240.5'],
  ['A2', 'Kelpwick', '980'],
  ['B1', 'Sandhaven', '700'],
]
  .map((cells) => `<table:table-row>${cells.map(sheetCell).join('')}</table:table-row>`)
  .join('');

function sheetCell(value: string): string {
  const isNumber = !Number.isNaN(Number(value));
  const shown = isNumber ? `${Number(value).toLocaleString('de', { minimumFractionDigits: 2 })} €` : value;
  const type = isNumber
    ? `office:value-type="currency" office:value="${value}"`
    : 'office:value-type="string"';
  return `<table:table-cell ${type}><text:p>${shown}</text:p></table:table-cell>`;
}

type Content = Uint8Array<ArrayBuffer>;

/** In KOI8-R: Привет, мир! */
const GREETING = Uint8Array.from(Buffer.from('f0d2c9d7c5d42c20cdc9d221', 'hex'));

async function upload({ api }: Tenant, datastoreId: string, name: string, content: Content): Promise<string> {
  const answer = await api.upload([
    ['datastoreId', datastoreId],
    ['file', new Blob([content]), name],
  ]);
  return answer.as(datasourceSchema).id;
}

describe('hostile and damaged files', () => {
  let deployment: Deployment;
  let tenant: Tenant;
  let datastoreId: string;

  beforeAll(async () => {
    deployment = await startEmbedded({
      PARSER_MAX_CHARACTERS: String(MAX_CHARACTERS),
      OCR_LANGUAGES: 'tlh',
    });
    tenant = await Tenant.create(deployment);
    datastoreId = (await tenant.datastore()).id;
  });
  afterAll(() => deployment.stop());

  it('end with a clear error within the time limit, and do not block others', async () => {
    const files = hostileFiles(MAX_CHARACTERS);
    const started = performance.now();
    const pairs = await Promise.all(
      files.map(async (file, index) => {
        const sample = SAMPLES[index % SAMPLES.length];
        assert.ok(sample);
        const bad = await upload(tenant, datastoreId, file.name, file.content);
        return { file, bad, good: await upload(tenant, datastoreId, sample.name, sample.content) };
      }),
    );
    for (const { file, bad, good } of pairs) {
      await tenant.waitUntilSynched(good);
      const { status, error } = await tenant.waitUntilFinished(bad);
      expect([file.name, status, error?.code]).toEqual([file.name, 'error', file.code]);
      expect([file.name, error?.retryable]).toEqual([file.name, false]);
      expect([file.name, error?.message]).toEqual([
        file.name,
        expect.stringMatching(file.message ?? /\w+ \w+.*\.$/),
      ]);
      // No internal details.
      expect(error?.message).not.toMatch(/\/\w+\/|node_modules|Error:|\bat \w+ \(/);
    }
    const tookMs = performance.now() - started;
    report(`${files.length} hostile and as many good files in ${(tookMs / 1000).toFixed(1)} s`);
    // All files together must not take longer than one alone may.
    expect(tookMs).toBeLessThan(TIME_LIMIT_MS);
  });

  it('of other types are refused at upload', async () => {
    for (const [name, content] of REFUSED_FILES) {
      const answer = await tenant.api.upload([
        ['datastoreId', datastoreId],
        ['file', new Blob([content]), name],
      ]);
      answer.assertError('UNSUPPORTED_MEDIA_TYPE');
    }
  });

  it('are read again when their encoding is chosen', async () => {
    const send = async (...fields: [name: string, value: string][]) =>
      tenant.api.upload([
        ['datastoreId', datastoreId],
        ['custom_id', 'greeting'],
        ['upsert', 'true'],
        ...fields,
        ['file', new Blob([GREETING]), 'greeting.txt'],
      ]);
    const read = async (id: string): Promise<unknown> => {
      await tenant.waitUntilSynched(id);
      return (await tenant.api.get(`/datasources/${id}/text`)).as(datasourceTextSchema).text;
    };
    const { id, config } = (await send(['encoding', 'CP1251'])).as(datasourceSchema);
    expect(config).toEqual({ encoding: 'windows-1251' });
    expect(await read(id)).toBe('рТЙЧЕФ, НЙТ!');

    (await tenant.api.patch(`/datasources/${id}`, { config: { encoding: 'koi8-r' } })).assertOk();
    await until(async () => ((await read(id)) === 'Привет, мир!' ? true : null), 'the text in KOI8-R');
    // Equal bytes keep the encoding, and another one replaces them.
    expect((await send()).as(datasourceSchema)).toMatchObject({
      id,
      upsertOutcome: 'unchanged',
      config: { encoding: 'koi8-r' },
    });
    expect((await send(['encoding', 'cp1251'])).as(datasourceSchema)).toMatchObject({
      id,
      upsertOutcome: 'replaced',
    });
    expect(await read(id)).toBe('рТЙЧЕФ, НЙТ!');
    (await send(['encoding', 'klingon'])).assertError('INVALID_REQUEST');
    (await tenant.api.patch(`/datasources/${id}`, { config: { encoding: 'klingon' } })).assertError(
      'INVALID_REQUEST',
    );
  });

  it('that are truncated text are ingested as far as they go', async () => {
    for (const [name, content] of TRUNCATED_TEXTS) {
      await tenant.waitUntilSynched(await upload(tenant, datastoreId, name, content));
    }
  });
});

describe('a scanned file', () => {
  it('is read by OCR, and its text is found with the page number', async () => {
    const deployment = await startEmbedded({ TESSERACT_PATH: 'tesseract-is-not-installed' });
    try {
      const tenant = await Tenant.create(deployment);
      const { id: datastoreId } = await tenant.datastore();
      const pages = [
        [{ text: 'The lighthouse keeper paints the tower.', y: 700, size: 14 }],
        [{ text: 'Barnacles grow below the waterline.', y: 700, size: 14 }],
      ];
      const scan = buildPdf([[{ text: 'Cover sheet', y: 700 }], ...drawPages(buildPdf(pages))]);
      const datasource = await tenant.file(datastoreId, scan, 'scan.pdf');
      expect(datasource.stats?.pages).toBe(3);
      const [found] = await tenant.search(datastoreId, 'Where do barnacles grow?');
      expect(found?.text ?? '').toMatch(/Barnacles grow below the waterline/);
      expect(found?.page_number).toBe(3);

      // A picture in a document, and a sheet whose rows are counted.
      const picture = drawPages(
        buildPdf([[{ text: 'The foghorn sounds twice a minute.', y: 700, size: 14 }]]),
      ).map(pngOf);
      const poster = buildDocx(wordParagraph('In fog') + WORD_PICTURE, {
        'word/_rels/document.xml.rels': relationships({ p1: ['image', 'media/p.png'] }),
        'word/media/p.png': picture[0] ?? '',
      });
      await tenant.file(datastoreId, poster, 'poster.docx');
      await tenant.file(
        datastoreId,
        buildOds(`<table:table table:name="Berths">${BERTHS}</table:table>`),
        'berths.ods',
      );
      const agent = await tenant.agent({ datastoreIds: [datastoreId], restrictToSources: true });
      const foghorn = await tenant.ask(agent.id, 'How often does the foghorn sound?');
      expect(foghorn.sources[0]).toMatchObject({ source: 'poster.docx' });
      expect(foghorn.sources[0]?.text).toMatch(/foghorn sounds twice a minute/);
      const berths = await tenant.ask(agent.id, 'Which berths are in Kelpwick?');
      expect(berths.sources[0]).toMatchObject({ source: 'berths.ods' });
      expect(berths.answer).toMatch(/1.?240[.,]50/);
    } finally {
      await deployment.stop();
    }
  });
});
