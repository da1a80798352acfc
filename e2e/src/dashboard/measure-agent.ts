import { readFile } from 'node:fs/promises';
import { expect } from '@jest/globals';
import type { Window } from './browser-fixture.js';
import { takeScreenshots } from './screenshots.js';

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
