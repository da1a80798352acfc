import { type Role, personWithTokenSchema } from '@citewell/contracts/schemas';
import { chromiumForTests, freePort } from '@citewell/testing';
import { MailServer } from '@citewell/testing/mail-server';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { BrowserSession } from '../client/browser-session.js';
import { Tenant, until } from '../client/tenant.js';
import { launchChromium, signInWithKey, Window } from '../dashboard/browser-fixture.js';
import { takeScreenshots } from '../dashboard/screenshots.js';
import type { Deployment } from '../deployments/deployment.js';
import { startEmbedded } from '../deployments/embedded.deployment.js';
import { linkIn } from './link-in-mail.js';
import { expectSoon } from '../dashboard/expect-soon.js';

const executablePath = await chromiumForTests();
const PASSWORD = 'correct horse battery';
const EMAIL = 'grace@example.com';

(executablePath === null ? describe.skip : describe)('accounts in the dashboard', () => {
  let mailServer: MailServer;
  let deployment: Deployment;
  let browser: Browser;
  beforeAll(async () => {
    mailServer = await MailServer.start();
    const port = await freePort();
    deployment = await startEmbedded({
      PORT: String(port),
      SMTP_URL: mailServer.url,
      MAIL_FROM: 'citewell@example.com',
      PUBLIC_URL: `http://localhost:${port}`,
    });
    browser = await launchChromium(executablePath ?? '');
  });
  afterAll(async () => {
    await browser.close();
    await deployment.stop();
    await mailServer.stop();
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
    await expectSoon(() => page.getByLabel('Name').count(), 0);
    await page.getByRole('textbox', { name: 'Password' }).fill('a password of somebody else');
    await page.getByRole('button', { name: 'Join and sign in' }).click();
    await page.getByText('This is not the password of your account.').waitFor();
    expect(await window.seriousViolations()).toEqual([]);
    await takeScreenshots(page, 'accounts-join');
    await page.getByRole('textbox', { name: 'Password' }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Join and sign in' }).click();
    await window.navigate('Library');
    await page.getByRole('main').getByRole('button', { name: /new/i }).first().waitFor();

    const other = await page.context().newPage();
    await other.goto(`${deployment.origin}/library`);
    await other.getByRole('main').getByRole('button', { name: /new/i }).first().waitFor();
    await page.getByRole('button', { name: 'Grace' }).click();
    await expectSoon(
      () => page.getByRole('menuitem').allInnerTexts(),
      expect.arrayContaining(['Pumps Ltd', 'Valves and Fittings International GmbH & Co. KG']),
    );
    await takeScreenshots(page, 'accounts-menu');
    await page.getByRole('menuitem', { name: 'Pumps Ltd' }).click();
    await page.getByRole('button', { name: 'Grace' }).filter({ hasText: 'Pumps Ltd' }).waitFor();
    await window.navigate('Library');
    await page.getByRole('heading', { name: 'Library', exact: true }).waitFor();
    await expectSoon(() => page.getByRole('main').getByRole('button', { name: /new/i }).count(), 0);

    // Another tab of the browser shows nothing of the organization of before.
    await other.evaluate("window.dispatchEvent(new Event('visibilitychange'))");
    await other.getByRole('button', { name: 'Grace' }).filter({ hasText: 'Pumps Ltd' }).waitFor();
    expect(other.url()).not.toContain('/library');
    await window.close();
  });

  it('get a new password by e-mail', async () => {
    const window = await Window.open(browser, deployment.origin, { locale: 'de-DE' });
    const { page } = window;
    await page.goto(deployment.origin);
    await page.getByLabel('E-Mail').fill(EMAIL);
    await page.getByRole('button', { name: 'Passwort vergessen?' }).click();
    await page.getByRole('heading', { name: 'Passwort vergessen?' }).waitFor();
    await expectSoon(() => page.getByLabel('E-Mail').inputValue(), EMAIL);
    await page.getByRole('button', { name: 'Link senden' }).click();
    await page.getByText('ist ein Link unterwegs').waitFor();
    expect(await window.seriousViolations()).toEqual([]);
    await takeScreenshots(page, 'accounts-forgotten');

    await until(async () => mailServer.mails.length > 0, 'a mail');
    const link = linkIn(mailServer.mails[0]?.source ?? '');
    await page.goto('about:blank');
    await page.goto(link);
    await page.getByRole('textbox', { name: 'Neues Passwort' }).fill(`${PASSWORD}!`);
    expect(page.url()).not.toContain('reset');
    expect(await window.seriousViolations()).toEqual([]);
    await takeScreenshots(page, 'accounts-reset');
    await page.getByRole('button', { name: 'Speichern und anmelden' }).click();
    await page.getByRole('button', { name: 'Grace' }).waitFor();

    await page.goto('about:blank');
    await page.goto(link);
    await page.getByRole('textbox', { name: 'Neues Passwort' }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Speichern und anmelden' }).click();
    await page.getByText('Dieser Link wurde schon benutzt').waitFor();
    await page.getByRole('button', { name: 'Zurück zur Anmeldung' }).click();
    await page.getByRole('heading', { name: 'Bei Citewell anmelden' }).waitFor();
    await window.close();
  });

  it('sign in with a passkey, until it is removed', async () => {
    const window = await Window.open(browser, deployment.origin);
    const { page } = window;
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
    const signOut = async (): Promise<void> => {
      await page.getByRole('button', { name: 'Grace' }).click();
      await page.getByRole('menuitem', { name: 'Sign out' }).click();
    };
    await page.goto(deployment.origin);
    await page.getByLabel('E-mail').fill(EMAIL);
    await page.getByRole('textbox', { name: 'Password' }).fill(`${PASSWORD}!`);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('button', { name: 'Grace' }).click();
    await page.getByRole('menuitem', { name: 'Profile' }).click();
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    const form = page.locator('form').filter({ has: page.getByRole('button', { name: 'Add a passkey' }) });
    await form.getByRole('textbox', { name: 'Name' }).fill('Laptop');
    await form.getByRole('textbox', { name: 'Current password' }).fill('not the password');
    await form.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByText('The current password is wrong.').waitFor();
    await form.getByRole('textbox', { name: 'Current password' }).fill(`${PASSWORD}!`);
    await form.getByRole('button', { name: 'Add a passkey' }).click();
    const row = page.getByRole('row').filter({ hasText: 'Laptop' });
    await row.getByText('Never').waitFor();
    expect(await window.seriousViolations()).toEqual([]);
    await takeScreenshots(page, 'accounts-passkeys');

    await signOut();
    await page.getByRole('button', { name: 'Sign in with a passkey' }).waitFor();
    expect(await window.seriousViolations()).toEqual([]);
    await takeScreenshots(page, 'accounts-sign-in');
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.getByRole('button', { name: 'Grace' }).click();
    await page.getByRole('menuitem', { name: 'Profile' }).click();
    expect(await row.getByText('Never').count()).toBe(0);
    await row.getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await row.waitFor({ state: 'detached' });

    await signOut();
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.getByText('This passkey is not known here.').waitFor();
    await window.close();
  });

  it('are invited by e-mail', async () => {
    const tenant = await Tenant.create(deployment, 'Gaskets');
    const window = await Window.open(browser, deployment.origin);
    const { page } = window;
    await page.goto(deployment.origin);
    await signInWithKey(page, tenant.api.key ?? '');
    await page.getByRole('heading', { name: 'Ask your own documents' }).waitFor();
    await window.navigate('Settings');
    await page.getByRole('tab', { name: 'People' }).click();
    await page.getByRole('button', { name: 'Invite a person' }).click();
    await page.getByRole('textbox', { name: 'E-mail' }).fill('ada@example.com');
    await page.getByLabel('Send the link by e-mail, too').check();
    expect(await window.seriousViolations()).toEqual([]);
    await takeScreenshots(page, 'accounts-invite');
    mailServer.mails.length = 0;
    await page.getByRole('button', { name: 'Create the link' }).click();
    await page.getByText('The link is on its way to ada@example.com.').waitFor();
    const link = await page.getByTestId('person-link').innerText();
    await until(async () => mailServer.mails.length > 0, 'a mail');
    expect(linkIn(mailServer.mails[0]?.source ?? '')).toBe(link);
    await window.close();
  });

  it('change their e-mail with a link, which works once', async () => {
    const window = await Window.open(browser, deployment.origin);
    const { page } = window;
    await page.goto(deployment.origin);
    await page.getByLabel('E-mail').fill(EMAIL);
    await page.getByRole('textbox', { name: 'Password' }).fill(`${PASSWORD}!`);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    const openProfile = async (): Promise<void> => {
      await page.getByRole('button', { name: 'Grace' }).click();
      await page.getByRole('menuitem', { name: 'Profile' }).click();
    };
    await openProfile();
    const form = page.locator('form').filter({ has: page.getByLabel('Colours') });
    await form.getByRole('textbox', { name: 'E-mail' }).fill('grace.h@example.com');
    await form.getByRole('textbox', { name: 'Current password' }).fill(`${PASSWORD}!`);
    mailServer.mails.length = 0;
    await form.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('status').getByText('grace.h@example.com').waitFor();
    await until(async () => mailServer.mails.length > 0, 'a mail');
    const link = linkIn(mailServer.mails[0]?.source ?? '');

    for (const outcome of ['confirmed', 'unusable']) {
      await page.goto('about:blank');
      await page.goto(link);
      await page.getByRole('heading', { name: 'Confirm your e-mail' }).waitFor();
      expect(page.url()).not.toContain('email=');
      expect(await window.seriousViolations()).toEqual([]);
      if (outcome === 'confirmed') await takeScreenshots(page, 'accounts-email');
      await page.getByRole('button', { name: 'Confirm' }).click();
      if (outcome === 'unusable') await page.getByRole('alert').waitFor();
      else {
        await openProfile();
        await page.getByRole('textbox', { name: 'E-mail' }).waitFor();
        await expectSoon(
          () => page.getByRole('textbox', { name: 'E-mail' }).inputValue(),
          'grace.h@example.com',
        );
      }
    }
    await window.close();
  });
});
