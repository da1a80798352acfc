// Parts of the walk through the dashboard in `dashboard.e2e.ts`.
import { readFile } from 'node:fs/promises';
import { expect } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { Window } from './browser-fixture.js';
import { takeScreenshots } from './screenshots.js';

/** Tests, uses and gives up a chat model, on the page of the settings that is open. */
export async function chooseChatModel(window: Window, baseUrl: string): Promise<void> {
  const { page } = window;
  const form = page.getByRole('form', { name: 'Writes answers' });
  await page.getByText('Answers quote the best passages').waitFor();
  await form.getByLabel('Name of the model').fill('test-chat');
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

/** Signs in with a key that may not write, and looks for what it cannot do. */
export async function lookAroundReadOnly(browser: Browser, origin: string, key: string): Promise<void> {
  const window = await Window.open(browser, origin);
  const { page } = window;
  const navigate = (entry: string): Promise<void> =>
    page.getByRole('navigation').getByRole('link', { name: entry }).click();
  const offered = async (): Promise<string[]> =>
    (await page.getByRole('main').getByRole('button').allInnerTexts()).filter((name) =>
      /new|add|delete/i.test(name),
    );

  await page.goto(origin);
  await page.getByLabel(/^API key/).fill(key);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByLabel('Ask a question about your documents').waitFor();
  await navigate('Library');
  await page.getByRole('link', { name: 'My documents' }).waitFor();
  expect(await offered()).toEqual([]);
  await page.getByRole('link', { name: 'My documents' }).click();
  await page.getByRole('row').filter({ hasText: 'guide.md' }).waitFor();
  expect(await offered()).toEqual([]);
  expect(await page.getByRole('checkbox').count()).toBe(0);
  expect(await page.getByRole('button', { name: /^Actions/ }).count()).toBe(0);
  await takeScreenshots(page, 'read-only-library');
  await navigate('Agents');
  await page.getByRole('link', { name: 'Assistant' }).waitFor();
  expect(await offered()).toEqual([]);
  await page.getByRole('link', { name: 'Assistant' }).click();
  await page.getByLabel('Ask a question about your documents').waitFor();
  expect(new URL(page.url()).pathname).toBe('/ask');
  expect(await window.seriousViolations()).toEqual([]);
  await window.close();
}
