import { chromiumForTests } from '@citewell/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { BrowserSession } from '../client/browser-session.js';
import { join } from '../client/join.js';
import { Tenant } from '../client/tenant.js';
import { launchChromium, Window } from '../dashboard/browser-fixture.js';
import { takeScreenshots } from '../dashboard/screenshots.js';
import type { Deployment } from '../deployments/deployment.js';
import { startEmbedded } from '../deployments/embedded.deployment.js';

const executablePath = await chromiumForTests();

(executablePath === null ? describe.skip : describe)('groups and readers in the dashboard', () => {
  let deployment: Deployment;
  let browser: Browser;
  beforeAll(async () => {
    deployment = await startEmbedded();
    browser = await launchChromium(executablePath ?? '');
  });
  afterAll(async () => {
    await browser.close();
    await deployment.stop();
  });

  it('a group is made, gets a member, and becomes the reader of a library', async () => {
    const tenant = await Tenant.create(deployment, 'Team');
    const grace = await join(tenant, 'member', 'Grace Hopper');
    const ada = await join(tenant, 'editor', 'Ada Lovelace');
    const owner = new BrowserSession(deployment.baseUrl);
    const { token } = await tenant.invite('owner');
    (
      await owner.call('POST', '/session', { token, password: 'correct horse battery', name: 'Olga' })
    ).assertOk();
    const { id: datastoreId } = await tenant.datastore('Salaries');
    const window = await Window.open(browser, deployment.origin);
    const { page } = window;
    const [name = '', value = ''] = owner.cookie.split('=');
    await page.context().addCookies([{ name, value, url: deployment.origin }]);
    await page.goto(`${deployment.origin}/settings`);

    await page.getByRole('tab', { name: 'Groups' }).click();
    await page.getByText('There is no group yet.').waitFor();
    await page.getByRole('button', { name: 'New group' }).click();
    await page.getByLabel('Name of the group').fill('Accounting');
    await page.getByRole('button', { name: 'Create group' }).click();
    await page.getByRole('button', { name: 'Members of Accounting' }).click();
    await page.getByLabel('Find a person to add').fill('grace');
    await page.getByRole('button', { name: 'Add Grace Hopper' }).click();
    await page.getByRole('button', { name: 'Remove Grace Hopper' }).waitFor();
    expect(await window.seriousViolations()).toEqual([]);
    await takeScreenshots(page, 'group-members');
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('cell', { name: '1', exact: true }).waitFor();
    await takeScreenshots(page, 'groups');

    await page.goto(`${deployment.origin}/library/${datastoreId}`);
    await page.getByRole('button', { name: 'Who may read' }).click();
    await page.getByRole('combobox', { name: 'Who may read' }).selectOption('chosen');
    await page.getByLabel('Find people and groups to add').fill('ac');
    await page.getByRole('button', { name: 'Add Accounting' }).click();
    await page.getByLabel('Find people and groups to add').fill('');
    await page.getByRole('button', { name: 'Add Ada Lovelace' }).waitFor();
    expect(await window.seriousViolations()).toEqual([]);
    await takeScreenshots(page, 'readers');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByRole('img', { name: 'For chosen people and groups only' }).waitFor();
    await takeScreenshots(page, 'restricted-library');
    (await grace.api.get(`/datastores/${datastoreId}`)).assertOk();
    (await ada.api.get(`/datastores/${datastoreId}`)).assertError('NOT_FOUND');

    await window.navigate('Library');
    await page.getByRole('img', { name: 'For chosen people and groups only' }).waitFor();
    expect(await window.seriousViolations()).toEqual([]);
    await page.getByRole('button', { name: 'New library' }).click();
    await page.getByLabel('Name').fill('Board');
    await page.getByRole('combobox', { name: 'Who may read' }).selectOption('chosen');
    await page.getByText('Nobody is chosen. Only owners can read this library.').waitFor();
    await takeScreenshots(page, 'new-library');
    await page.getByRole('button', { name: 'Create library' }).click();
    await page.getByRole('heading', { name: 'Board' }).waitFor();
    await page.getByRole('img', { name: 'For chosen people and groups only' }).waitFor();
    await window.close();
  });
});
