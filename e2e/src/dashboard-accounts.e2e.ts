import { type Role, personWithTokenSchema } from '@citewell/contracts/schemas';
import { chromiumForTests } from '@citewell/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { BrowserSession } from './client/browser-session.js';
import { Tenant } from './client/tenant.js';
import { launchChromium, Window } from './dashboard/browser-fixture.js';
import { takeScreenshots } from './dashboard/screenshots.js';
import type { Deployment } from './deployments/deployment.js';
import { startEmbedded } from './deployments/embedded.deployment.js';

const executablePath = await chromiumForTests();
const PASSWORD = 'correct horse battery';
const EMAIL = 'grace@example.com';

(executablePath === null ? describe.skip : describe)('accounts in the dashboard', () => {
  let deployment: Deployment;
  let browser: Browser;
  beforeAll(async () => {
    deployment = await startEmbedded({});
    browser = await launchChromium(executablePath ?? '');
  });
  afterAll(async () => {
    await browser.close();
    await deployment.stop();
  });

  /** A link like the one that the page of an owner shows. */
  async function invitation(of: Tenant, role: Role): Promise<{ link: string; token: string }> {
    const invited = await of.api.post('/people', { email: EMAIL, role });
    const { token } = invited.as(personWithTokenSchema.strict());
    return { link: `${deployment.origin}/#invite=${token}&email=${encodeURIComponent(EMAIL)}`, token };
  }

  it('join an organization with their password, and change between two of them', async () => {
    const pumps = await Tenant.create(deployment, 'Pumps Ltd');
    const valves = await Tenant.create(deployment, 'Valves and Fittings International GmbH & Co. KG');
    const first = await invitation(pumps, 'member');
    const body = { token: first.token, password: PASSWORD, name: 'Grace' };
    (await new BrowserSession(deployment.baseUrl).call('POST', '/session', body)).assertOk();

    const { link } = await invitation(valves, 'editor');
    const window = await Window.open(browser, deployment.origin);
    const { page } = window;
    await page.goto(link);
    await page.getByLabel('New password').fill('a password of somebody else');
    await page.getByRole('button', { name: 'Save and sign in' }).click();
    await page.getByText('You have an account already').waitFor();
    expect(await page.getByLabel('Name').count()).toBe(0);
    await page.getByRole('textbox', { name: 'Password' }).fill('a password of somebody else');
    await page.getByRole('button', { name: 'Join and sign in' }).click();
    await page.getByText('This is not the password of your account.').waitFor();
    expect(await window.seriousViolations()).toEqual([]);
    await takeScreenshots(page, 'accounts-join');
    await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Join and sign in' }).click();
    await page.getByRole('navigation').getByRole('link', { name: 'Library' }).click();
    await page.getByRole('main').getByRole('button', { name: /new/i }).first().waitFor();

    const other = await page.context().newPage();
    await other.goto(`${deployment.origin}/library`);
    await other.getByRole('main').getByRole('button', { name: /new/i }).first().waitFor();
    await page.getByRole('button', { name: 'Grace' }).click();
    expect(await page.getByRole('menuitem').allInnerTexts()).toEqual(
      expect.arrayContaining(['Pumps Ltd', 'Valves and Fittings International GmbH & Co. KG']),
    );
    await takeScreenshots(page, 'accounts-menu');
    await page.getByRole('menuitem', { name: 'Pumps Ltd' }).click();
    await page.getByRole('button', { name: 'Grace' }).filter({ hasText: 'Pumps Ltd' }).waitFor();
    await page.getByRole('navigation').getByRole('link', { name: 'Library' }).click();
    await page.getByRole('heading', { name: 'Library', exact: true }).waitFor();
    expect(await page.getByRole('main').getByRole('button', { name: /new/i }).count()).toBe(0);

    // Another tab of the browser shows nothing of the organization of before.
    await other.evaluate("window.dispatchEvent(new Event('visibilitychange'))");
    await other.getByRole('button', { name: 'Grace' }).filter({ hasText: 'Pumps Ltd' }).waitFor();
    expect(other.url()).toMatch(/\/(ask|welcome)$/);
    await window.close();
  });
});
