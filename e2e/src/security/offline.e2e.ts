// As root, `unshare -n sh -c 'ip link set lo up && npm test -- offline.e2e'` runs it without a route to another machine.
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { datasourceSchema } from '@citewell/contracts/schemas';
import { chromiumForTests } from '@citewell/testing';
import { type ModelServer, startModelServer } from '@citewell/testing/model-server';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Tenant } from '../client/tenant.js';
import { until } from '../client/tenant.js';
import { launchChromium, signInWithKey, Window } from '../dashboard/browser-fixture.js';
import { HARBOUR } from '../dashboard/upload-files.js';
import { API_KEY, createTemporaryDirectory } from '../deployments/deployment.js';
import { type EmbeddedDeployment, startEmbedded } from '../deployments/embedded.deployment.js';

const executablePath = await chromiumForTests();
const SENTENCE = 'The server works offline. It connects only to hosts that its variables name';
const PUBLIC = '93.184.216.34';
const RECORDER = new URL('./record-connections.js', import.meta.url).href;

describe('offline', () => {
  let directory: Awaited<ReturnType<typeof createTemporaryDirectory>>;
  let recorded: string;
  let site: Server;
  let siteUrl: string;
  let model: ModelServer;
  let deployment: EmbeddedDeployment;
  let tenant: Tenant;

  beforeAll(async () => {
    directory = await createTemporaryDirectory();
    recorded = join(directory.path, 'connections');
    await writeFile(recorded, '');
    site = createServer((request, response) => {
      if (request.url === '/away')
        return void response.writeHead(302, { location: `http://${PUBLIC}/` }).end();
      if (request.url === '/robots.txt') return void response.writeHead(404).end();
      return void response
        .setHeader('content-type', 'text/html')
        .end('<title>Intranet</title><p>The canteen opens at noon.</p>');
    });
    await new Promise<void>((listening) => site.listen(0, '127.0.0.1', listening));
    // A server that listens on TCP has an AddressInfo.
    siteUrl = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
    model = await startModelServer();
    deployment = await startEmbedded({
      OFFLINE: 'true',
      ALLOW_PRIVATE_NETWORKS: '127.0.0.0/8',
      RECORDED_CONNECTIONS: recorded,
      NODE_OPTIONS: `--import=${RECORDER}`,
    });
    ({ tenant } = deployment);
  });
  afterAll(async () => {
    await deployment.stop();
    await Promise.all([model.close(), directory.remove()]);
    site.closeAllConnections();
    await new Promise((closed) => site.close(closed));
  });

  it('says at the start what it may connect to', () => {
    expect(deployment.process.output).toContain('It connects to no other machine.');
  });

  (executablePath === null ? it.skip : it)('uploads, asks and invites in a browser', async () => {
    const browser = await launchChromium(executablePath ?? '');
    const window = await Window.open(browser, deployment.origin);
    const { page } = window;
    await page.goto(deployment.origin);
    await signInWithKey(page, API_KEY);
    await page.getByRole('heading', { name: 'Ask your own documents' }).waitFor();
    await page.locator('input[type=file]').first().setInputFiles(HARBOUR);
    const question = page.getByLabel('Ask a question about your documents');
    await question.fill('How much do sailing boats pay?');
    await question.press('Enter');
    await page.getByRole('article').getByText('14 euros').first().waitFor();
    await page
      .getByRole('link', { name: /^Source 1/ })
      .first()
      .click();
    await page.locator('mark').first().waitFor();
    const { token } = (await tenant.api.post('/people', { email: 'grace@example.com', role: 'member' }))
      .json as { token: string };
    await page.context().clearCookies();
    await page.goto(`${deployment.origin}/#invite=${token}`);
    await page.getByLabel('New password').fill('correct horse battery');
    await page.getByRole('button', { name: 'Save and sign in' }).click();
    await page.getByRole('button', { name: 'grace@example.com' }).waitFor();
    await window.close();
    await browser.close();
  });

  it('reads pages of an allowed network, and no others', async () => {
    const { id: datastoreId } = await tenant.datastore();
    const outcomes: Record<string, string> = {};
    const addresses = {
      allowed: `${siteUrl}/`,
      redirected: `${siteUrl}/away`,
      name: 'https://www.example.com/',
      address: `http://${PUBLIC}/`,
      'private network': 'http://10.0.0.1/',
    };
    for (const [name, source_url] of Object.entries(addresses)) {
      const body = { type: 'web_page', datastoreId, name, config: { source_url } };
      const { id } = (await tenant.api.post('/datasources', body)).as(datasourceSchema);
      const ended = await until(async () => {
        const { status, error } = (await tenant.api.get(`/datasources/${id}`)).as(datasourceSchema);
        return status === 'synched' || status === 'error' ? { status, error } : null;
      }, name);
      outcomes[name] = ended.error?.code ?? ended.status;
      if (ended.error) expect(ended.error.message).toMatch(/offline/i);
    }
    expect(outcomes).toEqual({
      allowed: 'synched',
      redirected: 'OFFLINE',
      name: 'OFFLINE',
      address: 'OFFLINE',
      'private network': 'OFFLINE',
    });
  });

  it.each<[string, string, string, object]>([
    ['a webhook', 'POST', '/webhooks', { url: 'https://example.com/hook', events: ['datasource.synched'] }],
    ['single sign-on', 'POST', '/identity-providers', { name: 'X', issuer: 'https://accounts.google.com' }],
    [
      'a model server',
      'PUT',
      '/models/chat',
      { provider: 'openai', model: 'm', baseUrl: 'https://llm.example' },
    ],
    ['a provider', 'POST', '/models/chat/test', { provider: 'anthropic', model: 'claude', apiKey: 'k' }],
    ['a provider of OpenAI', 'POST', '/models/chat/test', { provider: 'openai', model: 'm', apiKey: 'k' }],
    [
      'a model for pictures',
      'POST',
      '/models/pictures/test',
      { provider: 'openai', model: 'm', apiKey: 'k' },
    ],
    ['a rerank server', 'POST', '/models/rerank/test', { provider: 'cohere', model: 'm', apiKey: 'k' }],
  ])('refuses %s with a sentence', async (_, method, path, json) => {
    const response = await tenant.api.call(method, path, { json });
    expect(response.text).toContain(SENTENCE.replace(/^The server works offline\. /, ''));
  });

  it('downloads no local model, and says so', async () => {
    (await tenant.api.call('PUT', '/models/embedding', { json: { name: 'local' } })).assertOk();
    const problem = await until(async () => {
      const { text } = await tenant.api.get('/models/embedding');
      return text.includes('offline') ? text : null;
    }, 'the sentence');
    expect(problem).toContain(
      'The server works offline and does not download the model Xenova/multilingual-e5-small.',
    );
  });

  it('uses a model on this machine', async () => {
    const json = { provider: 'openai', model: 'test-chat', baseUrl: model.baseUrl, apiKey: 'k' };
    (await tenant.api.call('POST', '/models/chat/test', { json })).assertOk();
  });

  it('has connected to no other machine', async () => {
    expect(await readFile(recorded, 'utf8')).toBe('');
    // The recorder would have seen it: an address for documentation, which no machine has (RFC 5737).
    const script = "net.connect(9, '192.0.2.1').on('connectionAttempt', () => process.exit())";
    await promisify(execFile)(process.execPath, [`--import=${RECORDER}`, '-e', script], {
      env: { RECORDED_CONNECTIONS: recorded },
    });
    expect(await readFile(recorded, 'utf8')).toBe('192.0.2.1\n');
  });
});
