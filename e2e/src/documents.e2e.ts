import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { datasourceSchema } from '@citewell/contracts/http';
import { buildPdf, drawPages } from '@citewell/documents/test-files';
import { Tenant } from './client/tenant.js';
import type { Deployment } from './deployments/deployment.js';
import { startEmbedded } from './deployments/embedded.deployment.js';
import { CUT_TEXTS, hostileFiles, REFUSED_FILES } from './documents/hostile-files.js';
import { SAMPLES } from './fixtures/files.js';

const MAX_CHARACTERS = 200_000;
const TIME_LIMIT_MS = 20_000;

type Content = Uint8Array<ArrayBuffer>;

async function upload({ api }: Tenant, datastoreId: string, name: string, content: Content): Promise<string> {
  const answer = await api.upload([
    ['datastoreId', datastoreId],
    ['file', new Blob([content]), name],
  ]);
  return answer.as(datasourceSchema).id;
}

describe('files that are hostile or damaged', () => {
  let deployment: Deployment;
  let tenant: Tenant;
  let datastoreId: string;

  before(async () => {
    deployment = await startEmbedded({
      PARSER_MAX_CHARACTERS: String(MAX_CHARACTERS),
      TESSERACT_PATH: 'tesseract-is-not-installed',
    });
    tenant = await Tenant.create(deployment);
    datastoreId = (await tenant.datastore()).id;
  });
  after(() => deployment.stop());

  it('end as errors that say what to do, soon, while others go on', { timeout: 120_000 }, async (context) => {
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
      await tenant.synched(good);
      const { status, error } = await tenant.settled(bad);
      assert.deepEqual([file.name, status, error?.code], [file.name, 'error', file.code]);
      assert.equal(error?.retryable, false, file.name);
      assert.match(error.message, file.message ?? /\w+ \w+.*\.$/, file.name);
      assert.doesNotMatch(error.message, /\/\w+\/|node_modules|Error:|\bat \w+ \(/, 'nothing of our insides');
    }
    const tookMs = performance.now() - started;
    context.diagnostic(`${files.length} of them, with as many good ones, in ${(tookMs / 1000).toFixed(1)} s`);
    // All of them together in the time that each may take.
    assert.ok(tookMs < TIME_LIMIT_MS);
  });

  it('are refused at once when they are none of the eight types', async () => {
    for (const [name, content] of REFUSED_FILES) {
      const answer = await tenant.api.upload([
        ['datastoreId', datastoreId],
        ['file', new Blob([content]), name],
      ]);
      answer.refusedWith('UNSUPPORTED_MEDIA_TYPE');
    }
  });

  it('are read as far as they go when they are text', async () => {
    for (const [name, content] of CUT_TEXTS) {
      await tenant.synched(await upload(tenant, datastoreId, name, content));
    }
  });
});

describe('a scanned file', () => {
  it('is read by text recognition, and found on its page', { timeout: 120_000 }, async () => {
    const deployment = await startEmbedded();
    try {
      const tenant = await Tenant.create(deployment);
      const { id: datastoreId } = await tenant.datastore();
      const pages = [
        [{ text: 'The lighthouse keeper paints the tower.', y: 700, size: 14 }],
        [{ text: 'Barnacles grow below the waterline.', y: 700, size: 14 }],
      ];
      const scan = buildPdf([[{ text: 'Cover sheet', y: 700 }], ...drawPages(buildPdf(pages))]);
      const datasource = await tenant.file(datastoreId, scan, 'scan.pdf');
      assert.equal(datasource.stats?.pages, 3);
      const [found] = await tenant.search(datastoreId, 'Where do barnacles grow?');
      assert.match(found?.text ?? '', /Barnacles grow below the waterline/);
      assert.equal(found?.page_number, 3);
    } finally {
      await deployment.stop();
    }
  });
});
