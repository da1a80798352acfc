import { chromiumForTests } from '@citewell/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import type { Deployment } from '../deployments/deployment.js';
import { startEmbedded } from '../deployments/embedded.deployment.js';
import { launchChromium, Window } from './browser-fixture.js';
import { expectSoon } from './expect-soon.js';
import { takeScreenshots } from './screenshots.js';
import { HARBOUR, INSURANCE, textFile } from './upload-files.js';

const executablePath = await chromiumForTests();

const FEES = textFile('winter.csv', 'Service,Price\nWinter storage,310 euros\nWashing,45 euros\n');
const EMAIL = 'grace@example.com';
const PASSWORD = 'correct horse battery';
const FIELD = 'Ask a question about your documents';

/** Question, and what its answer has. */
const QUESTIONS = [
  ['What do sailing boats pay?', '14 euros a night'],
  ['Is damage by lightning covered?', 'Damage by lightning'],
  ['What does winter storage cost?', '310 euros'],
  ['What is in my documents?', 'insurance.pdf: “Insurance of pleasure boats'],
  ['Who invented the telephone?', 'I found nothing about this in the documents.'],
] as const;

const PAGES = [
  '/ask',
  '/library',
  '/agents',
  '/conversations',
  '/missing',
  '/evaluations',
  '/profile',
  ...['keys', 'usage', 'people', 'groups', 'audit', 'single-sign-on', 'models', 'health'].map(
    (tab) => `/settings?tab=${tab}`,
  ),
];

/** Of the same window: as it is, at 200 % of 1,280 pixels, and on a phone. */
const WIDTHS = [1_280, 640, 360];

async function ask(page: Page, question: string): Promise<void> {
  await page.getByLabel(FIELD).fill(question);
  // The button stops the answer before, until that is complete.
  await page.getByRole('button', { name: 'Ask', exact: true }).waitFor();
  await page.keyboard.press('Enter');
}

/** Presses Tab until an element with this name has the focus. */
async function tabTo(page: Page, name: string): Promise<void> {
  const focused = (): Promise<string> =>
    page.evaluate(
      "(document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? '')",
    );
  for (let count = 0; count < 80; count += 1) {
    if ((await focused()).startsWith(name)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not lead to "${name}"`);
}

/** Each test continues where the previous one ended. */
(executablePath === null ? describe.skip : describe)('the first ten minutes', () => {
  let deployment: Deployment;
  let browser: Browser;
  let window: Window;
  let page: Page;
  let link = '';
  beforeAll(async () => {
    deployment = await startEmbedded({ CITEWELL_API_KEY: '' });
    browser = await launchChromium(executablePath ?? '');
    window = await Window.open(browser, deployment.origin);
    ({ page } = window);
  });
  afterAll(async () => {
    await window.close();
    await browser.close();
    await deployment.stop();
  });

  it('lead from the link to three files and five answers', async () => {
    await page.goto(
      /http\S+\/#sign-in=\S+/.exec(deployment.processes['standalone']?.output ?? '')?.[0] ?? '',
    );
    await page.getByLabel('Search with a local model').uncheck();
    expect(await window.violations()).toEqual([]);
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      page.getByRole('button', { name: 'Choose files' }).click(),
    ]);
    await chooser.setFiles([HARBOUR, INSURANCE, FEES]);
    await page.getByLabel(FIELD).waitFor();
    await window.navigate('Library');
    await page.getByRole('link', { name: 'My documents' }).click();
    await page.getByRole('row').getByText('Ready').nth(2).waitFor();
    await window.navigate('Ask');
    for (const [index, [question, expected]] of QUESTIONS.entries()) {
      await ask(page, question);
      const article = page.getByRole('article').nth(index);
      await article.getByText(expected).first().waitFor();
      // There is no chat model: the first answer says so, with a way to choose one, and no other.
      expect([question, await article.getByText('No language model').count()]).toEqual([
        question,
        index === 0 ? 1 : 0,
      ]);
    }
    await takeScreenshots(page, 'first-answers');
  });

  it('open a citation beside the answer', async () => {
    const answer = page.getByRole('article').nth(1);
    await answer.getByRole('link', { name: /^Source 1: insurance\.pdf/ }).click();
    const document = page.getByRole('complementary', { name: 'Document' });
    await document.getByTestId('quote-marks').locator('div').first().waitFor();
    await answer.getByText('Damage by lightning').first().waitFor();
    const widths = await Promise.all(
      [document, answer].map(async (one) => (await one.boundingBox())?.width ?? 0),
    );
    for (const width of widths) expect(width).toBeGreaterThan(380);
    expect(await window.violations()).toEqual([]);
    await takeScreenshots(page, 'first-citation');
    await page.keyboard.press('Escape');
    await document.waitFor({ state: 'detached' });
  });

  it('invite a second person', async () => {
    await page.goto(`${deployment.origin}/settings?tab=people`);
    await page.getByRole('button', { name: 'Invite a person' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name of the organization').fill('Lindvik Harbour');
    await dialog.getByLabel('E-mail').fill(EMAIL);
    expect(await dialog.getByRole('checkbox', { name: 'My documents' }).isChecked()).toBe(true);
    expect(await window.violations()).toEqual([]);
    await dialog.getByRole('button', { name: 'Create the link' }).click();
    link = await page.getByTestId('person-link').innerText();
  });

  it('let the second person ask, by keyboard alone', async () => {
    const second = await Window.open(browser, deployment.origin);
    const { keyboard } = second.page;
    await second.page.goto(link);
    await second.page.getByLabel('New password').waitFor();
    expect(await second.violations()).toEqual([]);
    await second.page.getByLabel('Name').focus();
    await keyboard.type('Grace');
    await keyboard.press('Tab');
    await keyboard.type(PASSWORD);
    await keyboard.press('Enter');
    await second.page.getByLabel(FIELD).waitFor();
    await keyboard.type('Is damage by lightning covered?');
    await keyboard.press('Enter');
    await second.page.getByRole('article').getByText('Damage by lightning').first().waitFor();
    await tabTo(second.page, 'Source 1: insurance.pdf');
    await keyboard.press('Enter');
    await second.page.getByRole('complementary', { name: 'Document' }).waitFor();
    await keyboard.press('Escape');
    await keyboard.press('Control+k');
    await second.page.getByRole('dialog').getByRole('textbox').waitFor();
    await keyboard.type('harb');
    await second.page.getByRole('option', { name: 'harbour.txt' }).waitFor();
    await keyboard.type('our');
    await keyboard.press('Enter');
    await second.page.getByRole('heading', { name: 'harbour.txt' }).waitFor();
    await second.close();
  });

  it.each(WIDTHS)('have pages that anybody can read, %i pixels wide', async (width) => {
    await page.setViewportSize({ width, height: 800 });
    const [library = ''] = await hrefs(page, '/library', '/library/');
    const [document = ''] = await hrefs(page, library, '/documents/');
    const problems: unknown[] = [];
    for (const path of [...PAGES, library, document]) {
      await page.goto(deployment.origin + path);
      await page.getByRole('main').getByRole('heading').first().waitFor({ state: 'attached' });
      await expectSoon(() => page.locator('.mantine-Skeleton-root').count(), 0);
      const isTooWide = await page.evaluate(
        'document.documentElement.scrollWidth > document.documentElement.clientWidth',
      );
      const violations = await window.violations();
      if (isTooWide || violations.length > 0) problems.push({ path, isTooWide, violations });
    }
    expect(problems).toEqual([]);
  });

  /** The links of a page that begin with a path. */
  async function hrefs(of: Page, path: string, prefix: string): Promise<string[]> {
    await of.goto(deployment.origin + path);
    const links = of.getByRole('main').locator(`a[href^="${prefix}"]`);
    await links.first().waitFor();
    return Promise.all((await links.all()).map(async (one) => (await one.getAttribute('href')) ?? ''));
  }
});
