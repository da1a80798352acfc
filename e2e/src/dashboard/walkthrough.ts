// Parts of the walk through the dashboard in `dashboard.e2e.ts`.
import { readFile } from 'node:fs/promises';
import { expect } from '@jest/globals';
import type { Browser, JSHandle, Page } from 'playwright-core';
import { signInWithKey, Window } from './browser-fixture.js';
import { expectSoon } from './expect-soon.js';
import { takeScreenshots } from './screenshots.js';
import { textFile } from './upload-files.js';

/** Addresses of servers that are not there, and what the form says. */
const WRONG_ADDRESSES = [
  ['http://127.0.0.1:9/v1', 'The port of the address belongs to another service.'],
  ['http://127.0.0.1:59999/v1', 'could not be reached'],
] as const;

/** Tests, uses and gives up a chat model, on the page of the settings that is open. */
export async function chooseChatModel(window: Window, baseUrl: string): Promise<void> {
  const { page } = window;
  const form = page.getByRole('form', { name: 'Writes answers' });
  await page.getByText('Answers quote the best passages').waitFor();
  await form.getByLabel('Name of the model').fill('test-chat');
  for (const [address, sentence] of WRONG_ADDRESSES) {
    await form.getByLabel('Address of the server').fill(address);
    await form.getByRole('button', { name: 'Use this model' }).click();
    await form.getByText(sentence).waitFor();
  }
  await form.getByLabel('Address of the server').fill(baseUrl);
  await form.getByRole('textbox', { name: 'Key' }).fill('sk-123');
  await form.getByRole('button', { name: 'Test' }).click();
  await page.getByText('It wrote: “The sources say so').waitFor();
  await form.getByRole('button', { name: 'Use this model' }).click();
  await page.getByText('The model is used.').waitFor();
  await page.getByText('Writes answers · openai').waitFor();
  expect(await form.getByRole('textbox', { name: 'Key' }).inputValue()).toBe('');
  expect(await window.seriousViolations()).toEqual([]);
  await takeScreenshots(page, 'models');
  await form.getByRole('button', { name: 'Answer with quotes again' }).click();
  await page.getByText('Answers quote the best passages').waitFor();
}

/** Where the first mark is on the page of a PDF that is shown: 0 at its top, 1 at its bottom. */
export const placeOfMark = (page: Page): Promise<number> =>
  page.evaluate(`{
    const [mark, sheet] = ['[data-testid=quote-marks] > div', 'canvas'].map((selector) =>
      document.querySelector(selector).getBoundingClientRect(),
    );
    (mark.top - sheet.top) / sheet.height;
  }`);

/** Drags a file over the window. @returns what a drop carries */
export async function dragFile(
  page: Page,
  { name, mimeType, buffer }: { name: string; mimeType: string; buffer: Buffer },
): Promise<JSHandle> {
  const dataTransfer = await page.evaluateHandle(`{
    const transfer = new DataTransfer();
    const bytes = Uint8Array.fromBase64('${buffer.toString('base64')}');
    transfer.items.add(new File([bytes], '${name}', { type: '${mimeType}' }));
    transfer;
  }`);
  await page.dispatchEvent('body', 'dragenter', { dataTransfer });
  return dataTransfer;
}

/** Drops a file on the page of the library that is open, and one on that of questions. Ends in the library. */
export async function dropFiles(window: Window): Promise<void> {
  const { page } = window;
  const drop = async (name: string): Promise<void> => {
    const dataTransfer = await dragFile(page, textFile(name, `Dropped: ${name}`));
    const target = page.getByText('Drop to add to “My documents”');
    await target.waitFor();
    expect(await window.seriousViolations()).toEqual([]);
    await takeScreenshots(page, 'drop');
    await target.dispatchEvent('drop', { dataTransfer });
    await target.waitFor({ state: 'hidden' });
  };
  const readyRow = (name: string) => page.getByRole('row').filter({ hasText: name }).getByText('Ready');
  const menu = page.getByRole('navigation');
  // Before its menu, the page does not listen.
  await menu.getByRole('link', { name: 'Ask' }).waitFor();
  await drop('on-library.txt');
  await readyRow('on-library.txt').waitFor();
  await menu.getByRole('link', { name: 'Ask' }).click();
  await drop('on-ask.txt');
  await page.getByLabel('Ask a question about your documents').waitFor();
  await menu.getByRole('link', { name: 'Library' }).click();
  await page.getByRole('link', { name: 'My documents' }).click();
  await readyRow('on-ask.txt').waitFor();
}

/** Begins on the page of conversations, where an unanswered question is open. */
export async function measureAgent(window: Window): Promise<void> {
  const { page } = window;
  await page.getByRole('button', { name: 'Add to the test questions' }).click();
  await page.getByRole('link', { name: 'Added. Write the expected text' }).click();
  const questions = page.getByLabel('Questions (CSV)');
  const set = await questions.inputValue();
  expect(set).toBe('question,expected,document,answerable\n"Who invented the telephone?",,,\n');
  await page.getByRole('button', { name: 'Start' }).click();
  await page.getByText(/Line 2 of the CSV/).waitFor();
  expect(await window.seriousViolations()).toEqual([]);
  await takeScreenshots(page, 'evaluations');
  await questions.fill(set.replace(',,,', ',,,no').concat('What is rope tarred with?,,letter.docx,\n'));
  await page.getByRole('button', { name: 'Start' }).click();
  await page.getByRole('heading', { name: 'By question' }).waitFor();
  await page
    .getByRole('row')
    .filter({ hasText: 'Questions without an answer recognised' })
    .getByText('1.000 (0.207 – 1.000), 1')
    .waitFor();
  expect(await window.seriousViolations()).toEqual([]);
  await takeScreenshots(page, 'evaluation');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save the report' }).click(),
  ]);
  expect(await readFile(await download.path(), 'utf8')).toContain('1.000 (0.207 – 1.000), 1');
  await page.reload();
  await page.getByRole('heading', { name: 'By question' }).waitFor();
}

/** Begins on any page, in English, and ends on that of the settings. */
export async function useInGerman(window: Window): Promise<void> {
  const { page } = window;
  await page.getByRole('button', { name: 'Account' }).click();
  await page.getByRole('menuitem', { name: 'Deutsch' }).click();
  await page.getByRole('heading', { name: 'Einstellungen' }).waitFor();
  await page.reload();
  await page.getByRole('heading', { name: 'Einstellungen' }).waitFor();
  await expectSoon(() => page.locator('html').getAttribute('lang'), 'de');
  await window.navigate('Bibliothek');
  await page.getByRole('link', { name: 'My documents' }).click();
  await page.getByRole('row').filter({ hasText: 'guide.md' }).getByText('Bereit').waitFor();
  await takeScreenshots(page, 'german-library');
  await window.navigate('Agenten');
  await page.getByRole('link', { name: 'Assistant' }).click();
  await page.getByLabel('Anweisungen').waitFor();
  await takeScreenshots(page, 'german-agent');
  await window.navigate('Fragen');
  const field = page.getByLabel('Frage zu Ihren Dokumenten');
  await field.fill('Which chapter speaks of windlasses?');
  await field.press('Enter');
  await page.getByRole('article').getByRole('link', { name: 'Quelle 1: manual.pdf' }).waitFor();
  expect(await window.seriousViolations()).toEqual([]);
  await takeScreenshots(page, 'german-answer');
  await window.navigate('Einstellungen');
  await page.getByRole('button', { name: 'Konto' }).click();
  await page.getByRole('menuitem', { name: 'English' }).click();
  await page.getByRole('heading', { name: 'Settings' }).waitFor();
}

/** Signs in with a key that may not write, and looks for what it cannot do. */
export async function lookAroundReadOnly(browser: Browser, origin: string, key: string): Promise<void> {
  const window = await Window.open(browser, origin);
  const { page } = window;
  const offered = async (): Promise<string[]> =>
    (await page.getByRole('main').getByRole('button').allInnerTexts()).filter((name) =>
      /new|add|delete/i.test(name),
    );

  await page.goto(origin);
  await signInWithKey(page, key);
  await page.getByLabel('Ask a question about your documents').waitFor();
  await window.navigate('Library');
  await page.getByRole('link', { name: 'My documents' }).waitFor();
  expect(await offered()).toEqual([]);
  await page.getByRole('link', { name: 'My documents' }).click();
  await page.getByRole('row').filter({ hasText: 'guide.md' }).waitFor();
  expect(await offered()).toEqual([]);
  expect(await page.getByRole('checkbox').count()).toBe(0);
  expect(await page.getByRole('button', { name: /^Actions/ }).count()).toBe(0);
  await takeScreenshots(page, 'read-only-library');
  await window.navigate('Agents');
  await page.getByRole('link', { name: 'Assistant' }).waitFor();
  expect(await offered()).toEqual([]);
  await page.getByRole('link', { name: 'Assistant' }).click();
  await page.getByLabel('Ask a question about your documents').waitFor();
  expect(new URL(page.url()).pathname).toBe('/ask');
  expect(await window.seriousViolations()).toEqual([]);
  await window.close();
}
