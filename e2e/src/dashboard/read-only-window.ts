import { expect } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { Window } from './browser-fixture.js';
import { takeScreenshots } from './screenshots.js';

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
