import {
  type EmbeddingSettings,
  embeddingSettingsSchema,
  modelsSchema,
  modelTestSchema,
  organizationSchema,
  rerankSettingsSchema,
} from '@citewell/contracts/schemas';
import { writeTinyModel } from '@citewell/testing';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createServer, type Server } from 'node:http';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { ApiClient } from '../client/api-client.js';
import { Tenant, until } from '../client/tenant.js';
import type { Deployment } from '../deployments/deployment.js';
import { describeDeployment } from '../deployments/describe-deployment.js';

/** Settings of npm, which installs ONNX Runtime: its cache, and perhaps a mirror. */
const NPM_SETTINGS = Object.fromEntries(
  Object.entries(process.env).flatMap(([name, value = '']) =>
    /^npm_config_/i.test(name) ? [[name, value]] : [],
  ),
);
const PREPARATION_MS = 180_000;
/** A model that knows three words, of which two mean the same. */
const WORDS = { puss: [1, 0, 0], moggy: [1, 0, 0], spaniel: [0, 1, 0] };
const TEXTS = ['Our puss sleeps.', 'The spaniel barks.'];

describeDeployment('the choice of the embedding model', (start) => {
  let deployment: Deployment;
  let tenant: Tenant;
  let mirror: Server;
  let directory: string;
  let name: string;
  let datastoreId: string;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'citewell-mirror-'));
    await writeTinyModel(join(directory, 'tiny'), 'embed', WORDS);
    mirror = createServer((request, response) => {
      readFile(join(directory, String(request.url))).then(
        (content) => response.setHeader('content-length', content.length).end(content),
        () => response.writeHead(404).end(),
      );
    });
    await new Promise<void>((resolve) => mirror.listen(0, '127.0.0.1', resolve));
    name = `local:http://127.0.0.1:${(mirror.address() as AddressInfo).port}/tiny`;
    deployment = await start(NPM_SETTINGS);
    const admin = new ApiClient(deployment.baseUrl, deployment.adminKey);
    const [first] = (await admin.get('/organizations')).as(z.array(organizationSchema));
    tenant = new Tenant(new ApiClient(deployment.baseUrl, deployment.apiKey), first?.id ?? '');
    datastoreId = (await tenant.datastore()).id;
    for (const text of TEXTS) await tenant.text(datastoreId, text);
  });
  afterAll(async () => {
    await deployment.stop();
    mirror.closeAllConnections();
    mirror.close();
    await rm(directory, { recursive: true });
  });

  const settings = async (): Promise<EmbeddingSettings> =>
    (await tenant.api.get('/models/embedding')).as(embeddingSettingsSchema.strict());
  const choose = async (chosen: string): Promise<EmbeddingSettings> =>
    (await tenant.api.put('/models/embedding', { name: chosen })).as(embeddingSettingsSchema.strict());
  const inUse = async () => (await tenant.api.get('/models')).as(modelsSchema.strict()).embedding;
  const bestOf = async (question: string) =>
    (await tenant.search(datastoreId, question, { topK: 1 }))[0]?.text;
  /** Asks meanwhile: words are always found. */
  const untilSwitched = (): Promise<unknown> =>
    until(
      async () => {
        expect(await bestOf('spaniel')).toBe(TEXTS[1]);
        const { preparation, documents } = await settings();
        return preparation === null && documents.done === documents.total;
      },
      'all documents to be embedded',
      PREPARATION_MS,
    );

  it('is the built-in model at first', async () => {
    expect(await settings()).toMatchObject({
      name: 'builtin',
      chosenBy: 'default',
      preparation: null,
      documents: { done: 2, failed: 0, total: 2 },
      offers: [{ languages: 'english' }, { languages: 'multilingual' }],
    });
  });

  it(
    'chooses a local rerank model, which is prepared in the background',
    async () => {
      for (const model of ['./none', 'http://10.0.0.1/m', 'a/../b'])
        (await tenant.api.put('/models/rerank', { provider: 'local', model })).assertError('INVALID_REQUEST');
      const source = join(directory, 'score');
      try {
        await writeTinyModel(source, 'score', { library: [2], bananas: [-2] });
        const rerank = async () => (await tenant.api.get('/models/rerank')).as(rerankSettingsSchema.strict());
        const body = { provider: 'local', model: source };
        const chosen = await tenant.api.put('/models/rerank', body);
        chosen.assertOk();
        let problem: string | null = null;
        const isReady = async () => (problem = (await rerank()).problem) === null;
        await until(isReady, 'the local rerank model', PREPARATION_MS).catch((error: unknown) => {
          throw new Error(String(problem), { cause: error });
        });
        expect(await rerank()).toMatchObject({ provider: 'local', model: source, hasKey: false });
        const tests = [
          await tenant.api.post('/models/test', { kind: 'rerank' }),
          await tenant.api.post('/models/rerank/test', body),
        ];
        for (const test of tests) {
          const { ok, scores: [right = 0, wrong = 1] = [] } = test.as(modelTestSchema.strict());
          expect([ok, right > wrong]).toEqual([true, true]);
        }
      } finally {
        (await tenant.api.delete('/models/rerank')).assertOk();
      }
    },
    PREPARATION_MS,
  );

  it('belongs to the first organization', async () => {
    const other = await Tenant.create(deployment);
    (await other.api.get('/models/embedding')).assertError('FORBIDDEN');
    (await other.api.put('/models/embedding', { name: 'local' })).assertError('FORBIDDEN');
  });

  it.each([
    'text-embedding-3-small',
    'none',
    'local:',
    'local:./missing',
    'local:a/../b',
    'local:http://u:p@x/m',
    'local:http://169.254.169.254/m',
  ])('refuses %s', async (chosen) => {
    (await tenant.api.put('/models/embedding', { name: chosen })).assertError('INVALID_REQUEST');
  });

  it('tells what a model lacks, while the earlier one answers', async () => {
    await choose(name.replace('tiny', 'missing'));
    const failed = await until(async () => {
      const { preparation } = await settings();
      return preparation?.step === 'failed' && preparation;
    }, 'the download to fail');
    expect(failed.message).toMatch(/config.json does not exist/);
    expect(await inUse()).toMatchObject({ name: 'builtin' });
    expect(await bestOf('spaniel')).toBe(TEXTS[1]);
  });

  it('downloads a model from a mirror, and switches without a restart', async () => {
    expect(await choose(name)).toMatchObject({
      name,
      chosenBy: 'setting',
      documents: { done: 0, failed: 0, total: 2 },
    });
    await untilSwitched();
    expect(await inUse()).toEqual({ name, provider: 'local', dimensions: 3 });
    expect(await bestOf('moggy')).toBe(TEXTS[0]);
    const agent = await tenant.agent({ datastoreIds: [datastoreId] });
    expect((await tenant.ask(agent.id, 'moggy')).answer).toContain(TEXTS[0]);
    const added = await tenant.text(datastoreId, 'A moggy purrs.');
    await until(async () => (await tenant.datasource(added.id)).semantic === null, 'the new text to follow');
    expect(await settings()).toMatchObject({
      documents: { done: 3, failed: 0, total: 3 },
      secondsLeft: null,
    });
  });

  it('is undone', async () => {
    await choose('builtin');
    await untilSwitched();
    expect(await inUse()).toMatchObject({ name: 'builtin' });
    expect(await settings()).toMatchObject({
      chosenBy: 'setting',
      documents: { done: 3, failed: 0, total: 3 },
    });
  });
});
