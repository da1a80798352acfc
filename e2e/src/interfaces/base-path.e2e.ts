import { apiKeyWithSecretSchema, identityProviderSchema } from '@citewell/contracts/schemas';
import { chromiumForTests, freePort } from '@citewell/testing';
import { MailServer } from '@citewell/testing/mail-server';
import { RunningProcess } from '@citewell/testing/product';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { Tenant, until } from '../client/tenant.js';
import { launchChromium, signInWithKey, Window } from '../dashboard/browser-fixture.js';
import { expectSoon } from '../dashboard/expect-soon.js';
import { HARBOUR } from '../dashboard/upload-files.js';
import { API_KEY } from '../deployments/deployment.js';
import { type EmbeddedDeployment, startEmbedded } from '../deployments/embedded.deployment.js';
import { linkIn } from '../identity/link-in-mail.js';
import { CLIENT, RealProvider } from '../identity/single-sign-on/real-provider.js';
import { type PathProxy, startPathProxy } from './base-path/path-proxy.js';
import { type ShopSite, startShop } from './widget/shop-site.js';

const executablePath = await chromiumForTests();
const BASE_PATH = '/tools/kb';
const PASSWORD = 'correct horse battery';
const EMAIL = 'grace@example.com';

/** Begins with the open menu of the account. */
async function addPasskey(page: Page): Promise<void> {
  const devTools = await page.context().newCDPSession(page);
  await devTools.send('WebAuthn.enable');
  await devTools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  await page.getByRole('menuitem', { name: 'Profile' }).click();
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  const form = page.locator('form').filter({ has: page.getByRole('button', { name: 'Add a passkey' }) });
  await form.getByRole('textbox', { name: 'Name' }).fill('Laptop');
  await form.getByRole('textbox', { name: 'Current password' }).fill(PASSWORD);
  await form.getByRole('button', { name: 'Add a passkey' }).click();
  await page.getByRole('row').filter({ hasText: 'Laptop' }).getByText('Never').waitFor();
}

(executablePath === null ? describe.skip : describe)('below a base path', () => {
  let proxy: PathProxy;
  let mailServer: MailServer;
  let provider: RealProvider;
  let shop: ShopSite;
  let deployment: EmbeddedDeployment;
  let browser: Browser;
  /** What people open. */
  let address: string;
  let tenant: Tenant;

  beforeAll(async () => {
    // The provider warns that its keys are not for production.
    for (const level of ['warn', 'info'] as const) jest.spyOn(console, level).mockImplementation(() => {});
    [proxy, mailServer, provider, shop] = await Promise.all([
      startPathProxy(BASE_PATH),
      MailServer.start(),
      RealProvider.listen(),
      startShop(),
    ]);
    proxy.target = await freePort();
    [deployment, browser] = await Promise.all([
      startEmbedded({
        PORT: String(proxy.target),
        PUBLIC_URL: proxy.origin,
        BASE_PATH,
        TRUSTED_PROXIES: '127.0.0.1',
        SMTP_URL: mailServer.url,
        MAIL_FROM: 'citewell@example.com',
      }),
      launchChromium(executablePath ?? ''),
    ]);
    address = `${proxy.origin}${BASE_PATH}`;
    tenant = Tenant.withKey(`${address}/api`, API_KEY);
  });
  afterAll(async () => {
    jest.restoreAllMocks();
    await browser.close();
    await deployment.stop();
    await Promise.all([proxy.close(), mailServer.stop(), provider.close(), shop.close()]);
  });

  const open = (): Promise<Window> => Window.open(browser, proxy.origin, { alsoAllowed: [provider.issuer] });

  it('a person signs in, uploads, asks, opens a citation, and reloads', async () => {
    const window = await open();
    const { page } = window;
    const cookies = async (): Promise<string[]> =>
      (await page.context().cookies(`${address}/api`)).map(({ name, path }) => `${name} ${path}`);
    // Without a slash at the end.
    await page.goto(address);
    await signInWithKey(page, API_KEY);
    await page.getByRole('heading', { name: 'Ask your own documents' }).waitFor();
    expect(await cookies()).toEqual([`citewell_session.tools.kb ${BASE_PATH}`]);
    await page.locator('input[type=file]').first().setInputFiles(HARBOUR);
    const question = page.getByLabel('Ask a question about your documents');
    await question.fill('How much do sailing boats pay?');
    await question.press('Enter');
    await page.getByRole('article').getByText('14 euros').first().waitFor();
    await page
      .getByRole('link', { name: /^Source 1/ })
      .first()
      .click();
    await page.getByText('Open its page').click();
    await page.waitForURL(`${address}/documents/**`);
    await page.reload();
    await page.locator('mark').first().waitFor();
    await window.navigate('Library');
    await page.waitForURL(`${address}/library`);
    await page.getByRole('button', { name: 'Account' }).click();
    const reference = page.getByRole('menuitem', { name: 'API reference' });
    expect(await reference.getAttribute('href')).toBe(`${BASE_PATH}/api/docs`);
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in to Citewell' }).waitFor();
    expect(page.url()).toBe(`${address}/library`);
    await window.close();
  });

  it('links in mails, passkeys and single sign-on lead back to it', async () => {
    await tenant.api.post('/people', { email: EMAIL, role: 'editor', sendMail: true });
    const mail = await until(async () => mailServer.mails[0], 'the invitation');
    const link = linkIn(mail.source);
    expect(link.startsWith(`${address}/#invite=`)).toBe(true);
    const window = await open();
    const { page } = window;
    await page.goto(link);
    await page.getByLabel('New password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Save and sign in' }).click();
    await page.getByRole('button', { name: EMAIL }).click();
    await addPasskey(page);
    await page.getByRole('button', { name: EMAIL }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.getByRole('button', { name: EMAIL }).waitFor();
    await window.close();

    const added = await tenant.api.post('/identity-providers', {
      name: 'Example Ltd',
      issuer: provider.issuer,
      clientId: CLIENT.id,
      clientSecret: CLIENT.secret,
      defaultRole: 'member',
    });
    const { redirectUri } = added.as(identityProviderSchema.strict());
    expect(redirectUri.startsWith(`${address}/api/session/oidc/`)).toBe(true);
    provider.register(redirectUri);
    provider.accounts.set('linus', { name: 'Linus', email: 'linus@example.com', groups: [] });
    const other = await open();
    await other.page.goto(`${address}/library`);
    await other.page.getByRole('link', { name: 'Sign in with Example Ltd' }).click();
    await other.page.getByLabel('Subject').fill('linus');
    await other.page.getByRole('button', { name: 'Continue' }).click();
    await other.page.waitForURL(`${address}/library`);
    await other.page.getByRole('button', { name: 'Linus' }).click();
    await other.page.getByRole('menuitem', { name: 'Sign out' }).click();
    await other.page.getByRole('button', { name: /yes/i }).click();
    await other.page.getByRole('heading', { name: 'Sign in to Citewell' }).waitFor();
    expect(other.page.url()).toBe(`${address}/`);
    await other.close();
  });

  it('the widget answers on a page of another site, and on its own page', async () => {
    const { id: datastoreId } = await tenant.datastore();
    await tenant.text(datastoreId, 'Bicycles are guaranteed for two years.');
    const { id: agentId } = await tenant.agent({ visibility: 'public', datastoreIds: [datastoreId] });
    const allowedOrigins = [`http://127.0.0.1:${shop.port}`];
    const created = await tenant.api.post('/api-keys', {
      name: 'Shop',
      scopes: ['publishable'],
      agentId,
      allowedOrigins,
    });
    const { key } = created.as(apiKeyWithSecretSchema);
    shop.service = proxy.origin;
    shop.tag = `<script src="${address}/widget.js" data-agent="${agentId}" data-key="${key}" async></script>`;
    const page = await browser.newPage();
    for (const place of [`http://127.0.0.1:${shop.port}/`, `${address}/chat/${key}`]) {
      await page.goto(place);
      if (!place.startsWith(address)) await page.getByRole('button').first().click();
      await page.getByPlaceholder('Your question').fill('How long are bicycles guaranteed?');
      await page.keyboard.press('Enter');
      await page.getByText('guaranteed for two years').first().waitFor();
    }
    await page.close();
  });

  it('the addresses in responses begin with it', async () => {
    const authorization = `Bearer ${API_KEY}`;
    const read = async (path: string, init: RequestInit = {}): Promise<Response> =>
      fetch(`${address}${path}`, { ...init, headers: { authorization, ...init.headers } });
    const list = await read('/api/datastores?limit=1');
    expect(list.headers.get('link')).toMatch(/^<\/tools\/kb\/api\/datastores\?limit=1&cursor=/);
    expect(await (await read('/api/openapi.json')).json()).toMatchObject({
      servers: [{ url: `${BASE_PATH}/api` }],
      paths: { '/health/ready': { servers: [{ url: BASE_PATH }] } },
    });
    expect(await (await read('/v1/completions', { method: 'POST' })).text()).toContain(`${address}/v1/chat`);
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    };
    const tools = await read('/mcp', { method: 'POST', headers, body: JSON.stringify(message) });
    expect(await tools.text()).toContain('list_datastores');
    // As a person types it who copies the address of the dashboard.
    const env = { CITEWELL_URL: address, CITEWELL_API_KEY: API_KEY };
    const client = RunningProcess.start('citewell', 'apps/cli/dist/main.js', { env, args: ['ls'] });
    expect(await client.exited).toBe(0);
    const document = await (await fetch(`${address}/api/docs`)).text();
    expect(document).not.toMatch(/(?:href|src)="\//);
  });

  it('works where the proxy removes it, and leads to it where there is no proxy', async () => {
    proxy.removesPath = true;
    const window = await open();
    await window.page.goto(`${address}/library`);
    await signInWithKey(window.page, API_KEY);
    await window.page.getByRole('link', { name: 'My documents' }).waitFor();
    await window.close();
    proxy.removesPath = false;
    const root = `http://localhost:${proxy.target}`;
    const direct = await Window.open(browser, root);
    await direct.page.goto(`${root}/library#x`);
    await direct.page.getByRole('heading', { name: 'Sign in to Citewell' }).waitFor();
    await expectSoon(() => Promise.resolve(direct.page.url()), `${root}${BASE_PATH}/library#x`);
    await direct.close();
    expect((await fetch(`${root}/health/ready`)).status).toBe(200);
  });

  it('asks the other site of the host for nothing', () => {
    expect(proxy.outside).toEqual([]);
  });
});
