import { chromiumForTests } from '@citewell/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { launchChromium, Window } from '../dashboard/browser-fixture.js';
import { takeScreenshots } from '../dashboard/screenshots.js';
import type { Deployment } from '../deployments/deployment.js';
import { startEmbedded } from '../deployments/embedded.deployment.js';
import { expectSoon } from '../dashboard/expect-soon.js';

const executablePath = await chromiumForTests();
const PASSWORD = 'correct horse battery';
const EMAIL = 'grace@example.com';

(executablePath === null ? describe.skip : describe)('people in the dashboard', () => {
  let deployment: Deployment;
  let browser: Browser;
  beforeAll(async () => {
    deployment = await startEmbedded({ CITEWELL_API_KEY: '' });
    browser = await launchChromium(executablePath ?? '');
  });
  afterAll(async () => {
    await browser.close();
    await deployment.stop();
  });

  it('are invited by the first owner, sign in, and are removed', async () => {
    const output = deployment.processes['standalone']?.output ?? '';
    const owner = await Window.open(browser, deployment.origin);
    await owner.page.goto(/(http\S+\/#sign-in=\S+)/.exec(output)?.[1] ?? '');
    await owner.page.getByRole('heading', { name: 'Ask your own documents' }).waitFor();
    const dialog = owner.page.getByRole('dialog');
    for (const [name, readers] of [
      ['Handbook', 'Everyone of the organization'],
      ['Payroll', 'Everyone of the organization'],
      ['Board', 'Only me and the owners'],
      ['Notes', 'Only me and the owners'],
    ] as const) {
      await owner.page.goto(`${deployment.origin}/library`);
      await owner.page.getByRole('button', { name: 'New library' }).click();
      await dialog.getByLabel('Name').fill(name);
      await dialog.getByLabel('Who may read').selectOption(readers);
      await dialog.getByRole('button', { name: 'Create library' }).click();
      await owner.page.getByRole('heading', { name }).waitFor();
    }
    await owner.navigate('Settings');
    await owner.page.getByRole('tab', { name: 'People' }).click();
    await owner.page.getByRole('button', { name: 'Invite a person' }).click();
    await dialog.getByLabel('Name of the organization').fill('Pumps Ltd');
    await dialog.getByLabel('E-mail').fill(EMAIL);
    const readsByDefault = ['Handbook', 'Payroll', 'Board', 'Notes'].map((name) =>
      dialog.getByRole('checkbox', { name }).isChecked(),
    );
    expect(await Promise.all(readsByDefault)).toEqual([true, true, false, false]);
    await dialog.getByRole('checkbox', { name: 'Payroll' }).uncheck();
    await dialog.getByText('only the people of today read Payroll').waitFor();
    await dialog.getByRole('checkbox', { name: 'Board' }).check();
    expect(await owner.seriousViolations()).toEqual([]);
    await takeScreenshots(owner.page, 'people-invite');
    await dialog.getByRole('button', { name: 'Create the link' }).click();
    const address = dialog.getByLabel('Address of this server for others');
    await address.fill('https://answers.example.com/');
    await dialog.getByText('https://answers.example.com/#invite=').waitFor();
    await address.fill(deployment.origin);
    const link = await owner.page.getByTestId('person-link').innerText();
    expect(await owner.seriousViolations()).toEqual([]);
    await takeScreenshots(owner.page, 'people-link');
    await owner.page.getByRole('button', { name: 'Close', exact: true }).last().click();
    await expectSoon(() => owner.page.getByLabel('Name of the organization').inputValue(), 'Pumps Ltd');

    const grace = await Window.open(browser, deployment.origin);
    const { page } = grace;
    await page.goto(link);
    await expectSoon(() => page.getByLabel('E-mail').inputValue(), EMAIL);
    expect(page.url()).not.toContain('invite');
    await page.getByText('You are invited to Pumps Ltd.').waitFor();
    await page.getByLabel('Name').fill('Grace');
    await page.getByLabel('New password').fill(PASSWORD);
    expect(await grace.seriousViolations()).toEqual([]);
    await takeScreenshots(page, 'people-accept');
    await page.getByRole('button', { name: 'Save and sign in' }).click();
    await grace.navigate('Library');
    await page.getByRole('link', { name: 'Handbook' }).waitFor();
    const libraries = page.getByRole('main').getByRole('link');
    expect((await libraries.allInnerTexts()).map((text) => text.trim().split('\n')[0])).toEqual([
      'Board',
      'Handbook',
    ]);
    expect(await page.getByRole('main').getByRole('button', { name: /new/i }).count()).toBe(0);

    await page.getByRole('button', { name: 'Grace' }).click();
    await page.getByRole('menuitem', { name: 'Profile' }).click();
    await page.getByText('This one').waitFor();
    expect(await grace.seriousViolations()).toEqual([]);
    await takeScreenshots(page, 'profile');
    await page.getByLabel('New password').fill(`${PASSWORD}!`);
    await page.getByLabel('Current password').fill('not the password');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('The current password is wrong.').waitFor();
    await page.getByLabel('Current password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('Saved.').waitFor();
    await page.getByLabel('Language').selectOption('fr');
    await page.getByRole('heading', { name: 'Profil' }).waitFor();

    await page.getByRole('button', { name: 'Grace' }).click();
    await page.getByRole('menuitem', { name: 'Se déconnecter' }).click();
    await page.getByRole('heading', { name: 'Se connecter à Citewell' }).waitFor();
    await page.goto(link);
    await page.getByLabel('Nouveau mot de passe').fill(PASSWORD);
    await page.getByRole('button', { name: 'Enregistrer et se connecter' }).click();
    await page.getByText('Ce lien a déjà servi').waitFor();
    await page.goto(deployment.origin);
    await page.getByLabel('Adresse e-mail').fill(EMAIL);
    await page.getByLabel('Mot de passe').fill(PASSWORD);
    await page.getByRole('button', { name: 'Se connecter' }).click();
    await page.getByText('le mot de passe est incorrect').waitFor();
    expect(await grace.seriousViolations()).toEqual([]);
    await takeScreenshots(page, 'people-sign-in');
    await page.getByLabel('Mot de passe').fill(`${PASSWORD}!`);
    await page.getByRole('button', { name: 'Se connecter' }).click();
    await page.getByRole('button', { name: 'Grace' }).waitFor();

    await owner.page.reload();
    await owner.page.getByRole('tab', { name: 'People' }).click();
    const row = owner.page.getByRole('row').filter({ hasText: EMAIL });
    await row.getByLabel('Role of Grace').selectOption('editor');
    expect(await owner.seriousViolations()).toEqual([]);
    await takeScreenshots(owner.page, 'people');
    await row.getByRole('button', { name: 'Remove' }).click();
    await owner.page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await row.waitFor({ state: 'detached' });
    expect(await owner.page.getByRole('button', { name: 'Remove' }).count()).toBe(0);
    await page.reload();
    await page.getByRole('heading', { name: 'Se connecter à Citewell' }).waitFor();
    await grace.close();

    await owner.page.getByRole('tab', { name: 'Usage' }).click();
    await owner.page.getByText('Nothing was used in this period.').waitFor();
    await owner.page.getByRole('button', { name: 'Add a budget' }).click();
    await owner.page.getByLabel('Per month').fill('100,5');
    await owner.page.getByRole('button', { name: 'Save' }).first().click();
    await owner.page.getByText('0 used').waitFor();
    await expectSoon(() => owner.page.getByLabel('Per month').inputValue(), '100.5');
    await owner.page.getByRole('button', { name: 'Add a price' }).click();
    await owner.page.getByRole('combobox', { name: 'Model' }).fill('test-chat');
    await owner.page.getByLabel('Input, per million').fill('0.15');
    await owner.page.getByLabel('Output, per million').fill('0.6');
    await owner.page.getByRole('button', { name: 'Save' }).last().click();
    await owner.page.reload();
    await owner.page.getByRole('tab', { name: 'Usage' }).click();
    await owner.page.getByLabel('Output, per million').waitFor();
    expect(await owner.seriousViolations()).toEqual([]);
    await takeScreenshots(owner.page, 'usage');

    await owner.page.getByRole('tab', { name: 'Audit log' }).click();
    await owner.page.getByRole('row').filter({ hasText: 'Remove a person' }).getByText('Grace').waitFor();
    await owner.page.getByLabel('Who').fill('grace');
    await owner.page.getByRole('row').filter({ hasText: 'Change the own profile' }).first().waitFor();
    await owner.page.getByRole('row').filter({ hasText: 'Remove a person' }).waitFor({ state: 'detached' });
    expect(await owner.seriousViolations()).toEqual([]);
    await takeScreenshots(owner.page, 'audit');
    const download = owner.page.waitForEvent('download');
    await owner.page.getByRole('button', { name: 'Export' }).click();
    expect((await download).suggestedFilename()).toBe('audit-events.jsonl');
    await owner.close();
  });
});
