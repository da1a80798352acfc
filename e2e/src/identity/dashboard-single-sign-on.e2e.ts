import { identityProviderSchema } from '@citewell/contracts/schemas';
import { chromiumForTests } from '@citewell/testing';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { ApiClient } from '../client/api-client.js';
import { until } from '../client/tenant.js';
import { launchChromium, signInWithKey, Window } from '../dashboard/browser-fixture.js';
import { takeScreenshots } from '../dashboard/screenshots.js';
import { API_KEY, type Deployment } from '../deployments/deployment.js';
import { startEmbedded } from '../deployments/embedded.deployment.js';
import { CLIENT, RealProvider } from './single-sign-on/real-provider.js';
import { query } from '../specification/leftovers.js';

const executablePath = await chromiumForTests();
const EMAIL = 'grace@example.com';

(executablePath === null ? describe.skip : describe)('single sign-on in the dashboard', () => {
  let deployment: Deployment;
  let browser: Browser;
  let real: RealProvider;
  let partner: RealProvider;
  beforeAll(async () => {
    // The provider warns that its keys are not for production.
    for (const level of ['warn', 'info'] as const) jest.spyOn(console, level).mockImplementation(() => {});
    [deployment, browser, real, partner] = await Promise.all([
      startEmbedded(),
      launchChromium(executablePath ?? ''),
      RealProvider.listen(),
      RealProvider.listen(),
    ]);
  });
  afterAll(async () => {
    jest.restoreAllMocks();
    await browser.close();
    await deployment.stop();
    await Promise.all([real.close(), partner.close()]);
  });

  const open = (): Promise<Window> =>
    Window.open(browser, deployment.origin, { alsoAllowed: [real.issuer, partner.issuer] });

  async function signInAt(page: Page, name: string, subject: string): Promise<void> {
    await page.getByRole('link', { name: `Sign in with ${name}` }).click();
    await page.getByRole('heading', { name: 'Provider' }).waitFor();
    await page.getByLabel('Subject').fill(subject);
    await page.getByRole('button', { name: 'Continue' }).click();
  }

  async function signOut(page: Page, name: string): Promise<void> {
    await page.getByRole('button', { name }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    // The provider asks, too.
    await page.getByRole('button', { name: /yes/i }).click();
    await page.getByRole('heading', { name: 'Sign in to Citewell' }).waitFor();
  }

  it('is set up by an owner, and people sign in, change their role and leave', async () => {
    real.accounts.set('grace', { name: 'Grace', email: EMAIL, groups: ['editors'] });
    const owner = await open();
    await owner.page.goto(deployment.origin);
    await signInWithKey(owner.page, API_KEY);
    // The first page leads there while there is no agent.
    await owner.page.getByRole('heading', { name: 'Ask your own documents' }).waitFor();
    await owner.navigate('Settings');
    await owner.page.getByRole('tab', { name: 'Single sign-on' }).click();
    await owner.page.getByRole('button', { name: 'Add a provider' }).click();
    await owner.page.getByLabel('Name on the sign-in button').fill('Example Ltd');
    await owner.page.getByLabel('Issuer').fill(`${real.issuer}/.well-known/openid-configuration`);
    expect(await owner.seriousViolations()).toEqual([]);
    await owner.page.getByRole('dialog').getByRole('button', { name: 'Add a provider' }).click();
    real.register(await owner.page.getByTestId('redirect-uri').innerText());
    await owner.page.getByLabel('Client id').fill(CLIENT.id);
    await owner.page.getByLabel('Client secret').fill(CLIENT.secret);
    await owner.page.getByLabel('Scopes').fill('openid email profile groups offline_access');
    await owner.page.getByLabel('E-mail domains').fill('example.com');
    await owner.page.getByLabel('Role of people without').selectOption('member');
    await owner.page.getByRole('button', { name: 'Add a group' }).click();
    await owner.page.getByRole('textbox', { name: 'Group', exact: true }).fill('editors');
    await owner.page.getByLabel('Role', { exact: true }).selectOption('editor');
    expect(await owner.seriousViolations()).toEqual([]);
    await takeScreenshots(owner.page, 'single-sign-on-provider');
    await owner.page.getByRole('button', { name: 'Save changes' }).click();
    await owner.page.getByText('On the sign-in page').waitFor();
    await owner.page.getByRole('button', { name: 'Test' }).click();
    await owner.page.getByText('The provider answers.').waitFor();
    expect(await owner.seriousViolations()).toEqual([]);
    await takeScreenshots(owner.page, 'single-sign-on');

    const grace = await open();
    const { page } = grace;
    await page.goto(`${deployment.origin}/library`);
    await page.getByRole('link', { name: 'Sign in with Example Ltd' }).waitFor();
    expect(await grace.seriousViolations()).toEqual([]);
    await takeScreenshots(page, 'single-sign-on-sign-in');
    await signInAt(page, 'Example Ltd', 'grace');
    // The person is on the page that was asked for, with the role of the group.
    await page.getByRole('heading', { name: 'Library', exact: true }).waitFor();
    await page.getByRole('main').getByRole('button', { name: /new/i }).first().waitFor();
    expect(page.url()).toBe(`${deployment.origin}/library`);
    await page.getByRole('button', { name: 'Grace' }).click();
    await page.getByRole('menuitem', { name: 'Profile' }).click();
    await page.getByText('You sign in at Example Ltd').waitFor();
    expect(await page.getByLabel('New password').count()).toBe(0);
    expect(await grace.seriousViolations()).toEqual([]);
    await takeScreenshots(page, 'single-sign-on-profile');

    // Another group, and so another role at the next sign-in.
    real.accounts.set('grace', { name: 'Grace', email: EMAIL, groups: [] });
    await signOut(page, 'Grace');
    await page.goto(`${deployment.origin}/library`);
    await signInAt(page, 'Example Ltd', 'grace');
    await page.getByRole('heading', { name: 'Library', exact: true }).waitFor();
    expect(await page.getByRole('main').getByRole('button', { name: /new/i }).count()).toBe(0);
    // And while the session lasts.
    real.accounts.set('grace', { name: 'Grace', email: EMAIL, groups: ['editors'] });
    await checkNow();
    await until(async () => (await roleOf(EMAIL)) === 'editor', 'the role to follow the group');

    // Removed at the provider.
    real.accounts.delete('grace');
    await checkNow();
    await until(async () => (await sessionsOf(EMAIL)) === 0, 'the session to end');
    await until(async () => {
      await page.reload();
      return page.getByRole('heading', { name: 'Sign in to Citewell' }).isVisible();
    }, 'the sign-in page');

    // Of another domain, and of a provider that is down.
    real.accounts.set('eve', { name: 'Eve', email: 'eve@example.org', groups: ['editors'] });
    await page.context().clearCookies();
    await signInAt(page, 'Example Ltd', 'eve');
    await page.getByText('People with this e-mail address cannot sign in here.').waitFor();
    expect(await grace.seriousViolations()).toEqual([]);
    await takeScreenshots(page, 'single-sign-on-refused');

    // A second provider.
    const body = {
      name: 'Partner',
      issuer: partner.issuer,
      clientId: CLIENT.id,
      clientSecret: CLIENT.secret,
    };
    const added = await new ApiClient(deployment.baseUrl, API_KEY).post('/identity-providers', {
      ...body,
      defaultRole: 'member',
    });
    partner.register(added.as(identityProviderSchema.strict()).redirectUri);
    partner.accounts.set('linus', { name: 'Linus', email: 'linus@partner.example', groups: [] });
    await page.goto(deployment.origin);
    await page.getByRole('link', { name: 'Sign in with Example Ltd' }).waitFor();
    await signInAt(page, 'Partner', 'linus');
    await page.getByRole('button', { name: 'Linus' }).waitFor();
    await signOut(page, 'Linus');
    await partner.close();
    await page.getByRole('link', { name: 'Sign in with Partner' }).click();
    await page.getByText('The provider cannot be reached.').waitFor();
    await grace.close();
    await owner.close();
  });

  const checkNow = (): Promise<unknown> =>
    query(deployment, 'UPDATE provider_sessions SET check_at = now()', []);

  const roleOf = async (email: string): Promise<unknown> =>
    (await query(deployment, 'SELECT role FROM people WHERE email = $1', [email]))[0]?.['role'];

  const sessionsOf = async (email: string): Promise<number> =>
    (
      await query(
        deployment,
        'SELECT 1 FROM sessions s JOIN people p ON p.id = s.person_id WHERE p.email = $1',
        [email],
      )
    ).length;
});
