import { chromiumForTests } from '@citewell/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { ApiClient } from '../client/api-client.js';
import { Tenant } from '../client/tenant.js';
import { launchChromium, Window } from '../dashboard/browser-fixture.js';
import { takeScreenshots } from '../dashboard/screenshots.js';
import { API_KEY, type Deployment } from '../deployments/deployment.js';
import { startEmbedded } from '../deployments/embedded.deployment.js';
import { expectSoon } from '../dashboard/expect-soon.js';

const executablePath = await chromiumForTests();
const PASSWORD = 'correct horse battery';
const HARBOUR = 'When does the harbour close?';
const LOBSTER = 'When are lobsters caught?';

(executablePath === null ? describe.skip : describe)('own conversations in the dashboard', () => {
  let deployment: Deployment;
  let browser: Browser;
  let tenant: Tenant;
  beforeAll(async () => {
    deployment = await startEmbedded({ CITEWELL_API_KEY: API_KEY });
    tenant = new Tenant(new ApiClient(deployment.baseUrl, API_KEY), '');
    const { id } = await tenant.datastore('Harbour');
    await tenant.text(id, 'The harbour closes at nine in the evening. Lobsters are caught in autumn.', {
      name: 'Harbour rules',
    });
    await tenant.agent({ name: 'Harbour agent', datastoreIds: [id] });
    browser = await launchChromium(executablePath ?? '');
  });
  afterAll(async () => {
    await browser.close();
    await deployment.stop();
  });

  async function signIn(
    role: 'member' | 'owner',
    name: string,
    path = '/ask',
    width = 1280,
  ): Promise<Window> {
    const { token } = await tenant.invite(role);
    const window = await Window.open(browser, deployment.origin, { width });
    const { page } = window;
    await page.goto(`${deployment.origin}${path}#invite=${token}`);
    await page.getByLabel('Name').fill(name);
    await page.getByLabel('New password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Save and sign in' }).click();
    await page.getByRole('button', { name: 'Save and sign in' }).waitFor({ state: 'detached' });
    return window;
  }

  async function ask(page: Page, question: string): Promise<void> {
    await page.getByRole('textbox', { name: /ask/i }).fill(question);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Good' }).last().waitFor();
  }

  it('are listed, found, named, shared and deleted by their person', async () => {
    const grace = await signIn('member', 'Grace');
    const { page } = grace;
    const list = page.getByRole('navigation', { name: 'Conversations' });
    await list.getByText('No conversations yet.').waitFor();
    await ask(page, HARBOUR);
    await list.getByRole('link', { name: HARBOUR }).waitFor();
    await page.getByRole('button', { name: 'New conversation' }).click();
    await ask(page, LOBSTER);
    await list.getByRole('link', { name: LOBSTER }).waitFor();
    await expectSoon(() => list.getByRole('link').allInnerTexts(), [LOBSTER, HARBOUR]);
    await list.getByText('Today').waitFor();
    expect(await grace.seriousViolations()).toEqual([]);
    await takeScreenshots(page, 'own-conversations');

    await list.getByRole('textbox').fill('HARBOUR');
    await list.getByRole('link', { name: LOBSTER }).waitFor({ state: 'detached' });
    await list.getByRole('textbox').fill('nothing like this');
    await list.getByText('Nothing found.').waitFor();
    await list.getByRole('button', { name: 'Close' }).click();

    await list.getByRole('button', { name: `Actions for “${HARBOUR}”` }).click();
    await page.getByRole('menuitem', { name: 'Rename' }).click();
    await page.getByLabel('Name of the conversation').fill('Closing time');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await list.getByRole('link', { name: 'Closing time' }).click();
    await page.getByRole('article').getByText(HARBOUR).waitFor();

    await list.getByRole('button', { name: 'Actions for “Closing time”' }).click();
    await page.getByRole('menuitem', { name: 'Share' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Share', exact: true }).click();
    const link = await page.getByTestId('share-link').innerText();
    expect(await grace.seriousViolations()).toEqual([]);
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();

    const ada = await signIn('member', 'Ada', new URL(link).pathname);
    await ada.page.getByRole('heading', { name: 'Closing time' }).waitFor();
    await ada.page.getByText(/^Shared by Grace/).waitFor();
    await ada.page.getByText('nine in the evening').first().waitFor();
    expect(await ada.page.getByRole('button', { name: 'Good' }).count()).toBe(0);
    expect(await ada.seriousViolations()).toEqual([]);
    await takeScreenshots(ada.page, 'shared-conversation');

    await list.getByRole('button', { name: 'Actions for “Closing time”' }).click();
    await page.getByRole('menuitem', { name: 'Share' }).click();
    await page.getByRole('button', { name: 'End the link' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await ada.page.reload();
    await ada.page.getByRole('heading', { name: 'This link does not work' }).waitFor();
    await takeScreenshots(ada.page, 'shared-conversation-ended');

    await list.getByRole('button', { name: 'Actions for “Closing time”' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
    await list.getByRole('link', { name: 'Closing time' }).waitFor({ state: 'detached' });
    await page.getByRole('article').waitFor({ state: 'detached' });
    await grace.close();
    await ada.close();
  });

  it('are in a drawer on a phone', async () => {
    const window = await signIn('member', 'Phone', '/ask', 390);
    const { page } = window;
    await ask(page, HARBOUR);
    await page.getByRole('button', { name: 'Show conversations' }).click();
    const list = page.getByRole('navigation', { name: 'Conversations' });
    await list.getByRole('link', { name: HARBOUR }).waitFor();
    expect(await window.seriousViolations()).toEqual([]);
    await list.getByRole('link', { name: HARBOUR }).click();
    await list.waitFor({ state: 'detached' });
    await window.close();
  });

  it('are opened to owners by a setting, which people are told, and feedback has no names', async () => {
    const owner = await signIn('owner', 'Olga', '/settings');
    await owner.page.getByRole('tab', { name: 'People' }).click();
    await owner.page.getByRole('checkbox', { name: 'Owners read conversations' }).click();
    await owner.page.getByText(/can read conversations that began since/).waitFor();
    await takeScreenshots(owner.page, 'owners-read');
    const grace = await signIn('member', 'Linus');
    await grace.page.getByText(/can read conversations that began since/).waitFor();
    await ask(grace.page, 'Who won at chess?');
    await takeScreenshots(grace.page, 'owners-read-told');
    await owner.page.goto(`${deployment.origin}/conversations?view=feedback`);
    await owner.page.getByText('Who won at chess?').waitFor();
    expect(await owner.page.getByRole('main').innerText()).not.toContain('Linus');
    expect(await owner.seriousViolations()).toEqual([]);
    await takeScreenshots(owner.page, 'feedback');
    await owner.page.getByText('All', { exact: true }).click();
    await owner.page.getByText(/Linus/).first().waitFor();
    await owner.close();
    await grace.close();
  });

  it('a token is made in the profile, and shown once', async () => {
    const grace = await signIn('member', 'Grace');
    const { page } = grace;
    await page.goto(`${deployment.origin}/profile`);
    await page.getByRole('button', { name: 'New token' }).click();
    await page.getByLabel('What is it for?').fill('Laptop');
    // What the role lacks is not offered.
    await expectSoon(() => page.getByRole('checkbox').count(), 3);
    await page.getByRole('button', { name: 'Create token' }).click();
    const token = await page.getByTestId('new-token').innerText();
    (await new ApiClient(deployment.baseUrl, token).get('/conversations')).assertOk();
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
    await page.getByRole('cell', { name: 'Laptop' }).waitFor();
    expect(await grace.seriousViolations()).toEqual([]);
    await takeScreenshots(page, 'tokens');
    await page.getByLabel('Colours').selectOption('dark');
    await expectSoon(() => page.locator('html').getAttribute('data-mantine-color-scheme'), 'dark');
    await page.getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('button', { name: 'Revoke the token' }).click();
    await page.getByRole('cell', { name: 'Laptop' }).waitFor({ state: 'detached' });
    await grace.close();
  });

  it('no page of a member shows an error, or offers what members may not do', async () => {
    const window = await signIn('member', 'Mia');
    const { page } = window;
    await page.getByRole('navigation', { name: 'Conversations' }).waitFor();
    const refused: string[] = [];
    page.on('response', (response) => {
      if (response.status() === 403) refused.push(response.url());
    });
    const [datastore] = (await tenant.api.get('/datastores')).json as { id: string }[];
    const [agent] = (await tenant.api.get('/agents')).json as { id: string }[];
    const [document] = (await tenant.api.get('/datasources')).json as { id: string }[];
    for (const path of [
      '/ask',
      '/welcome',
      '/library',
      `/library/${datastore?.id}`,
      `/documents/${document?.id}`,
      '/agents',
      `/agents/${agent?.id}`,
      '/conversations',
      '/conversations?view=feedback',
      '/missing',
      '/evaluations',
      '/settings',
      '/profile',
    ]) {
      await page.goto(`${deployment.origin}${path}`);
      await page.waitForLoadState('networkidle');
      expect([path, await page.getByRole('alert').allInnerTexts()]).toEqual([path, []]);
      const offers = page
        .getByRole('main')
        .getByRole('button', { name: /new (library|agent|key)|add|delete|publish|upload/i });
      expect([path, await offers.allInnerTexts()]).toEqual([path, []]);
      await takeScreenshots(page, `member${path.replace(/\W+/g, '-').replace(/-[\da-f]{8}-.*$/, '-one')}`);
    }
    expect(refused).toEqual([]);
    await window.close();
  });
});
