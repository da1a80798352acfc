import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { type Datasource, datasourceSchema } from '@citewell/contracts/http';
import { chromiumForTests } from '@citewell/testing';
import { Tenant, until } from './client/tenant.js';
import type { Deployment, Environment } from './deployments/deployment.js';
import { startEmbedded } from './deployments/embedded.deployment.js';

const chromium = await chromiumForTests();
const skip = chromium === null ? 'there is no Chromium: apt-get install chromium' : false;

const shell = (code: string): string => `<!doctype html><html lang="en"><head><title>Harbour</title></head>
<body><div id="root"></div><noscript>You need to enable JavaScript.</noscript><script>${code}</script></body></html>`;
const plain = (title: string, text: string, links = ''): string =>
  `<!doctype html><html lang="en"><title>${title}</title><main><h1>${title}</h1><p>${text}</p>${links}</main></html>`;

/** A site of the outside world on loopback, with a page in it that only a browser can read. */
class HarbourSite {
  readonly asked: string[] = [];
  private readonly server: Server = createServer((incoming, response) => {
    const asked = incoming.url ?? '';
    // As a proxy it is asked for whole addresses, of hosts that only it knows.
    const url = URL.parse(asked)?.pathname ?? asked;
    this.asked.push(asked);
    const page = this.pages[url];
    if (url === '/api/pilots')
      response.end('{"text":"The pilots of Ystad board ships two miles off the mole."}');
    else if (page === undefined) response.writeHead(404).end();
    else response.setHeader('content-type', 'text/html').end(page);
  });

  private readonly pages: Readonly<Record<string, string>> = {
    '/': plain(
      'Harbour office',
      'The office of the harbour is open from Monday to Friday, in summer on Saturdays too.',
      '<a href="/pilots">Pilots</a> <a href="/tides">Tides</a>',
    ),
    '/tides': plain(
      'Tides',
      'The tide tables of the harbour are printed every November for the year to come.',
    ),
    '/tugs': plain('Tugs', 'Three tugs lie ready at the northern quay, the strongest pulls sixty tonnes.'),
    '/pilots': shell(`
      fetch('/api/pilots').then((answer) => answer.json()).then(({ text }) => {
        root.innerHTML = '<main><h1 id="pilots">Pilots</h1><p>' + text + '</p><a href="/tugs">Tugs</a>'
          + '<img src="/pilot.png"><video src="/pilot.mp4"></video></main>';
      });`),
    '/away': shell(`location.href = 'http://169.254.169.254/latest/meta-data';`),
    '/moved': shell(`location.replace('/pilots');`),
    '/loop': shell('for (;;) {}'),
    '/memory': shell(
      'const all = []; setInterval(() => { for (let i = 0; i < 4; i += 1) all.push(new Uint8Array(2 ** 26).fill(1)); }, 20);',
    ),
    '/slow': shell(`setInterval(() => fetch('/api/pilots'), 100);`),
    '/some': shell('').replace('<div id="root"></div>', '<p>Closed for the winter.</p><div id="root"></div>'),
  };

  get origin(): string {
    // A server that listens on TCP has an AddressInfo.
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async start(): Promise<void> {
    await new Promise<void>((listening) => this.server.listen(0, '127.0.0.1', listening));
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}

/** Processes of browsers that the given process has started, or that what it started has started. */
async function browsersOf(pid: number): Promise<number> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const folder = new RegExp(`citewell-browser-\\w+-${pid}-`);
  const all = await Promise.all(
    pids.map((one) => readFile(`/proc/${one}/environ`, 'latin1').catch(() => '')),
  );
  return all.filter((environment) => folder.test(environment)).length;
}

const SETTINGS: Environment = {
  ALLOW_PRIVATE_NETWORKS: '127.0.0.1/32',
  CRAWL_DELAY_MS: '0',
  RATE_LIMIT_PER_MINUTE: '0',
  RENDER_TIMEOUT_MS: '6000',
  RENDER_MEMORY_BYTES: String(700 * 1024 * 1024),
  ...(process.env['CHROMIUM_PATH'] ? { CHROMIUM_PATH: process.env['CHROMIUM_PATH'] } : {}),
};

describe('pages that need a browser', { skip }, () => {
  const site = new HarbourSite();
  let deployment: Deployment;
  let tenant: Tenant;

  before(async () => {
    await site.start();
    deployment = await startEmbedded(SETTINGS);
    tenant = await Tenant.create(deployment);
  });
  after(async () => {
    await deployment.stop();
    site.stop();
  });

  async function add(
    datastoreId: string,
    type: string,
    path: string,
    config: object = {},
  ): Promise<Datasource> {
    const body = { type, datastoreId, config: { source_url: site.origin + path, ...config } };
    return (await tenant.api.post('/datasources', body)).as(datasourceSchema);
  }
  async function page(path: string, config: object = {}): Promise<{ store: string; page: Datasource }> {
    const { id: store } = await tenant.datastore();
    return { store, page: await tenant.settled((await add(store, 'web_page', path, config)).id) };
  }

  it('are rendered, indexed, and answer a question', async () => {
    site.asked.length = 0;
    const { store, page: pilots } = await page('/pilots');
    assert.equal(pilots.status, 'synched', JSON.stringify(pilots.error));
    const [found] = await tenant.search(store, 'Where do the pilots of Ystad board ships?');
    assert.match(found?.text ?? '', /two miles off the mole/);
    assert.doesNotMatch(found?.text ?? '', /JavaScript/);
    const { id: agent } = await tenant.agent({ datastoreIds: [store] });
    assert.match((await tenant.ask(agent, 'Where do the pilots board ships?')).answer, /two miles/);
    assert.deepEqual(
      site.asked.filter((url) => /png|mp4/.test(url)),
      [],
    );
    // The page itself was fetched once: the browser was given what had come.
    assert.deepEqual(
      site.asked.filter((url) => url === '/pilots'),
      ['/pilots'],
    );
  });

  it('follow a redirect by script, but not into a private network', async () => {
    const moved = await page('/moved');
    assert.equal(moved.page.status, 'synched', JSON.stringify(moved.page.error));
    assert.equal((await tenant.search(moved.store, 'pilots')).length > 0, true);
    const away = await page('/away');
    assert.deepEqual([away.page.status, away.page.error?.code], ['error', 'ADDRESS_BLOCKED']);
  });

  it('are left as they are with `never`, and used as far as they go where there is some text', async () => {
    assert.equal((await page('/pilots', { render: 'never' })).page.error?.code, 'EMPTY_DOCUMENT');
    const some = await page('/some');
    assert.equal(some.page.status, 'synched', JSON.stringify(some.page.error));
  });

  it('are found among others in a site, and their links are followed', async () => {
    const { id: store } = await tenant.datastore();
    const created = await add(store, 'web_site', '/');
    const crawled = await tenant.settled(created.id);
    assert.equal(crawled.status, 'synched', JSON.stringify(crawled.error));
    await until(async () => {
      const [found] = await tenant.search(store, 'How much does the strongest tug pull?');
      return /sixty tonnes/.test(found?.text ?? '');
    }, 'the page that only the rendered one links to');
    const [pilots] = await tenant.search(store, 'Where do pilots board ships?');
    assert.match(pilots?.text ?? '', /two miles off the mole/);
  });

  it('end within their limits, and others go on', { timeout: 120_000 }, async () => {
    const { id: store } = await tenant.datastore();
    const loop = await add(store, 'web_page', '/loop');
    const memory = await add(store, 'web_page', '/memory');
    const good = await add(store, 'web_page', '/pilots');
    await tenant.synched(good.id);
    const errorOf = (id: string): Promise<string> =>
      until(
        async () => {
          const { progress, error } = await tenant.datasource(id);
          return progress === null && error?.code;
        },
        'the page to fail',
        100_000,
      );
    assert.equal(await errorOf(loop.id), 'PARSE_TIMEOUT');
    assert.equal(await errorOf(memory.id), 'PARSE_MEMORY');
  });

  it('take their browser with them when the service stops', async () => {
    const { standalone } = deployment.processes;
    assert.ok(standalone);
    const { id: store } = await tenant.datastore();
    await add(store, 'web_page', '/slow');
    await until(async () => (await browsersOf(standalone.pid)) > 0, 'the browser');
    assert.equal(await standalone.stop(), 0);
    assert.equal(await browsersOf(standalone.pid), 0);
  });
});

describe('a deployment without a browser', () => {
  const site = new HarbourSite();
  let deployment: Deployment;

  before(async () => {
    await site.start();
    deployment = await startEmbedded({ ...SETTINGS, CHROMIUM_PATH: '/nowhere/chromium' });
  });
  after(async () => {
    await deployment.stop();
    site.stop();
  });

  it('says of a page that it needs one, and uses what text there is', async () => {
    const tenant = await Tenant.create(deployment);
    const { id: datastoreId } = await tenant.datastore();
    const outcomes = [];
    for (const [path, render] of [
      ['/pilots', 'auto'],
      ['/tides', 'always'],
      ['/some', 'auto'],
      ['/tides', 'auto'],
    ]) {
      const config = { source_url: site.origin + path, render };
      const created = await tenant.api.post('/datasources', { type: 'web_page', datastoreId, config });
      const { status, error } = await tenant.settled(created.as(datasourceSchema).id);
      outcomes.push([status, error?.code ?? null]);
    }
    assert.deepEqual(outcomes, [
      ['error', 'RENDER_UNAVAILABLE'],
      ['error', 'RENDER_UNAVAILABLE'],
      ['synched', null],
      ['synched', null],
    ]);
  });
});

describe('a deployment behind a proxy', { skip }, () => {
  const site = new HarbourSite();
  let deployment: Deployment;

  before(async () => {
    await site.start();
    deployment = await startEmbedded({ ...SETTINGS, ALLOW_PRIVATE_NETWORKS: '', HTTP_PROXY: site.origin });
  });
  after(async () => {
    await deployment.stop();
    site.stop();
  });

  it('fetches and renders pages through it, and asks it for nothing private', async () => {
    const tenant = await Tenant.create(deployment);
    const { id: datastoreId } = await tenant.datastore();
    const outcome = async (source_url: string): Promise<unknown> => {
      const body = { type: 'web_page', datastoreId, config: { source_url } };
      const { id } = (await tenant.api.post('/datasources', body)).as(datasourceSchema);
      const { status, error } = await tenant.settled(id);
      return error?.code ?? status;
    };
    assert.equal(await outcome('http://harbour.invalid/tides'), 'synched');
    assert.equal(await outcome('http://harbour.invalid/pilots'), 'synched');
    const [pilots] = await tenant.search(datastoreId, 'Where do pilots board ships?');
    assert.match(pilots?.text ?? '', /two miles off the mole/);
    assert.ok(site.asked.includes('http://harbour.invalid/api/pilots'), String(site.asked));
    const asked = site.asked.length;
    assert.equal(await outcome('http://10.0.0.1/'), 'ADDRESS_BLOCKED');
    assert.equal(site.asked.length, asked);
  });
});
