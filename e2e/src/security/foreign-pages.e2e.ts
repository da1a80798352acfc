import { chromiumForTests } from '@citewell/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { startForeignSite } from './attacks/foreign-site.js';
import { Tenant } from '../client/tenant.js';
import { launchChromium, signInWithKey } from '../dashboard/browser-fixture.js';
import type { Deployment } from '../deployments/deployment.js';
import { startEmbedded } from '../deployments/embedded.deployment.js';

const executablePath = await chromiumForTests();

const SECRET = 'Confidential';
const JSON_TYPE = `'content-type': 'application/json'`;
const CSRF = `'citewell-csrf': '1'`;

/** Sends all actions by `fetch`. Without CORS, a browser sends only simple headers, and hides the response. */
const fetchAll = (mode: 'cors' | 'no-cors', headers: string, body = 'JSON.stringify(body)'): string =>
  `tryAll((path, body) => request(path, { method: 'POST', mode: '${mode}', headers: { ${headers} }, body: ${body} }))`;

/** Names and scripts, which return what they could read. They use the functions of the foreign site. */
const ATTACKS: [string, string][] = [
  ['forms', `tryAll((path, body) => submit(path, 'application/x-www-form-urlencoded', body))`],
  ['multipart forms', `tryAll((path, body) => submit(path, 'multipart/form-data', body))`],
  ['text forms that are JSON', `tryAll((path, body) => submit(path, 'text/plain', jsonFields(body)))`],
  ['JSON', fetchAll('cors', JSON_TYPE)],
  ['JSON with the CSRF header', fetchAll('cors', `${JSON_TYPE}, ${CSRF}`)],
  ['JSON as text', fetchAll('no-cors', '')],
  ['JSON as text with a parameter', fetchAll('no-cors', `'content-type': 'text/plain; application/json'`)],
  ['requests without a body', `tryAll((path) => request(path, { method: 'POST', mode: 'no-cors' }))`],
  ['JSON without a type', fetchAll('no-cors', '', 'new Blob([JSON.stringify(body)])')],
  [
    'beacons',
    `tryAll(async (path, body) =>
      navigator.sendBeacon(api + path, new Blob([JSON.stringify(body)], { type: 'application/json' })))`,
  ],
  [
    'an upload',
    `const body = new FormData();
    body.append('datastoreId', target.datastoreId);
    body.append('file', new File(['Forged'], 'forged.txt', { type: 'text/plain' }));
    request('/datasources', { method: 'POST', mode: 'no-cors', body });`,
  ],
  ['deleting', `request('/datastores/' + target.datastoreId, { method: 'DELETE', headers: { ${CSRF} } })`],
  ['signing out', `request('/session', { method: 'DELETE', headers: { ${CSRF} } })`],
  ['a window', `readWindow('/library')`],
  ['a frame of the dashboard', `load('iframe', { src: target.origin + '/library' })`],
  ['a frame of the API documentation', `load('iframe', { src: api + '/docs' })`],
  ['fetching', `request('/datastores')`],
  ['fetching with the CSRF header', `request('/datastores', { headers: { ${CSRF} } })`],
  ['fetching without CORS', `request('/datastores', { mode: 'no-cors' })`],
  ['a script element', `load('script', { src: api + '/datastores' })`],
  ['an image', `load('img', { src: api + '/datastores' })`],
  ['a style sheet', `load('link', { rel: 'stylesheet', href: api + '/datastores' })`],
  ['events', `listen('/datasources/' + target.datasourceId + '/events')`],
];

/** A user who is signed in to the dashboard opens a page of an attacker in the same browser. */
(executablePath === null ? describe.skip : describe)('a foreign page', () => {
  let deployment: Deployment;
  let browser: Browser;
  let context: BrowserContext;
  let dashboard: Page;
  let user: Tenant;
  let attacker: Tenant;
  let site: Awaited<ReturnType<typeof startForeignSite>>;

  beforeAll(async () => {
    deployment = await startEmbedded({ RATE_LIMIT_PER_MINUTE: '0' });
    browser = await launchChromium(executablePath ?? '');
    user = await Tenant.create(deployment, 'User');
    attacker = await Tenant.create(deployment, 'Attacker');
    const { id: datastoreId } = await user.datastore(SECRET);
    const { id: datasourceId } = await user.text(datastoreId, 'The code is 7.', { name: SECRET });
    const attackerKey = attacker.api.key ?? '';
    site = await startForeignSite({ origin: deployment.origin, datastoreId, datasourceId, attackerKey });
    context = await browser.newContext();
    dashboard = await context.newPage();
    await dashboard.goto(deployment.origin);
    await signInWithKey(dashboard, user.api.key ?? '');
    await dashboard.getByRole('navigation', { name: 'Menu' }).waitFor();
  });
  afterAll(async () => {
    await browser.close();
    await site.close();
    await deployment.stop();
  });

  /** What the dashboard gets with the session of the browser. */
  const session = (): Promise<string> =>
    dashboard.evaluate(`fetch('/api/session', { headers: { ${CSRF} } }).then((response) => response.text())`);
  async function state(): Promise<string[]> {
    const paths = ['/datastores', '/datasources', '/api-keys'];
    const lists = await Promise.all(paths.map((path) => user.api.get(path)));
    return [await session(), ...lists.map(({ text }) => text)];
  }

  describe.each([
    ['on another port of the host, which gets the cookie', '127.0.0.1'],
    ['on another host', 'localhost'],
  ])('%s', (_, host) => {
    let page: Page;
    let before: string[];
    let received: Promise<string>[] = [];

    beforeAll(async () => {
      page = await context.newPage();
      page.on('response', (response) => received.push(response.text().catch(() => '')));
      await page.goto(`http://${host}:${site.port}/`);
      before = await state();
      expect(before.filter((text) => text.includes(SECRET))).toHaveLength(2);
    });

    it.each(ATTACKS)('can neither act nor read by %s', async (__, script) => {
      received = [];
      const read: unknown = await page.evaluate(script).catch(String);
      const texts = [String(read), ...(await Promise.all(received))];
      expect(texts.filter((text) => text.includes(SECRET))).toEqual([]);
      for (const frame of page.frames()) {
        // A refused page is replaced by one of the browser. Until then, the address is empty.
        await frame.waitForURL(/^(?:http|chrome-error):/);
        expect(new URL(frame.url()).origin).not.toBe(deployment.origin);
      }
      expect(await state()).toEqual(before);
    });
  });

  it('cannot replace the session by one of the attacker, although all ports of a host share its cookies', async () => {
    const signedIn = await attacker.api.with(null).post('/session', { key: attacker.api.key });
    const cookie = signedIn.header('set-cookie')?.split(';')[0] ?? '';
    const page = await context.newPage();
    await page.goto(`http://127.0.0.1:${site.port}/`);
    for (const path of ['/', '/api', '/api/session']) {
      await page.evaluate(`document.cookie = '${cookie}; path=${path}'`);
      expect(await session()).not.toContain('Attacker');
    }
  });
});
