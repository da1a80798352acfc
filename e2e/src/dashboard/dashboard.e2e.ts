import { readFile } from 'node:fs/promises';
import { chromiumForTests, type ModelServer, startModelServer } from '@citewell/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { launchChromium, signInWithKey, Window } from './browser-fixture.js';
import { BROKEN, HARBOUR, INSURANCE, sample, textFile } from './upload-files.js';
import {
  chooseChatModel,
  dragFile,
  dropFiles,
  lookAroundReadOnly,
  measureAgent,
  placeOfMark,
  useInGerman,
} from './walkthrough.js';
import { takeScreenshots, writeScreenshots } from './screenshots.js';
import type { Deployment } from '../deployments/deployment.js';
import { startEmbedded } from '../deployments/embedded.deployment.js';
import { OTHER_ZIP } from '../fixtures/files.js';
import { TestSite } from '../ingestion/web-sites/test-site.js';
import { expectSoon } from './expect-soon.js';

const executablePath = await chromiumForTests();

/** The tests follow a person from the first start on: each continues where the previous one ended. */
(executablePath === null ? describe.skip : describe)('the dashboard', () => {
  let deployment: Deployment;
  let browser: Browser;
  let window: Window;
  let page: Page;
  let site: TestSite;
  let model: ModelServer;

  beforeAll(async () => {
    // Without a configured key, the start creates the first one and prints a link.
    deployment = await startEmbedded({ CITEWELL_API_KEY: '', ALLOW_PRIVATE_NETWORKS: '127.0.0.1/32' });
    browser = await launchChromium(executablePath ?? '');
    window = await Window.open(browser, deployment.origin);
    ({ page } = window);
    site = await TestSite.start();
    model = await startModelServer();
  });
  afterAll(async () => {
    await window.close();
    await browser.close();
    await site.stop();
    await deployment.stop();
    await model.close();
  });

  let failed: string | null = null;
  /** A test that fails at once when an earlier one has failed. */
  function step(name: string, work: () => Promise<void>): void {
    it(name, async () => {
      if (failed !== null) throw new Error(`"${failed}" has failed before`);
      failed = name;
      try {
        await work();
      } catch (error) {
        await writeScreenshots(page, 'failure');
        throw error;
      }
      failed = null;
    });
  }
  async function chooseFiles(files: { name: string; mimeType: string; buffer: Buffer }[]): Promise<void> {
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      page.getByRole('button', { name: 'Choose files' }).click(),
    ]);
    await chooser.setFiles(files);
  }
  const row = (name: string) => page.getByRole('row').filter({ hasText: name });

  step('signs in by the printed link, once', async () => {
    const link = /(http\S+\/#sign-in=\S+)/.exec(deployment.processes['standalone']?.output ?? '')?.[1] ?? '';
    await page.goto(link);
    await page.getByRole('heading', { name: 'Ask your own documents' }).waitFor();
    expect(page.url()).toBe(`${deployment.origin}/welcome`);
    // The page cannot read the cookie, and keeps no key.
    const readable = await page.evaluate('Object.values(localStorage).join() + document.cookie');
    expect(readable).not.toContain('cw_');

    const other = await Window.open(browser, deployment.origin);
    await other.page.goto(link);
    await other.page.getByText('This sign-in link was used before').waitFor();
    expect(await other.seriousViolations()).toEqual([]);
    await takeScreenshots(other.page, 'sign-in');
    await other.close();
  });

  step('leads from the first file to the quote in its page, by mouse', async () => {
    expect(await window.seriousViolations()).toEqual([]);
    await takeScreenshots(page, 'welcome');
    await page.getByLabel('Search with a local model').uncheck();
    const dataTransfer = await dragFile(page, sample('manual.pdf'));
    await page.getByText('Drop files or folders here').dispatchEvent('drop', { dataTransfer });
    const field = page.getByLabel('Ask a question about your documents');
    await field.waitFor();
    await field.fill('Which chapter speaks of windlasses? Which chapter speaks of anchors?');
    await page.getByRole('button', { name: 'Ask', exact: true }).click();
    const citation = page.getByRole('article').getByRole('link', { name: 'Source 1: manual.pdf' });
    await citation.hover();
    await expectSoon(() => page.getByRole('complementary').getByText('windlasses').count(), 1);
    expect(await window.seriousViolations()).toEqual([]);
    await takeScreenshots(page, 'answer');
    await citation.click();
    await page.getByText('Page 2 of 2').waitFor();
    const mark = page.getByTestId('quote-marks').locator('div').first();
    await mark.waitFor();
    // The line stands at 700 of 792 points from the bottom.
    expect(await placeOfMark(page)).toBeCloseTo(1 - 712 / 792, 1);
    expect(await window.seriousViolations()).toEqual([]);
    await takeScreenshots(page, 'reader-pdf');
    await page.getByText('Citation 1 of 2').waitFor();
    await page.keyboard.press('j');
    await page.getByText('Page 1 of 2').waitFor();
    await page.keyboard.press('k');
    await page.getByText('Page 2 of 2').waitFor();
    await page.getByRole('tab', { name: 'Text' }).click();
    await expectSoon(() => page.locator('mark').textContent(), 'Chapter two speaks of windlasses.');
    // The answer stays where it is.
    await field.waitFor();
    await takeScreenshots(page, 'reader-text');
    await page.getByRole('link', { name: 'Open its page' }).click();
    await page.getByRole('tab', { name: 'Passages' }).click();
    await page.getByRole('link', { name: 'Chapter one' }).waitFor();
    expect(await window.seriousViolations()).toEqual([]);
    await takeScreenshots(page, 'reader-passages');
  });

  step('keeps the conversation after a reload', async () => {
    await page.goBack();
    await page.getByText('Page 2 of 2').waitFor();
    await page.goBack();
    await page.getByText('Page 2 of 2').waitFor({ state: 'detached' });
    await page.getByRole('article').getByText('windlasses? Which chapter speaks of anchors?').waitFor();
    await page.reload();
    await page.getByRole('article').getByRole('link', { name: 'Source 1: manual.pdf' }).waitFor();
    await page.getByRole('button', { name: 'Good answer' }).click();
    await page.getByText('The rating is stored').waitFor();
    await page.getByLabel('What was good or bad').fill('The right page.');
    expect(await window.seriousViolations()).toEqual([]);
    await takeScreenshots(page, 'feedback');
    await page.getByRole('button', { name: 'Save comment' }).click();
    await page.getByText('The comment is stored').waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Good answer', pressed: true }).waitFor();
  });

  step('says that the documents do not answer a question', async () => {
    await page.getByRole('button', { name: 'New conversation' }).click();
    const field = page.getByLabel('Ask a question about your documents');
    await field.fill('Who invented the telephone?');
    await field.press('Enter');
    await page.getByText('Try other words.').waitFor();
    await takeScreenshots(page, 'abstention');
    await page.getByRole('link', { name: 'Add documents' }).click();
    const panel = page.getByRole('dialog', { name: 'Add documents' });
    await panel.getByRole('button', { name: 'Choose files' }).waitFor();
    expect(await window.seriousViolations()).toEqual([]);
    await takeScreenshots(page, 'add-documents');
    await page.keyboard.press('Escape');
    await panel.waitFor({ state: 'hidden' });
  });

  step('uploads files of five types, and explains one that fails', async () => {
    await window.navigate('Library');
    const library = page.getByRole('link', { name: 'My documents' });
    await library.getByText('1 document ·').waitFor();
    await takeScreenshots(page, 'library');
    expect(await window.seriousViolations()).toEqual([]);
    await library.click();
    await page.getByRole('button', { name: 'Add documents' }).click();
    const names = ['letter.docx', 'cargo.xlsx', 'talk.pptx', 'ferry.html', 'guide.md'];
    await chooseFiles([...names.map(sample), BROKEN]);
    for (const name of names) await row(name).getByText('Ready').waitFor();
    await row('broken.pdf').getByText('Failed: The file is damaged or incomplete. Open it').waitFor();
    // Another attempt would fail in the same way.
    expect(await row('broken.pdf').getByRole('button', { name: 'Try again' }).count()).toBe(0);
    const firstName = page.getByRole('rowgroup').getByRole('row').first().getByRole('link');
    await page.getByRole('button', { name: 'Name' }).click();
    await page
      .getByRole('columnheader', { name: 'Name' })
      .and(page.locator('[aria-sort=ascending]'))
      .waitFor();
    await expectSoon(() => firstName.textContent(), 'broken.pdf');
    await page.getByRole('button', { name: 'Name' }).click();
    await page.locator('[aria-sort=descending]').waitFor();
    await expectSoon(() => firstName.textContent(), 'talk.pptx');
    expect(await window.seriousViolations()).toEqual([]);
    await takeScreenshots(page, 'documents');
    await page.getByText('Failed', { exact: true }).click();
    await row('letter.docx').waitFor({ state: 'hidden' });
    await row('broken.pdf').waitFor();
    await page.getByText('All', { exact: true }).click();
  });

  step('refuses, asks and replaces where a newcomer needs it', async () => {
    await page.getByRole('button', { name: 'Add documents' }).click();
    await chooseFiles([textFile('login.pdf', '<!doctype html><p>Sign in'), textFile('rope.txt', 'Hemp.')]);
    await row('login.pdf').getByText('but its content is a web page (HTML)').waitFor();
    await row('rope.txt').getByText('Ready').waitFor();
    await page.getByRole('button', { name: 'Add documents' }).click();
    await chooseFiles([textFile('rope.txt', 'Sisal.')]);
    const asked = row('rope.txt').filter({ hasText: 'a document with this name already' });
    await asked.waitFor();
    expect(await window.seriousViolations()).toEqual([]);
    await takeScreenshots(page, 'upload-problems');
    await asked.getByRole('button', { name: 'Replace', exact: true }).click();
    await row('rope.txt').nth(1).waitFor({ state: 'detached' });
    await row('rope.txt').getByText('Ready').waitFor();
    await row('login.pdf').getByRole('button', { name: 'Close' }).click();

    const link = await row('broken.pdf').getByRole('link').getAttribute('href');
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      row('broken.pdf').getByRole('button', { name: 'Replace file' }).click(),
    ]);
    await chooser.setFiles({ ...sample('manual.pdf'), name: 'whole.pdf' });
    await row('whole.pdf').getByText('Ready').waitFor();
    await expectSoon(() => row('whole.pdf').getByRole('link').getAttribute('href'), link);
    await row('broken.pdf').waitFor({ state: 'hidden' });
  });

  step('marks the sentences that answer, and not their whole passage', async () => {
    await page.getByRole('button', { name: 'Add documents' }).click();
    await chooseFiles([HARBOUR, INSURANCE]);
    for (const { name } of [HARBOUR, INSURANCE]) await row(name).getByText('Ready').waitFor();
    const library = page.url();
    const ask = async (question: string, name: string) => {
      await window.navigate('Ask');
      const field = page.getByLabel('Ask a question about your documents');
      await field.fill(question);
      await field.press('Enter');
      return page.getByRole('article').getByRole('link', { name: `Source 1: ${name}` });
    };
    const citation = await ask('How much do sailing boats pay for a night?', HARBOUR.name);
    await citation.hover();
    const shown = 'Sailing boats pay 14 euros a night, whatever their length and their flag.';
    await page.getByRole('tooltip').getByText(shown).waitFor();
    const sources = page.getByRole('complementary');
    await expectSoon(() => sources.getByText(shown, { exact: true }).count(), 1);
    expect(await window.seriousViolations()).toEqual([]);
    await takeScreenshots(page, 'answer-quote');
    await sources.getByRole('button', { name: 'Whole passage' }).first().click();
    await sources.getByText('Drinking water is free.').waitFor();
    await takeScreenshots(page, 'answer-passage');
    await citation.click();
    const mark = page.locator('mark');
    await expectSoon(() => mark.textContent(), shown.replace('Sailing boats', '**Sailing boats**'));
    expect(await page.locator('span:has(> mark)').textContent()).toContain('Drinking water is free.');
    expect(await window.seriousViolations()).toEqual([]);
    await takeScreenshots(page, 'reader-quote');

    await (await ask('Is damage by lightning covered?', INSURANCE.name)).click();
    const marks = page.getByTestId('quote-marks').locator('div');
    await marks.first().waitFor();
    await expectSoon(() => marks.count(), 1);
    expect(await placeOfMark(page)).toBeCloseTo(1 - 676 / 792, 2);
    await takeScreenshots(page, 'reader-pdf-quote');
    await (await ask('What about theft of the outboard engine?', INSURANCE.name)).click();
    await page.getByText('Page 2 of 2').waitFor();
    await marks.first().waitFor();
    // In a low window, the switch of pages is not behind the header, although the quote is in the middle.
    await page.setViewportSize({ width: 360, height: 420 });
    await marks.first().evaluate((mark) => mark.scrollIntoView({ block: 'center' }));
    const onTop = page.getByRole('button', { name: 'Previous page' }).evaluate((button) => {
      const { left, top } = button.getBoundingClientRect();
      return button.contains(button.ownerDocument.elementFromPoint(left + 4, top + 4));
    });
    expect(await onTop).toBe(true);
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.goto(library);
  });

  step('accepts files that are dropped anywhere', () => dropFiles(window));

  step('opens an archive to its files', async () => {
    await page.getByRole('button', { name: 'Add documents' }).click();
    await chooseFiles([{ name: 'papers.zip', mimeType: 'application/zip', buffer: Buffer.from(OTHER_ZIP) }]);
    await row('papers.zip').getByText('Ready').waitFor();
    await page.getByRole('link', { name: 'papers.zip' }).click();
    await row('readme.txt').getByText('Ready').waitFor();
    await page.getByRole('link', { name: 'Documents' }).click();
  });

  step('deletes selected documents after a question', async () => {
    await page.getByLabel('Select whole.pdf').check();
    await page.getByRole('toolbar').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await row('whole.pdf').waitFor({ state: 'hidden' });
  });

  step('crawls a site, which opens to its pages', async () => {
    const body = (name: string): string =>
      `<title>The ${name}</title><h1>${name}</h1><p>The ${name} is painted red.</p>`;
    site
      .set('/', { body: `${body('lighthouse')}<a href="/pier">Pier</a>` })
      .set('/pier', { body: body('pier') });
    await page.getByRole('button', { name: 'Add documents' }).click();
    await page.getByRole('tab', { name: 'Web' }).click();
    await page.getByLabel('Addresses').fill(site.origin);
    await page.getByText('The whole site').click();
    await page.getByLabel('Except addresses that match').fill('**/pier');
    await page.getByRole('button', { name: 'Show the first pages' }).click();
    await page.getByText('left out by the exceptions').waitFor();
    await page.getByLabel('Except addresses that match').fill('');
    expect(await window.seriousViolations()).toEqual([]);
    await takeScreenshots(page, 'add-site');
    await page.getByRole('button', { name: 'Add address' }).click();
    const siteRow = row('127.0.0.1');
    await siteRow.getByText('Ready').waitFor();
    await siteRow.getByRole('link').click();
    await row('pier').getByText('Ready').waitFor();
    await row('The pier').getByText(`${site.origin}/pier`).waitFor();
    await expectSoon(() => page.getByRole('table').getByRole('link').count(), 2);
    await takeScreenshots(page, 'site');
    await page.getByRole('button', { name: 'Change settings' }).click();
    const settings = page.getByRole('dialog');
    await expectSoon(() => settings.getByLabel('Address of a page or site').inputValue(), `${site.origin}/`);
    await settings.getByLabel('Maximum number of pages').fill('50');
    await settings.getByRole('combobox', { name: 'Sync again' }).click();
    await page.getByRole('option', { name: 'Every week' }).click();
    expect(await window.seriousViolations()).toEqual([]);
    await takeScreenshots(page, 'edit-site');
    await settings.getByRole('button', { name: 'Save changes' }).click();
    await settings.waitFor({ state: 'hidden' });
    await page.reload();
    await page.getByRole('button', { name: 'Change settings' }).click();
    await expectSoon(() => settings.getByLabel('Maximum number of pages').inputValue(), '50');
    await expectSoon(() => settings.getByRole('combobox', { name: 'Sync again' }).inputValue(), 'Every week');
    await page.keyboard.press('Escape');
    await page.getByRole('tab', { name: 'All addresses' }).click();
    await page.getByRole('cell', { name: 'Sitemap' }).waitFor({ state: 'detached' });
    await page.getByRole('cell', { name: 'Page' }).first().waitFor();
    await takeScreenshots(page, 'site-addresses');
    await page.getByRole('link', { name: 'Documents' }).click();
  });

  step('finds passages in a library', async () => {
    await page.getByRole('tab', { name: 'Search' }).click();
    await page.getByLabel('Question or words').fill('tarred rope');
    await page.getByRole('button', { name: 'Search' }).click();
    const byWords = page.getByRole('region', { name: 'By words' });
    await byWords.getByRole('link', { name: 'letter.docx' }).waitFor();
    await byWords.getByText('words: no. 1').waitFor();
    const byMeaning = page.getByRole('region', { name: 'By meaning' });
    await byMeaning.getByRole('link', { name: 'letter.docx' }).waitFor();
    await page.getByText(/^Above: read by All documents/).waitFor();
    expect(await window.seriousViolations()).toEqual([]);
    await takeScreenshots(page, 'search');
    await page.getByRole('button', { name: 'Add a condition' }).click();
    const condition = page.getByRole('group', { name: 'Condition 1' });
    const choose = async (name: string, option: string): Promise<void> => {
      await condition.getByRole('combobox', { name }).click();
      await page.getByRole('option', { name: option, exact: true }).click();
    };
    await choose('Documents with', 'Kind');
    await choose('Value', 'Web site');
    await byWords.getByRole('link', { name: 'letter.docx' }).waitFor({ state: 'detached' });
    await choose('Value', 'File');
    await byWords.getByRole('link', { name: 'letter.docx' }).waitFor();
    expect(await window.seriousViolations()).toEqual([]);
    await takeScreenshots(page, 'search-conditions');
    await condition.getByRole('button', { name: 'Remove condition 1' }).click();
    await condition.waitFor({ state: 'detached' });
  });

  step('creates an agent, tries its instructions and saves them', async () => {
    await window.navigate('Agents');
    await page.getByRole('link', { name: 'All documents' }).waitFor();
    await page.getByRole('button', { name: 'New agent' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('Assistant');
    await page.getByRole('button', { name: 'Create agent' }).click();
    await page.waitForURL('**/agents/*');
    await window.navigate('Agents');
    await page.getByRole('link', { name: 'Assistant' }).waitFor();
    await takeScreenshots(page, 'agents');
    await page.getByRole('link', { name: 'Assistant' }).click();
    await page.getByLabel('Instructions').fill('Answer in one sentence.');
    await page.getByText('You have unsaved changes.').waitFor();
    expect(await window.seriousViolations()).toEqual([]);
    await takeScreenshots(page, 'agent');
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('The agent was saved.').waitFor();
    await page.reload();
    await expectSoon(() => page.getByLabel('Instructions').inputValue(), 'Answer in one sentence.');
  });

  step('puts a public agent on a web site', async () => {
    await page.getByRole('switch', { name: /^Public/ }).click();
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByLabel('Sites that may show the chat').fill('https://www.example.com');
    await page.getByRole('button', { name: 'Create the code' }).click();
    const snippet = (await page.getByTestId('widget-snippet').textContent()) ?? '';
    expect(snippet).toMatch(
      /^<script src="http:\S+\/widget\.js" data-agent="\S+" data-key="cw_\w+" async><\/script>$/,
    );
    expect(await window.seriousViolations()).toEqual([]);
    await takeScreenshots(page, 'publish');
    const href = await page.getByRole('link', { name: 'Open the public page' }).getAttribute('href');
    expect((await fetch(href ?? '')).status).toBe(200);
  });

  step('shows what stayed unanswered, and where the answer can be added', async () => {
    await window.navigate('Agents');
    await page.getByRole('link', { name: 'Conversations' }).click();
    await page.getByRole('link', { name: 'Which chapter speaks of windlasses?' }).click();
    await page.getByText('The right page.').waitFor();
    await takeScreenshots(page, 'conversation-comment');
    await page.getByText('Rated as bad', { exact: true }).click();
    await page.getByText('No answer was rated as bad.').waitFor();
    await page.getByText('Unanswered', { exact: true }).first().click();
    await page.getByRole('link', { name: 'Who invented the telephone?' }).click();
    await page.getByRole('link', { name: 'Search for it' }).waitFor();
    expect(await window.seriousViolations()).toEqual([]);
    await takeScreenshots(page, 'conversations');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export as CSV' }).click(),
    ]);
    expect(await readFile(await download.path(), 'utf8')).toContain('Who invented the telephone?');
  });

  step('measures an agent with a question of a conversation', () => measureAgent(window));

  step('leads everywhere by keyboard', async () => {
    await page.keyboard.press('Control+k');
    await page.getByRole('dialog').getByRole('textbox').fill('my doc');
    await page.getByRole('option', { name: 'My documents' }).waitFor();
    expect(await window.seriousViolations()).toEqual([]);
    await takeScreenshots(page, 'palette');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'My documents' }).waitFor();
  });

  step('creates, shows once and revokes an API key', async () => {
    await window.navigate('Settings');
    await page.getByRole('button', { name: 'New key' }).click();
    await page.getByLabel('What is it for?').fill('Reports');
    await page.getByRole('button', { name: 'Create key' }).click();
    const key = (await page.getByTestId('new-key').textContent()) ?? '';
    await takeScreenshots(page, 'new-key');
    const status = async (): Promise<number> => {
      const headers = { authorization: `Bearer ${key}` };
      return (await fetch(`${deployment.baseUrl}/agents`, { headers })).status;
    };
    expect(await status()).toBe(200);
    await lookAroundReadOnly(browser, deployment.origin, key);
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
    expect(await window.seriousViolations()).toEqual([]);
    await takeScreenshots(page, 'settings');
    await row('Reports').getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke the key' }).click();
    await row('Reports').waitFor({ state: 'hidden' });
    expect(await status()).toBe(403);
    await page.getByRole('tab', { name: 'Usage' }).click();
    await page.getByText('The last twelve months').waitFor();
    await takeScreenshots(page, 'usage');
    await page.getByRole('tab', { name: 'Models' }).click();
    await chooseChatModel(window, model.baseUrl);
    await page.getByRole('tab', { name: 'Health' }).click();
    await page.getByText('No contradictions were found.').waitFor();
    expect(await window.seriousViolations()).toEqual([]);
    await takeScreenshots(page, 'health');
  });

  step('speaks German, also after a reload', () => useInGerman(window));

  step('starts in the language of the browser', async () => {
    const japanese = await Window.open(browser, deployment.origin, { locale: 'ja' });
    await japanese.page.goto(deployment.origin);
    await japanese.page.getByRole('heading', { name: 'Citewell にサインイン' }).waitFor();
    await takeScreenshots(japanese.page, 'japanese-sign-in');
    await japanese.close();
  });

  step('signs out, and in again with a key', async () => {
    const key = /API key, shown only once: +(\S+)/.exec(
      deployment.processes['standalone']?.output ?? '',
    )?.[1];
    await page.getByRole('button', { name: 'Account' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in to Citewell' }).waitFor();
    await signInWithKey(page, 'cw_wrong');
    await page.getByText('This API key is not valid.').waitFor();
    expect(await window.seriousViolations()).toEqual([]);
    await page.getByRole('button', { name: 'Use e-mail and password' }).click();
    await signInWithKey(page, key ?? '');
    await page.getByRole('heading', { name: 'Settings' }).waitFor();
  });

  step('has a page for addresses that do not exist', async () => {
    await page.goto(`${deployment.origin}/library/unknown`);
    await page.getByText('This does not exist any more').waitFor();
    await page.goto(`${deployment.origin}/settings/unknown`);
    await page.getByText('There is no such page.').waitFor();
  });
});
