import { expect } from '@jest/globals';
import type { Window } from './browser-fixture.js';
import { takeScreenshots } from './screenshots.js';

/** Tests, uses and gives up a chat model, on the page of the settings that is open. */
export async function chooseChatModel(window: Window, baseUrl: string): Promise<void> {
  const { page } = window;
  await page.getByText('Answers quote the best passages').waitFor();
  await page.getByLabel('Name of the model').fill('test-chat');
  await page.getByLabel('Address of the server').fill(baseUrl);
  await page.getByRole('textbox', { name: 'Key' }).fill('sk-123');
  await page.getByRole('button', { name: 'Test' }).first().click();
  await page.getByText('It wrote: “The sources say so').waitFor();
  await page.getByRole('button', { name: 'Use this model' }).click();
  await page.getByText('The model is used.').waitFor();
  await page.getByText('Writes answers · openai').waitFor();
  expect(await page.getByRole('textbox', { name: 'Key' }).inputValue()).toBe('');
  expect(await window.seriousViolations()).toEqual([]);
  await takeScreenshots(page, 'models');
  await page.getByRole('button', { name: 'Answer with quotes again' }).click();
  await page.getByText('Answers quote the best passages').waitFor();
}
