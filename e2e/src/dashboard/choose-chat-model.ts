import { expect } from '@jest/globals';
import type { Window } from './browser-fixture.js';
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
