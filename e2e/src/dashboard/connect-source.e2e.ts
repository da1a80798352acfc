import { chromiumForTests } from '@citewell/testing';
import { GitHost } from '@citewell/testing/source-servers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { Tenant, until } from '../client/tenant.js';
import type { Deployment } from '../deployments/deployment.js';
import { startEmbedded } from '../deployments/embedded.deployment.js';
import { launchChromium, signInWithKey, Window } from './browser-fixture.js';

const executablePath = await chromiumForTests();

(executablePath === null ? describe.skip : describe)('the dashboard', () => {
  let deployment: Deployment;
  let browser: Browser;
  let window: Window;
  let page: Page;
  let git: GitHost;
  let tenant: Tenant;

  beforeAll(async () => {
    git = await GitHost.start();
    deployment = await startEmbedded({ ALLOW_PRIVATE_NETWORKS: '127.0.0.0/8', EMBEDDING_MODEL: 'none' });
    tenant = Tenant.withKey(deployment.baseUrl, deployment.apiKey);
    browser = await launchChromium(executablePath ?? '');
    window = await Window.open(browser, deployment.origin);
    ({ page } = window);
  });
  afterAll(async () => {
    await window.close();
    await browser.close();
    await deployment.stop();
    await git.stop();
  });

  it('connects a source by a form of its kind, tests it, and replaces its secret', async () => {
    git.password = 'first-token';
    git.write('docs/pier.md', 'The pier is 300 metres long.');
    git.write('notes/draft.md', 'A draft.');
    const { id } = await tenant.datastore('Piers');
    await page.goto(deployment.origin);
    await signInWithKey(page, deployment.apiKey);
    await page.getByRole('navigation', { name: 'Menu' }).waitFor();
    await page.goto(`${deployment.origin}/library/${id}`);
    await page.getByRole('button', { name: 'Add documents' }).first().click();
    const panel = page.getByRole('dialog');
    await panel.getByRole('tab', { name: 'Source' }).click();
    await panel.getByRole('combobox', { name: 'Kind of source' }).click();
    await page.getByRole('option', { name: 'Git repository' }).click();
    expect(await panel.getByRole('button', { name: 'Connect', exact: true }).isDisabled()).toBe(true);
    await panel.getByLabel(/^Address( \*)?$/).fill(git.url);
    const token = panel.getByLabel('Access token or password');
    await token.fill('wrong');
    await panel.getByLabel('Only paths that match').fill('docs/**');
    await panel.getByRole('button', { name: 'Test the connection' }).click();
    await panel.getByRole('alert').waitFor();
    await token.fill('first-token');
    await panel.getByRole('button', { name: 'Test the connection' }).click();
    await panel.getByText('One document was found. 1 are left out.').waitFor();
    await panel.getByText('docs/pier.md').waitFor();
    expect(await window.seriousViolations()).toEqual([]);
    await panel.getByRole('button', { name: 'Connect', exact: true }).click();
    await panel.waitFor({ state: 'detached' });
    const source = await until(async () => {
      const [found] = await tenant.datasources(id);
      return found?.status === 'synched' && found;
    }, 'the source to be synched');
    expect(source).toMatchObject({
      config: { kind: 'repository', url: git.url, include: ['docs/**'], schedule: '*/15 * * * *' },
      secrets: ['token'],
    });

    git.password = 'second-token';
    await page.goto(`${deployment.origin}/library/${id}?group=${source.id}`);
    await page.getByRole('button', { name: 'Change settings' }).click();
    await panel.getByText('Stored. Leave it empty to keep it.').waitFor();
    await token.fill('second-token');
    await panel.getByLabel('Only paths that match').fill('');
    await panel.getByRole('button', { name: 'Test the connection' }).click();
    await panel.getByText('2 documents were found.').waitFor();
    await panel.getByRole('button', { name: 'Save' }).click();
    await panel.waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'draft.md' }).waitFor();
    expect((await tenant.datasource(source.id)).config).not.toHaveProperty('include');
    expect(await page.content()).not.toContain('second-token');
  });
});
